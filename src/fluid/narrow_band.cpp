#include "fluid/narrow_band.h"

#include "base/error.h"

namespace tidelock {

/// By which what was carried lies within the surface of the particles [cells]: their band is deeper.
constexpr double carried_shift = 3;

template <int D>
BrickSetPtr<D> bricks_of_band(const Grid<D>& grid, const std::vector<Vec<D>>& positions, const Field<D, double>& phi,
                              int rim) {
    const auto near_particles = bricks_of_particles<D>(grid, positions, rim);
    const auto near_liquid = reactivate<D>(phi.set_ptr(), phi, rim);
    auto bricks = near_particles->bricks();
    bricks.insert(bricks.end(), near_liquid->bricks().begin(), near_liquid->bricks().end());
    return std::make_shared<const BrickSet<D>>(near_particles->lattice(), std::move(bricks));
}

template <int D>
void combine_surface(const Grid<D>& grid, const Field<D, double>& of_particles, const DistanceOptions& distance,
                     Field<D, double>& phi, const Mask<D>* ways) {
    TIDELOCK_ASSERT(of_particles.set() == phi.set(), "{} bricks, phi has {}", of_particles.set().count(),
                    phi.set().count());
    parallel_for("narrow band: surface", phi.set().count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            phi.brick(b)[i] = std::min(of_particles.brick(b)[i], phi.brick(b)[i] + carried_shift * grid.dx);
    });
    redistance<D, double>(phi, grid, distance, ways);
}

template <int D>
void combine_velocity(const Grid<D>& grid, const NarrowBandOptions& options, const Field<D, double>& phi,
                      const FaceField<D, double>& of_particles, FaceField<D, double>& u, FaceMask<D>& known) {
    TIDELOCK_ASSERT(u.set() == phi.set() && known.set() == phi.set(), "{} bricks, phi has {}", u.set().count(),
                    phi.set().count());
    for (int a = 0; a < D; ++a) {
        const auto level = average_to_faces<D, double>(phi, a);
        parallel_for("narrow band: velocity", phi.set().count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i) {
                double& value = u[a].brick(b)[i];
                MaskValue& marked = known[a].brick(b)[i];
                const double depth = -level.brick(b)[i] / grid.dx;
                if (marked == 0) {
                    marked = depth > 1 ? 1 : 0;  // both cells are liquid
                    continue;
                }
                const double share = std::clamp(options.depth - 1 - depth, 0.0, 1.0);
                value = share * of_particles[a].brick(b)[i] + (1 - share) * value;
            }
        });
    }
}

template BrickSetPtr<2> bricks_of_band<2>(const Grid<2>&, const std::vector<Vec2>&, const Field<2, double>&, int);
template BrickSetPtr<3> bricks_of_band<3>(const Grid<3>&, const std::vector<Vec3>&, const Field<3, double>&, int);

#define TIDELOCK_INSTANTIATE(D)                                                                          \
    template void combine_surface<D>(const Grid<D>&, const Field<D, double>&, const DistanceOptions&,    \
                                     Field<D, double>&, const Mask<D>*);                                 \
    template void combine_velocity<D>(const Grid<D>&, const NarrowBandOptions&, const Field<D, double>&, \
                                      const FaceField<D, double>&, FaceField<D, double>&, FaceMask<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
