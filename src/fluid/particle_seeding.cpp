#include "fluid/particle_seeding.h"

#include <algorithm>
#include <limits>
#include <span>

#include "fluid/jitter.h"
#include "fluid/particle_transfer.h"
#include "fluid/visible_surface.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

/// Of the first of the closest pairs, the later one.
template <int D>
std::size_t later_of_closest(const std::vector<std::size_t>& list, const std::vector<Vec<D>>& position) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t found = list.size() - 1;
    for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i + 1; j < list.size(); ++j) {
            const double d = (position[list[i]] - position[list[j]]).squaredNorm();
            if (d < least) least = d, found = j;
        }
    return found;
}

/// Bit n: a particle is in part n of the cell.
template <int D>
unsigned occupied_parts(const Grid<D>& grid, const Coord<D>& cell, std::span<const Vec<D>> there) {
    unsigned bits = 0;
    for (const Vec<D>& x : there) {
        const Vec<D> local = grid.to_cells(x) - cell.template cast<double>();
        int part = 0;
        for (int a = 0; a < D; ++a) part |= (local[a] >= 0.5 ? 1 : 0) << a;
        bits |= 1u << part;
    }
    return bits;
}

/// What bricks found, in the order of the bricks.
template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& found) {
    std::vector<T> out;
    for (const auto& list : found) out.insert(out.end(), list.begin(), list.end());
    return out;
}

template <int D>
Particles<D> at_rest(std::vector<Vec<D>> position, bool with_affine) {
    Particles<D> out;
    out.with_affine = with_affine;
    out.position = std::move(position);
    out.velocity.assign(out.position.size(), Vec<D>::Zero());
    if (with_affine) out.affine.assign(out.position.size(), Mat<D>::Zero());
    return out;
}

/// A place for a new particle.
template <int D>
struct Place {
    Vec<D> x;    ///< [m]
    double phi;  ///< there [m]
};

/// A particle that may go.
struct Spare {
    std::size_t particle;
    std::size_t crowd;  ///< particles of its cell that are left when it goes, itself included
};

/// Leaves as many of one as of the other: the deepest places, the spares of the fullest cells.
template <int D>
void balance(std::vector<Place<D>>& places, std::vector<Spare>& spares) {
    const std::size_t count = std::min(places.size(), spares.size());
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.phi < b.phi; });
    std::stable_sort(spares.begin(), spares.end(), [](const auto& a, const auto& b) { return a.crowd > b.crowd; });
    places.resize(count);
    spares.resize(count);
}

/// What a brick's cells lack and have too much of.
template <int D>
struct Findings {
    std::vector<Place<D>> holes;
    std::vector<Spare> crowds;
};

/// Looks for it; particles below the band are marked as gone.
template <int D>
class BrickSurvey {
  public:
    BrickSurvey(const LiquidView<D>& liquid, const ParticleCells<D>& cells, const ResampleOptions<D>& options,
                const Particles<D>& particles, std::vector<char>& gone)
        : liquid_(liquid),
          cells_(cells),
          options_(options),
          position_(particles.position),
          gone_(gone),
          jitter_(options.seed, options.round + 1),  // round 0 filled the liquid
          surface_(liquid.phi, Centring<D>::cell(), liquid.grid),
          visible_(liquid.grid, liquid.phi, liquid.solids) {}

    Findings<D> look(std::ptrdiff_t brick) {
        const Grid<D>& grid = liquid_.grid;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(cells_.set().brick(brick)) + local_coord<D>(i);
            if (!grid.contains(cell)) continue;
            const auto first = static_cast<std::size_t>(cells_.first(brick, i));
            const auto count = static_cast<std::size_t>(cells_.count(brick, i));
            // phi is a distance: beyond half a diagonal of the cell's centre it cannot be deeper.
            const double phi = liquid_.phi.brick(brick)[i], reach = 0.5 * std::sqrt(double{D}) * grid.dx;
            const bool at_bottom = phi < -options_.deepest * grid.dx + reach;
            if (at_bottom) drop_deep(first, count);
            if (count > static_cast<std::size_t>(options_.most)) thin(first, count);
            if (count >= static_cast<std::size_t>(options_.least) || at_bottom) continue;
            // phi is a distance: no point of the cell lies deep enough. Most cells in the air end here.
            if (phi < reach - options_.depth * grid.dx) fill(cell, first, count);
        }
        return std::move(found_);
    }

  private:
    void drop_deep(std::size_t first, std::size_t count) {
        const double bottom = -options_.deepest * liquid_.grid.dx;
        for (std::size_t p = first; p < first + count; ++p)
            gone_[p] = surface_.linear(liquid_.grid.to_cells(position_[p])) < bottom;
    }
    void thin(std::size_t first, std::size_t count) {
        std::vector<std::size_t> list;
        for (std::size_t p = first; p < first + count; ++p)
            if (gone_[p] == 0) list.push_back(p);
        while (list.size() > static_cast<std::size_t>(options_.most)) {
            const auto later = later_of_closest<D>(list, position_);
            found_.crowds.push_back({list[later], list.size()});
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(later));
        }
    }
    void fill(const Coord<D>& cell, std::size_t first, std::size_t count) {
        const Grid<D>& grid = liquid_.grid;
        const std::span<const Vec<D>> there(position_.data() + first, count);
        auto left = particles_per_cell<D> - static_cast<int>(count);
        const unsigned occupied = occupied_parts<D>(grid, cell, there);
        for (int part = 0; part < particles_per_cell<D> && left > 0; ++part) {
            if ((occupied >> part & 1) != 0) continue;
            const Vec<D> world = grid.to_world(jitter_.point(cell, part));
            if (liquid_.solids != nullptr && liquid_.solids->distance_after(world) < options_.clearance * grid.dx)
                continue;
            const double value = visible_.read(world);
            if (!(value < -options_.depth * grid.dx)) continue;
            found_.holes.push_back({world, value});
            --left;
        }
    }

    const LiquidView<D>& liquid_;
    const ParticleCells<D>& cells_;
    const ResampleOptions<D>& options_;
    const std::vector<Vec<D>>& position_;
    std::vector<char>& gone_;
    Jitter<D> jitter_;
    Sampler<D, double> surface_;
    VisibleSurface<D> visible_;
    Findings<D> found_;
};

}  // namespace

