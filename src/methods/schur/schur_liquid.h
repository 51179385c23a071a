/// The same method as methods/schur/schur.h for a liquid with a free surface.
///
/// Source   [A18] sections 3 to 5; numerics/coupling 8, numerics/surface 4.
/// Step     bodies move; surface and particles are carried by the velocity of the last solve, past the moving solids;
///          particles give their velocity to the grid; forces; the coupled solve; the grid gives it back.
#pragma once

#include "fluid/liquid.h"
#include "methods/method.h"
#include "methods/schur/coupling_parameters.h"

namespace tidelock {

template <int D>
struct SchurLiquidParameters : CouplingParameters<D> {
    LiquidParameters<D> liquid;
};

template <int D>
class SchurLiquid final : public Method<D> {
  public:
    explicit SchurLiquid(SchurLiquidParameters<D> parameters) : parameters_(std::move(parameters)) {}
    StepReport<D> advance(World<D>& world, double dt) override;
    [[nodiscard]] double largest_step(const World<D>& world) const override;

  private:
    struct Step;
    void carry(World<D>& world, Step& step, StepReport<D>& report) const;
    void gather_velocity(World<D>& world, Step& step) const;
    void solve(World<D>& world, Step& step, StepReport<D>& report) const;
    void give_back(World<D>& world, Step& step) const;

    SchurLiquidParameters<D> parameters_;
};

/// Puts a liquid that fills {shape < 0} into the world, at rest, without what lies in its solids: where its seeds and
/// markers are, and how much there is. Parts that solids fill are taken away; how many cells [-].
template <int D>
std::ptrdiff_t fill_liquid(const LiquidParameters<D>& parameters, const DistanceFunction<D>& shape, World<D>& world);

/// Gives its liquid a velocity [m/s] where `inside` holds: on faces, and to particles.
template <int D>
void set_velocity(const PointTest<D>& inside, const Vec<D>& velocity, World<D>& world);

}  // namespace tidelock
