/// The liquid's level set from its particles.
///
/// Source   numerics/surface 6.
///          spheres: the union of spheres, phi = min_p |x - x_p| - r, r = 1.02 sqrt(D) h / 2, so that a lone particle
///          makes at least the centre of its cell liquid.
///          smooth: [ZB05] section 4, phi = |x - xm| - rm with the mean place xm of the particles around, weighted by
///          k = (1 - (d / R)^2)^3, R = 2 h.
/// Deviates smooth: rm is such that phi is the distance from a flat surface of seeded liquid, above and below it: there
///          the sum of the weights tells the height of x, hence how far xm is from it (with r everywhere surfaces lie
///          0.4 h outside). Where the sum is less than half of that on the surface, rm goes over to r, which lone
///          particles have. Cells whose ring of 3^D cells is occupied throughout are liquid, whatever the mean says
///          (they count as in `spheres` then): no air pockets within. phi stays between unions of spheres of radius h /
///          4 and h, which keeps [ZB05]'s false liquid between approaching surfaces out.
/// Cost     Cells within the liquid whose neighbours are occupied are not measured: what costs is the surface.
/// Promise  Same bits on any number of threads. A cell that holds a particle is liquid with `spheres`.
/// Limits   smooth: a ball of radius R cells seems too small by about 0.4 / R cells: its kernel holds less than that of
///          a flat surface.
#pragma once

#include "fluid/particles.h"
#include "grid/distance.h"

namespace tidelock {

enum class ParticleSurface { spheres, smooth };

/// phi [m] at cell centres on the bricks of `cells`, a signed distance up to `options.band`, which is also the
/// background. Bricks must reach `band` cells beyond the particles for the whole band to exist. `ways` of grid/distance.h:
/// a wall is no surface.
template <int D>
Field<D, double> surface_of_particles(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                                      ParticleSurface kind, const DistanceOptions& options = {},
                                      const Mask<D>* ways = nullptr);

}  // namespace tidelock
