/// Fills a liquid with particles, and keeps their number in bounds.
///
/// Source   numerics/particles 3: 2^D in a cell, one in each of its 2^D parts, jittered within the part. While the
///          liquid moves, the empty parts of a cell with fewer than `least` are filled, one with more than `most` is
///          thinned: of the closest pair the one that comes later goes, until `most` are left.
/// Deviates With `keep_count` as many are removed as are added, from the fullest cells to the deepest places. Where the
///          particles are the liquid, that keeps its volume: spray that spreads looks like liquid with holes in it, and
///          filling those made five times the water in a bottle that was emptied.
/// Promise  A seed's place depends on the random seed, the cell and the round only: not on threads, nor on the domain's
///          size. Cells are filled only below the surface (`depth`): at the surface that would gain volume.
#pragma once

#include <cstdint>
#include <limits>

#include "fluid/obstacles.h"
#include "fluid/particles.h"

namespace tidelock {

/// Particles at rest in {liquid < 0}. A part of a cell has its particle if the jittered point lies inside, so that the
/// number of particles follows the volume.
template <int D>
Particles<D> seed_particles(const Grid<D>& grid, const DistanceFunction<D>& liquid, std::uint64_t seed,
                            bool with_affine);

/// Removes particles that lie nearer to a solid than `clearance` [m] or in it; how many.
template <int D>
[[nodiscard]] std::ptrdiff_t carve_particles(Particles<D>& particles, const DistanceFunction<D>& solid,
                                             double clearance);

template <int D>
struct ResampleOptions {
    int least = particles_per_cell<D> / 2;  ///< [-] per cell
    int most = 2 * particles_per_cell<D>;   ///< [-] per cell
    double depth = 0.5;                     ///< [cells] below the surface from which on cells are filled up
    /// [cells] below the surface down to which there are particles (fluid/narrow_band.h): deeper ones are removed, and
    /// cells are filled up that lie above it as a whole
    double deepest = std::numeric_limits<double>::infinity();
    double clearance = 0.02;  ///< [cells] from solids
    bool keep_count = false;  ///< as many go as come
    std::uint64_t seed = 1;   ///< of the random numbers
    std::uint64_t round = 0;  ///< another one each time, such as the number of the step
};

struct [[nodiscard]] ResampleReport {
    std::ptrdiff_t added = 0, removed = 0;
};

/// A liquid that particles are to fill.
template <int D>
struct LiquidView {
    const Grid<D>& grid;
    const Field<D, double>& phi;           ///< its signed distance at cell centres [m]
    const FaceField<D, double>& velocity;  ///< known around new particles, which take theirs from it [m/s]
    const Obstacles<D>* solids = nullptr;  ///< none is filled up on the far side of one; may be null
};

/// Fills up and thins. Particles are sorted as `cells` says; afterwards they must be sorted again.
template <int D>
ResampleReport resample_particles(const LiquidView<D>& liquid, const ParticleCells<D>& cells,
                                  const ResampleOptions<D>& options, Particles<D>& particles);

}  // namespace tidelock
