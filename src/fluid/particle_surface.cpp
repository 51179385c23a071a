#include "fluid/particle_surface.h"

#include <limits>
#include <numbers>

#include "base/error.h"
#include "base/math.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

/// Radius of a lone particle [cells].
template <int D>
inline const double lone_radius = 1.02 * 0.5 * std::sqrt(double{D});
/// The unions of spheres between which the smooth surface stays [cells].
constexpr double least_radius = 0.25, greatest_radius = 1.0;
constexpr double kernel_radius = 2;  ///< R [cells]

/// The weighted mean around a point at height z above a flat surface of seeded liquid: 2^D particles in a cell,
/// layers at distance t from the point, z < t < R, whose weight is the integral of k over them.
template <int D>
class FlatSurface {
  public:
    FlatSurface() {
        constexpr int layers = 64 * intervals;
        constexpr double thickness = 2 * kernel_radius / layers;
        std::vector<double> weights, radii;  // as the surface rises through the kernel
        double weight = 0, moment = 0;
        for (int i = 0; i < layers; ++i) {
            const double t = kernel_radius - (i + 0.5) * thickness;
            const double layer = particles_per_cell<D> * layer_weight(t) * thickness;
            weight += layer, moment += layer * t;
            weights.push_back(weight);
            radii.push_back(moment / weight - (t - 0.5 * thickness));
        }
        half_ = 0.5 * weights[layers / 2];
        step_ = (weights.back() - half_) / intervals;
        std::size_t i = 0;
        for (int k = 0; k <= intervals; ++k) {
            while (i + 1 < weights.size() && weights[i] < half_ + k * step_) ++i;
            radii_[static_cast<std::size_t>(k)] = radii[i];
        }
    }

    /// Of the sphere around the mean whose surface is at the height that this sum of weights tells.
    [[nodiscard]] double radius(double weight) const {
        if (weight < half_) {
            const double s = std::max(0.0, (weight - 1) / (half_ - 1));  // a lone particle weighs up to 1
            return lone_radius<D> + s * (radii_[0] - lone_radius<D>);
        }
        const double s = std::min((weight - half_) / step_, double{intervals});
        const auto i = static_cast<std::size_t>(std::min(static_cast<int>(s), intervals - 1));
        return radii_[i] + (s - static_cast<double>(i)) * (radii_[i + 1] - radii_[i]);
    }

  private:
    /// Integral of (1 - (t^2 + y^2) / R^2)^3 over the layer's y: R 32/35 (1 - t^2/R^2)^(7/2), in 3D
    /// R^2 pi/4 (1 - t^2/R^2)^4.
    [[nodiscard]] static double layer_weight(double t) {
        const double rest = 1 - t * t / (kernel_radius * kernel_radius);
        return D == 2 ? kernel_radius * 32 / 35 * power(rest, 3) * std::sqrt(rest)
                      : kernel_radius * kernel_radius * std::numbers::pi / 4 * power(rest, 4);
    }

    static constexpr int intervals = 64;
    double half_, step_;  ///< half of the sum on the surface; from there the table goes up in these steps
    std::array<double, intervals + 1> radii_;
};

/// What a cell's surroundings say without measuring.
enum Occupied : std::uint8_t { not_ringed = 0, ringed = 1, inner = 2 };

/// One brick's surface before redistancing, in cells.
template <int D>
class BrickSurface {
  public:
    BrickSurface(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                 const Mask<D>& occupied, ParticleSurface kind, std::ptrdiff_t slot)
        : grid_(grid), particles_(particles), cells_(cells), kind_(kind), slot_(slot), per_cell_(1 / grid.dx) {
        occupied_.load(occupied.data(), occupied.set().neighbours(slot).data());
    }

    /// phi at a cell of the brick [cells]; at least `far` if no particle is near.
    [[nodiscard]] double at(const Coord<D>& local, double far) const {
        const Occupied state = surroundings(local);
        if (state == inner) return -1;  // neither it nor a neighbour is at the surface: only the sign counts
        if (!anything_near(local)) return far;
        const Vec<D> x = grid_.cell_centre(first_cell<D>(cells_.set().brick(slot_)) + local);
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
    /// Whether a particle is in the two rings of cells around.
    [[nodiscard]] bool anything_near(const Coord<D>& c) const {
        const int place = Marks::at(c[0], c[1], D == 3 ? c[D - 1] : 0);
        unsigned any = 0;
        for (int z = D == 3 ? -2 : 0; z <= (D == 3 ? 2 : 0); ++z)
            for (int y = -2; y <= 2; ++y)
                for (int x = -2; x <= 2; ++x) any |= occupied_.v[place + x + y * Marks::sy + z * Marks::sz];
        return any != 0;
    }
    /// Calls f(y - x) [cells] for the particles y in the rings of cells around.
    template <class F>
    void for_each_near(const Coord<D>& local, const Vec<D>& x, int rings, F&& f) const {
        const Coord<D> reach = Coord<D>::Constant(rings);
        cells_.for_each_run(slot_, local - reach, local + reach, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (auto p = begin; p < end; ++p)
                f(Vec<D>(per_cell_ * (particles_.position[static_cast<std::size_t>(p)] - x)));
        });
    }
    /// Distance to the nearest particle, up to where the second ring of cells ends.
    [[nodiscard]] double nearest(const Coord<D>& local, const Vec<D>& x, double far) const {
        double square = far * far;
        const auto measure = [&](const Vec<D>& away) { square = std::min(square, away.squaredNorm()); };
        for_each_near(local, x, 1, measure);
        if (square > 1.5 * 1.5) for_each_near(local, x, 2, measure);  // nearer ones all lie in the first ring
        return std::sqrt(square);
    }
    [[nodiscard]] double smooth(const Coord<D>& local, const Vec<D>& x, double far) const {
        double weight = 0, square = far * far;
        Vec<D> mean = Vec<D>::Zero();
        for_each_near(local, x, 2, [&](const Vec<D>& away) {
            const double d2 = away.squaredNorm(), rest = 1 - d2 / (kernel_radius * kernel_radius);
            square = std::min(square, d2);
            if (rest <= 0) return;
            const double k = rest * rest * rest;
            weight += k;
            mean += k * away;
        });
        const double d = std::sqrt(square);
        if (weight <= 0) return d - lone_radius<D>;
        static const FlatSurface<D> flat;
        const double radius = flat.radius(weight);
        return std::clamp(mean.norm() / weight - radius, d - greatest_radius, d - least_radius);
    }

    const Grid<D>& grid_;
    const Particles<D>& particles_;
    const ParticleCells<D>& cells_;
    ParticleSurface kind_;
    std::ptrdiff_t slot_;
    double per_cell_;
    Marks occupied_;
};

}  // namespace

template <int D>
Field<D, double> surface_of_particles(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                                      ParticleSurface kind, const DistanceOptions& options, const Mask<D>* ways) {
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
    redistance<D, double>(phi, grid, options, ways);
    return phi;
}

#define TIDELOCK_INSTANTIATE(D)                                                                                     \
    template Field<D, double> surface_of_particles<D>(const Grid<D>&, const Particles<D>&, const ParticleCells<D>&, \
                                                      ParticleSurface, const DistanceOptions&, const Mask<D>*)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
