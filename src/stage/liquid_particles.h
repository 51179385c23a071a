/// Between the particles of a liquid and its grid, before and after the solve.
#pragma once

#include "stage/liquid_spread.h"
#include "stage/step.h"

namespace tidelock {

/// What is kept from one to the other; nothing for a liquid without particles.
template <int D>
class LiquidParticles {
  public:
    /// From particles to faces: Step::velocity, and the surface that the particles hold.
    void gather(const LiquidParameters<D>& parameters, Step<D>& step);
    /// From the world's faces to particles, on the bricks of the next step; then they are moved apart, and their number
    /// stays in bounds.
    void give_back(const LiquidParameters<D>& parameters, const LiquidSpread<D>& spread, Step<D>& step);

    /// Where the liquid moves, a face to air has no less mass than the particles that it will move: else the solve takes
    /// it for lighter than it is, and what it pushes there has more energy than the pressure spent (numerics/surface 8).
    void weigh_surface(const Step<D>& step, FlowFaces<D>& faces) const;

    [[nodiscard]] const ParticleCells<D>& cells() const { return cells_; }

  private:
    void hold_liquid_surface(const LiquidParameters<D>& parameters, Step<D>& step) const;
    void resample(const LiquidParameters<D>& parameters, const Obstacles<D>* solids, Step<D>& step);

    ParticleCells<D> cells_;
    FaceField<D, double> mass_;      ///< of the particles at faces, over that of a full one [-]
    FaceField<D, double> gathered_;  ///< what particles gave, for flip
};

}  // namespace tidelock
