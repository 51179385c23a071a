/// At the end of a step the liquid moves apart or together by a little, so that it keeps its volume however long the step is.
///
/// Why      A velocity without divergence keeps volumes only where there was liquid when it was found. What meets a wall
///          or other liquid within the step goes on into it: particles end up as close as the step is long, level sets lose what they cover twice.
/// Source   [KLTB21]: a displacement d = -grad q with div d = what a cell holds beyond what it can, from the matrix of
///          the pressure; velocities are left as they are. Solids stand still for it. numerics/volume 3.
/// What     Where particles are the liquid: their crowding (fluid/crowding.h), as far as the liquid moves. With
///          DriftCorrection::displacement also what the ledger misses, in the cells that move.
#pragma once

#include "couple/flow_faces.h"
#include "stage/step.h"

namespace tidelock {

/// d on the faces of the step's bricks [m]; empty if nothing has to move.
template <int D>
struct LiquidSpread {
    FaceField<D, double> way;
    double farthest = 0;  ///< [m]
    [[nodiscard]] bool empty() const { return !way[0].set_ptr(); }
};

/// `cells`: of the particles, for those who have some; `lively`: lively_cells().
template <int D>
LiquidSpread<D> find_spread(const LiquidParameters<D>& parameters, const ParticleCells<D>& cells,
                            const Field<D, double>& lively, const FlowFaces<D>& faces, Step<D>& step);

/// Moves surface and markers along d, on the bricks of the step.
template <int D>
void spread_surface(const LiquidParameters<D>& parameters, const LiquidSpread<D>& spread, Step<D>& step);

/// Moves the particles.
template <int D>
void spread_particles(const LiquidSpread<D>& spread, Step<D>& step);

}  // namespace tidelock
