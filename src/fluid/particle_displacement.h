/// Moves crowded particles apart, so that a liquid carried by particles keeps its volume. Velocities are left alone.
///
/// Source   [TL19]: where particles take rho times the room they have, they are displaced by the
///          flow with div = rho - 1 (fluid/liquid_potential.h, over unit time), by at most half a cell at once.
/// Deviates none.
/// Limits   Not together with a divergence against drift (fluid/volume.h): each undoes what the other sees. A liquid
///          without a surface has nowhere to go: it is evened out only.
/// Promise  Velocities and affine rows keep their bits: the momentum is not touched. Same bits on any number of
///          threads.
#pragma once

#include "fluid/liquid_potential.h"
#include "fluid/particle_motion.h"

namespace tidelock {

struct DisplacementOptions {
    double most = 0.5;                         ///< [cells] of a particle in one pass, at most
    SolveOptions solve = {.tolerance = 1e-3};  ///< the next pass sees what is left
    MotionOptions motion;
};

struct [[nodiscard]] DisplacementReport {
    double crowding = 0;  ///< mean of |rho - 1| over the liquid's cells before [-]
    SolveReport solve;
    MotionReport motion;
};

/// `region.phi` is that of the particles, `cells` their order on its bricks, which must reach two cells beyond them.
/// `open_volume`: share of each cell that no solid fills; null without solids. `obstacles`: the solids, at rest where
/// they are now; may be null. Afterwards particles have to be sorted again.
template <int D>
DisplacementReport spread_crowded_particles(const LiquidRegion<D>& region, const Field<D, double>* open_volume,
                                            const Obstacles<D>* obstacles, const ParticleCells<D>& cells,
                                            const DisplacementOptions& options, Particles<D>& particles);

}  // namespace tidelock
