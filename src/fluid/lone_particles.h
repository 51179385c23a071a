/// Particles that fly alone.
#pragma once

#include "fluid/particles.h"
#include "grid/domain.h"

namespace tidelock {

/// Sets the affine rows of particles to 0 that have less than a cell's worth of others in the cells around. Faces near a
/// lone particle know the flow from it alone, so that it reads the gradient back that it gave, for ever; the pressure
/// of its own small piece of liquid takes the divergence out of that gradient, by pushing the face whose surface is
/// nearest, and the particle takes the push for its speed. Without a gradient it flies as a stone does.
template <int D>
void forget_lone_gradients(const ParticleCells<D>& cells, Particles<D>& particles);

/// Largest speeds on the faces of cells with particles, per component [m/s].
struct CarryingSpeeds {
    double together = 0;  ///< where others are near
    double alone = 0;     ///< with less than a cell's worth of others in the cells around
};

/// All particles lie in bricks of the velocity.
template <int D>
[[nodiscard]] CarryingSpeeds carrying_speeds(const Grid<D>& grid, const FaceField<D, double>& velocity,
                                             const Particles<D>& particles);

/// [m/s]
template <int D>
[[nodiscard]] double fastest_particle(const Particles<D>& particles);

}  // namespace tidelock
