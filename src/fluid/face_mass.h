/// What particles weigh at the faces that they give their velocity to.
#pragma once

#include "fluid/particle_transfer.h"

namespace tidelock {

/// particles_to_grid (fluid/particle_transfer.h), which also tells how much of the particles is at each face: sum_p N_fp
/// over that of a face whose dual cell is full [-].
template <int D>
[[nodiscard]] FaceField<D, double> weighed_particles_to_grid(const Grid<D>& grid, const Particles<D>& particles,
                                                             const ParticleCells<D>& cells,
                                                             const Obstacles<D>* obstacles, FaceField<D, double>& u,
                                                             FaceMask<D>& known);

}  // namespace tidelock
