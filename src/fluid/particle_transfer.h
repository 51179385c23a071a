/// Velocity from particles to the faces of the grid and back: PIC, FLIP and APIC.
///
/// Source   numerics/particles 1; [ZB05] (FLIP), [JSSTS15] (APIC). Linear weights N per component at its own faces:
///            u_f  = sum_p N_fp (u_pa + c_pa . (x_f - x_p)) / sum_p N_fp          c only with apic
///            u_pa = sum_f N_fp u_f,   c_pa = sum_f grad N_fp u_f                 pic, apic
///            u_pa = s (u_pa + sum_f N_fp (u_f - u_f before)) + (1 - s) sum_f N_fp u_f    flip, s = flip_share
/// Deviates Beyond the outermost samples (half a cell along a wall) weights are those of the nearest ones, both ways,
///          and the gradient across is 0: a free-slip wall, and momentum is kept. Faces that a solid hides from a
///          particle get nothing from it; it reads the solid's velocity in their place (numerics/transport 2).
/// Threads  The particles of a brick are summed in their order, for its own faces and the ring around; the sums of
///          bricks are added by the parity of their coordinates, so that no two threads write one face at a time, and
///          in an order that depends neither on the threads nor on what is active.
/// Promise  Uniform flow passes exactly in every scheme, linear flow with apic (away from walls); apic keeps momentum
///          and angular momentum: tests/fluid/particle_transfer_test.cpp.
#pragma once

#include "fluid/obstacles.h"
#include "fluid/particles.h"
#include "grid/extrapolate.h"

namespace tidelock {

enum class ParticleTransfer { apic, flip, pic };

struct TransferOptions {
    ParticleTransfer scheme = ParticleTransfer::apic;
    double flip_share = 0.97;  ///< [-] in [0, 1], flip only: 0 is pic. 0.95 to 0.99 is usual
};

/// Fills `u` [m/s] and `known` (1: some particle reaches the face, 0: none; then u is 0), which live on the bricks of
/// `cells`. Faces without a value are for grid/extrapolate.h. Affine rows count if the particles have them.
template <int D>
void particles_to_grid(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                       const Obstacles<D>* obstacles, FaceField<D, double>& u, FaceMask<D>& known);

/// Updates velocities (and affine rows, with apic). `u` must be known on every face around a particle. `before`: for
/// flip, what particles_to_grid gave, extrapolated in the same way, before any force.
template <int D>
void grid_to_particles(const Grid<D>& grid, const TransferOptions& options, const FaceField<D, double>& u,
                       const FaceField<D, double>* before, const Obstacles<D>* obstacles, Particles<D>& particles);

/// Velocities as by pic, and the affine rows if the particles have them: for new particles.
template <int D>
void read_velocity(const Grid<D>& grid, const FaceField<D, double>& u, Particles<D>& particles);

}  // namespace tidelock
