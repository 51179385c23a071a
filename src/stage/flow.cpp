#include "stage/flow.h"

#include "stage/liquid_flow.h"
#include "stage/smoke_flow.h"

namespace tidelock {

template <int D>
std::unique_ptr<Flow<D>> make_flow(const FlowParameters<D>& parameters, double cfl) {
    if (const auto* gas = std::get_if<SmokeParameters<D>>(&parameters))
        return std::make_unique<SmokeFlow<D>>(*gas, cfl);
    return std::make_unique<LiquidFlow<D>>(std::get<LiquidParameters<D>>(parameters), cfl);
}

template std::unique_ptr<Flow<2>> make_flow(const FlowParameters<2>&, double);
template std::unique_ptr<Flow<3>> make_flow(const FlowParameters<3>&, double);

}  // namespace tidelock
