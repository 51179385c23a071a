#include "stage/flow.h"

#include "stage/liquid_flow.h"
#include "stage/smoke_flow.h"

namespace tidelock {

namespace {

// One for each kind of fluid: make_flow() does not compile without.
template <int D>
std::unique_ptr<Flow<D>> flow_of(const SmokeParameters<D>& gas, double cfl) {
    return std::make_unique<SmokeFlow<D>>(gas, cfl);
}
template <int D>
std::unique_ptr<Flow<D>> flow_of(const LiquidParameters<D>& liquid, double cfl) {
    return std::make_unique<LiquidFlow<D>>(liquid, cfl);
}

}  // namespace

template <int D>
std::unique_ptr<Flow<D>> make_flow(const FlowParameters<D>& parameters, double cfl) {
    return std::visit([&](const auto& of_kind) { return flow_of<D>(of_kind, cfl); }, parameters);
}

template std::unique_ptr<Flow<2>> make_flow(const FlowParameters<2>&, double);
template std::unique_ptr<Flow<3>> make_flow(const FlowParameters<3>&, double);

}  // namespace tidelock
