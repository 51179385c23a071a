/// Rigid bodies and incompressible flow in one symmetric system, solved through its Schur complement.
///
/// Source   [A18] sections 3 and 4; the order of the stages is that of numerics/coupling 8.
#pragma once

#include "fluid/sources.h"
#include "methods/method.h"
#include "methods/schur/coupling_parameters.h"

namespace tidelock {

template <int D>
struct SchurParameters : CouplingParameters<D> {
    SmokeParameters<D> smoke;
    std::vector<SmokeSource<D>> sources;
};

template <int D>
class Schur final : public Method<D> {
  public:
    explicit Schur(SchurParameters<D> parameters) : parameters_(std::move(parameters)) {}
    StepReport<D> advance(World<D>& world, double dt) override;
    [[nodiscard]] double largest_step(const World<D>& world) const override;

  private:
    SchurParameters<D> parameters_;
};

}  // namespace tidelock
