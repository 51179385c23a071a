#include "fluid/particle_surface.h"

#include <limits>
#include <numbers>

#include "base/error.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

/// Radius of a lone particle [cells].
template <int D>
inline const double lone_radius = 1.02 * 0.5 * std::sqrt(double{D});
/// The unions of spheres between which the smooth surface stays [cells].
constexpr double least_radius = 0.25, greatest_radius = 1.0;
constexpr double kernel_radius = 2;  ///< R [cells]

/// Depth of the weighted mean below a flat surface, for a point on it [cells]: the first moment of k over half a ball.
/// With the integrals of s^n (1 - s^2)^3: 1/8 (n = 1), 16/315 (n = 2), 1/40 (n = 3).
template <int D>
inline constexpr double flat_depth = kernel_radius*(D == 2 ? (16. / 315) / (1. / 8) * 2 / std::numbers::pi
                                                           : (1. / 40) / (16. / 315) / 2);
/// Sum of the weights there: 2^D particles in a cell, half a ball.
template <int D>
inline constexpr double flat_weight =
    0.5 * particles_per_cell<D>*(D == 2
                                     ? 2 * std::numbers::pi * kernel_radius * kernel_radius / 8
                                     : 4 * std::numbers::pi * kernel_radius * kernel_radius * kernel_radius * 16 / 315);

/// What a cell's surroundings say without measuring.
enum Occupied : std::uint8_t { not_ringed = 0, ringed = 1, inner = 2 };

/// One brick's surface before redistancing, in cells.
template <int D>
class BrickSurface {
  public:
    BrickSurface(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                 const Mask<D>& occupied, ParticleSurface kind, std::ptrdiff_t slot)
        : grid_(grid), particles_(particles), cells_(cells), kind_(kind), slot_(slot) {
        occupied_.load(occupied.data(), occupied.set().neighbours(slot).data());
    }

    /// phi at a cell of the brick [cells]; at least `far` if no particle is near.
    [[nodiscard]] double at(const Coord<D>& local, double far) const {
        const Occupied state = surroundings(local);
        if (state == inner) return -1;  // neither it nor a neighbour is at the surface: only the sign counts
        const Vec<D> x = grid_.to_cells(grid_.cell_centre(first_cell<D>(cells_.set().brick(slot_)) + local));
        if (kind_ == ParticleSurface::smooth) {
            const double found = smooth(local, x, far);
            if (state != ringed || found < 0) return found;
        }
        return nearest(local, x, far) - lone_radius<D>;
    }

  private:
    using Marks = HaloBuffer<D, 2, MaskValue>;

    [[nodiscard]] bool all_around(int place) const {
        for (int z = D == 3 ? -1 : 0; z <= (D == 3 ? 1 : 0); ++z)
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x)
                    if (occupied_.v[place + x + y * Marks::sy + z * Marks::sz] == 0) return false;
        return true;
    }
    [[nodiscard]] Occupied surroundings(const Coord<D>& c) const {
        const int place = Marks::at(c[0], c[1], D == 3 ? c[D - 1] : 0);
        if (!all_around(place)) return not_ringed;
        for (int a = 0; a < D; ++a)
            for (const int side : {-1, 1})
                if (!all_around(place + side * Marks::stride(a))) return ringed;
        return inner;
    }
    template <class F>
    void for_each_near(const Coord<D>& local, int rings, F&& f) const {
        const Coord<D> reach = Coord<D>::Constant(rings);
        cells_.for_each_run(slot_, local - reach, local + reach, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (auto p = begin; p < end; ++p) f(grid_.to_cells(particles_.position[static_cast<std::size_t>(p)]));
        });
    }
    /// Distance to the nearest particle, up to where the second ring of cells ends.
    [[nodiscard]] double nearest(const Coord<D>& local, const Vec<D>& x, double far) const {
        double square = far * far;
        const auto measure = [&](const Vec<D>& y) { square = std::min(square, (y - x).squaredNorm()); };
        for_each_near(local, 1, measure);
        if (square > 1.5 * 1.5) for_each_near(local, 2, measure);  // nearer ones all lie in the first ring
        return std::sqrt(square);
    }
    [[nodiscard]] double smooth(const Coord<D>& local, const Vec<D>& x, double far) const {
        double weight = 0, square = far * far;
        Vec<D> mean = Vec<D>::Zero();
        for_each_near(local, 2, [&](const Vec<D>& y) {
            const double d2 = (y - x).squaredNorm(), rest = 1 - d2 / (kernel_radius * kernel_radius);
            square = std::min(square, d2);
            if (rest <= 0) return;
            const double k = rest * rest * rest;
            weight += k;
            mean += k * (y - x);
        });
        const double d = std::sqrt(square);
        if (weight <= 0) return d - lone_radius<D>;
        const double filled = std::min(1.0, weight / flat_weight<D>);
        const double radius = lone_radius<D> + filled * (flat_depth<D> - lone_radius<D>);
        return std::clamp(mean.norm() / weight - radius, d - greatest_radius, d - least_radius);
    }

    const Grid<D>& grid_;
    const Particles<D>& particles_;
    const ParticleCells<D>& cells_;
    ParticleSurface kind_;
    std::ptrdiff_t slot_;
    Marks occupied_;
};

}  // namespace

template <int D>
Field<D, double> surface_of_particles(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                                      ParticleSurface kind, const DistanceOptions& options) {
    const auto& set = cells.set();
    const double far = options.band;
    Mask<D> occupied(cells.set_ptr(), 0);
    parallel_for("surface: occupied cells", set.count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i) occupied.brick(b)[i] = cells.count(b, i) > 0 ? 1 : 0;
    });
    Field<D, double> phi(cells.set_ptr(), far * grid.dx);
    parallel_for("surface: distance to particles", set.count(), [&](std::ptrdiff_t b) {
        const BrickSurface<D> surface(grid, particles, cells, occupied, kind, b);
        for (int i = 0; i < Brick<D>::cells; ++i)
            phi.brick(b)[i] = grid.dx * std::min(far, surface.at(local_coord<D>(i), far));
    });
    (void)redistance<D, double>(phi, grid, options);
    return phi;
}

template <int D>
void extend_into_solids(const Grid<D>& grid, const Field<D, std::uint8_t>& solid, Field<D, double>& phi) {
    TIDELOCK_ASSERT(phi.set() == solid.set(), "phi has {} bricks, solid {}", phi.set().count(), solid.set().count());
    const double half = 0.5 * grid.dx;
    parallel_for("extend into solids", phi.set().count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (solid.brick(b)[i] != 0 && phi.brick(b)[i] < half && phi.brick(b)[i] > -half) phi.brick(b)[i] = -half;
    });
}

#define TIDELOCK_INSTANTIATE(D)                                                                                     \
    template Field<D, double> surface_of_particles<D>(const Grid<D>&, const Particles<D>&, const ParticleCells<D>&, \
                                                      ParticleSurface, const DistanceOptions&);                     \
    template void extend_into_solids<D>(const Grid<D>&, const Field<D, std::uint8_t>&, Field<D, double>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