template <int D>
Particles<D> seed_particles(const Grid<D>& grid, const DistanceFunction<D>& liquid, std::uint64_t seed,
                            bool with_affine) {
    const auto set = activate_shape<D>(grid, liquid, 0);
    const Jitter<D> jitter(seed, 0);
    const double half_diagonal = 0.5 * std::sqrt(double{D}) * grid.dx;
    std::vector<std::vector<Vec<D>>> found(static_cast<std::size_t>(set->count()));
    parallel_for("seed particles", set->count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(set->brick(b)) + local_coord<D>(i);
            if (!grid.contains(cell)) continue;
            const double middle = liquid(grid.cell_centre(cell));
            if (middle > half_diagonal) continue;
            for (int part = 0; part < particles_per_cell<D>; ++part) {
                const Vec<D> x = grid.to_world(jitter.point(cell, part));
                if (middle < -half_diagonal || liquid(x) < 0) found[static_cast<std::size_t>(b)].push_back(x);
            }
        }
    });
    return at_rest<D>(joined(found), with_affine);
}

template <int D>
std::ptrdiff_t carve_particles(Particles<D>& particles, const DistanceFunction<D>& solid, double clearance) {
    std::vector<char> gone(particles.position.size());
    constexpr std::size_t block = 4096;
    parallel_for("carve particles", static_cast<std::ptrdiff_t>((gone.size() + block - 1) / block),
                 [&](std::ptrdiff_t k) {
                     const auto first = static_cast<std::size_t>(k) * block;
                     for (std::size_t p = first; p < std::min(first + block, gone.size()); ++p)
                         gone[p] = solid(particles.position[p]) < clearance;
                 });
    remove_particles(particles, gone);
    return std::count(gone.begin(), gone.end(), 1);
}

template <int D>
ResampleReport resample_particles(const LiquidView<D>& liquid, const ParticleCells<D>& cells,
                                  const ResampleOptions<D>& options, Particles<D>& particles) {
    std::vector<Findings<D>> found(static_cast<std::size_t>(cells.set().count()));
    std::vector<char> gone(particles.position.size());
    parallel_for("resample particles", cells.set().count(), [&](std::ptrdiff_t b) {
        found[static_cast<std::size_t>(b)] = BrickSurvey<D>(liquid, cells, options, particles, gone).look(b);
    });
    std::vector<Place<D>> places;
    std::vector<Spare> spares;
    for (const auto& [holes, crowds] : found) {
        places.insert(places.end(), holes.begin(), holes.end());
        spares.insert(spares.end(), crowds.begin(), crowds.end());
    }
    if (options.keep_count) balance<D>(places, spares);
    for (const Spare& spare : spares) gone[spare.particle] = 1;
    std::vector<Vec<D>> position;
    position.reserve(places.size());
    for (const Place<D>& place : places) position.push_back(place.x);
    auto fresh = at_rest<D>(std::move(position), particles.with_affine);
    read_velocity<D>(liquid.grid, liquid.velocity, fresh);
    remove_particles(particles, gone);
    particles.append(fresh);
    return {fresh.size(), std::count(gone.begin(), gone.end(), 1)};
}

#define TIDELOCK_INSTANTIATE(D)                                                                               \
    template Particles<D> seed_particles<D>(const Grid<D>&, const DistanceFunction<D>&, std::uint64_t, bool); \
    template std::ptrdiff_t carve_particles<D>(Particles<D>&, const DistanceFunction<D>&, double);            \
    template ResampleReport resample_particles<D>(const LiquidView<D>&, const ParticleCells<D>&,              \
                                                  const ResampleOptions<D>&, Particles<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
