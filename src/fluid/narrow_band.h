/// Particles only near the surface of a liquid; the grid carries what lies deeper.
///
/// Source   [FAWWT16]; numerics/particles 2. Particles live within `depth` below the surface. A step carries particles,
///          phi and the grid's velocity, each through the old velocity; then
///            surface   phi = min(phi_P, phi + 3 h): particles decide where they are, and what was carried is shifted
///                      inwards by three cells, so that it only fills the inside, where there are none
///            velocity  that of the particles down to a cell above the bottom of the band, the grid's below, and a ramp
///                      of a cell between, against a seam
///          and at the end cells of the band are filled up and what sank below it is removed: resample_particles
///          (fluid/particle_seeding.h) with band_resampling.
/// Deviates [FAWWT16] shifts by one cell. What is carried is held by this surface afterwards (fluid/held_surface.h),
///          and must not have had a say in it.
/// Limits   Liquid thinner than the band is all particles, as without it.
/// Promise  The number of particles follows the surface, not the volume. Same bits on any number of threads.
#pragma once

#include "fluid/particle_seeding.h"
#include "grid/distance.h"
#include "grid/extrapolate.h"

namespace tidelock {

struct NarrowBandOptions {
    double depth = 4;  ///< [cells] of the particles below the surface; at least 3. [FAWWT16]: 3 to 4
};

/// The bricks within `rim` cells of a particle or of liquid (phi < 0, on its own bricks).
template <int D>
BrickSetPtr<D> bricks_of_band(const Grid<D>& grid, const std::vector<Vec<D>>& positions, const Field<D, double>& phi,
                              int rim);

/// `phi`: carried by the grid on entry, the liquid's on return, a distance as `distance` says. `of_particles`: that of
/// fluid/particle_surface.h, on the same bricks; `ways` as there.
template <int D>
void combine_surface(const Grid<D>& grid, const Field<D, double>& of_particles, const DistanceOptions& distance,
                     Field<D, double>& phi, const Mask<D>* ways = nullptr);

/// `u`: carried by the grid on entry, the liquid's on return [m/s]; `known` marks the faces on which `of_particles` has
/// a value on entry, and on return those of `u`: these and the faces of cells within the liquid. All on phi's bricks.
template <int D>
void combine_velocity(const Grid<D>& grid, const NarrowBandOptions& options, const Field<D, double>& phi,
                      const FaceField<D, double>& of_particles, FaceField<D, double>& u, FaceMask<D>& known);

/// How the band is filled up and cut off: new particles a cell below the surface or deeper, where particles are missing
/// only because the band has moved.
template <int D>
ResampleOptions<D> band_resampling(const NarrowBandOptions& options, std::uint64_t seed, std::uint64_t round) {
    ResampleOptions<D> out;
    out.depth = 1;
    out.deepest = options.depth;
    out.seed = seed;
    out.round = round;
    return out;
}

}  // namespace tidelock
