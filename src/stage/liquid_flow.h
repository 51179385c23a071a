/// A liquid with a free surface (fluid/liquid.h), in a step.
///
/// Source   [A18] sections 3 to 5; numerics/coupling 8, numerics/surface 4.
/// Order    Surface and particles are carried by the velocity of the last solve, past the moving solids; sources and
///          drains; particles give their velocity to the faces. After the solve the velocity goes on around the liquid,
///          on the bricks of the next step, and back to the particles.
#pragma once

#include "stage/flow.h"
#include "stage/liquid_particles.h"
#include "stage/pouring.h"

namespace tidelock {

template <int D>
class LiquidFlow final : public Flow<D> {
  public:
    LiquidFlow(LiquidParameters<D> liquid, double cfl) : liquid_(std::move(liquid)), cfl_(cfl) {}

    [[nodiscard]] double largest_step(const World<D>& world) const override;
    [[nodiscard]] double density() const override { return liquid_.density; }
    [[nodiscard]] bool wet(const World<D>& world, const Vec<D>& x) const override;
    void carry(Step<D>& step) override;
    void add_forces(Step<D>& step) override;
    [[nodiscard]] FlowFaces<D> faces(Step<D>& step) override;
    void finish(const FlowFaces<D>& faces, Step<D>& step) override;

  private:
    void report_bubbles(Step<D>& step) const;
    void measure_volume(const FlowFaces<D>& faces, const Field<D, double>& lively, Step<D>& step) const;

    LiquidParameters<D> liquid_;
    double cfl_;

    // Of the step.
    LiquidParticles<D> particles_;
    Pouring<D> pouring_;
    std::vector<Bubble> bubbles_;
};

}  // namespace tidelock
