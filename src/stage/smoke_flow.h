/// A gas that carries smoke and heat (fluid/smoke.h), in a step.
///
/// Source   [A18] eq. (12): u* is the velocity carried along itself, with rays clipped at the moving solids, and what
///          pushes the gas besides pressure.
#pragma once

#include <map>

#include "fluid/inflow.h"
#include "stage/flow.h"

namespace tidelock {

template <int D>
class SmokeFlow final : public Flow<D> {
  public:
    SmokeFlow(SmokeParameters<D> gas, double cfl) : gas_(std::move(gas)), cfl_(cfl) {}

    [[nodiscard]] double largest_step(const World<D>& world) const override;
    [[nodiscard]] double density() const override { return gas_.fluid_density; }
    [[nodiscard]] bool wet(const World<D>&, const Vec<D>&) const override { return true; }
    void carry(Step<D>& step) override;
    void add_forces(Step<D>& step) override;
    [[nodiscard]] FlowFaces<D> faces(Step<D>& step) override;
    void finish(const FlowFaces<D>& faces, Step<D>& step) override;

  private:
    void advect(Step<D>& step) const;
    void add_inflows(const Step<D>& step, FlowFaces<D>& faces);

    SmokeParameters<D> gas_;
    double cfl_;
    std::map<std::size_t, Inflow<D>> inflows_;  ///< of sources that have blown, by their number
};

}  // namespace tidelock
