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
ResampleReport resample_particles(const Grid<D>& grid, const Field<D, double>& phi,
                                  const FaceField<D, double>& velocity, const Obstacles<D>* solids,
                                  const ParticleCells<D>& cells, const ResampleOptions<D>& options,
                                  Particles<D>& particles) {
    const auto& set = cells.set();
    const Jitter<D> jitter(options.seed, options.round + 1);  // round 0 filled the liquid
    std::vector<std::vector<Place<D>>> holes(static_cast<std::size_t>(set.count()));
    std::vector<std::vector<Spare>> crowds(holes.size());
    std::vector<char> gone(particles.position.size());
    parallel_for("resample particles", set.count(), [&](std::ptrdiff_t b) {
        Sampler<D, double> surface(phi, Centring<D>::cell(), grid);
        VisibleSurface<D> visible(grid, phi, solids);
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            if (!grid.contains(cell)) continue;
            const auto first = static_cast<std::size_t>(cells.first(b, i));
            const auto count = static_cast<std::size_t>(cells.count(b, i));
            // phi is a distance: beyond half a diagonal of the cell's centre it cannot be deeper.
            const double bottom = -options.deepest * grid.dx, reach = 0.5 * std::sqrt(double{D}) * grid.dx;
            const bool at_bottom = phi.brick(b)[i] < bottom + reach;
            if (at_bottom)
                for (std::size_t p = first; p < first + count; ++p)
                    gone[p] = surface.linear(grid.to_cells(particles.position[p])) < bottom;
            if (count > static_cast<std::size_t>(options.most)) {
                std::vector<std::size_t> list;
                for (std::size_t p = first; p < first + count; ++p)
                    if (gone[p] == 0) list.push_back(p);
                while (list.size() > static_cast<std::size_t>(options.most)) {
                    const auto later = later_of_closest<D>(list, particles.position);
                    crowds[static_cast<std::size_t>(b)].push_back({list[later], list.size()});
                    list.erase(list.begin() + static_cast<std::ptrdiff_t>(later));
                }
            }
            if (count >= static_cast<std::size_t>(options.least) || at_bottom) continue;
            // phi is a distance: no point of the cell lies deep enough. Most cells in the air end here.
            if (!(phi.brick(b)[i] < reach - options.depth * grid.dx)) continue;
            const std::span<const Vec<D>> there(particles.position.data() + first, count);
            auto left = particles_per_cell<D> - static_cast<int>(count);
            const unsigned occupied = occupied_parts<D>(grid, cell, there);
            for (int part = 0; part < particles_per_cell<D> && left > 0; ++part) {
                if ((occupied >> part & 1) != 0) continue;
                const Vec<D> world = grid.to_world(jitter.point(cell, part));
                if (solids != nullptr && solids->distance_after(world) < options.clearance * grid.dx) continue;
                const double value = visible.read(world);
                if (!(value < -options.depth * grid.dx)) continue;
                holes[static_cast<std::size_t>(b)].push_back({world, value});
                --left;
            }
        }
    });
    std::vector<Place<D>> places = joined(holes);
    std::vector<Spare> spares = joined(crowds);
    if (options.keep_count) balance<D>(places, spares);
    for (const Spare& spare : spares) gone[spare.particle] = 1;
    std::vector<Vec<D>> position;
    position.reserve(places.size());
    for (const Place<D>& place : places) position.push_back(place.x);
    auto fresh = at_rest<D>(std::move(position), particles.with_affine);
    read_velocity<D>(grid, velocity, fresh);
    remove_particles(particles, gone);
    particles.append(fresh);
    return {fresh.size(), std::count(gone.begin(), gone.end(), 1)};
}

#define TIDELOCK_INSTANTIATE(D)                                                                               \
    template Particles<D> seed_particles<D>(const Grid<D>&, const DistanceFunction<D>&, std::uint64_t, bool); \
    template std::ptrdiff_t carve_particles<D>(Particles<D>&, const DistanceFunction<D>&, double);            \
    template ResampleReport resample_particles<D>(const Grid<D>&, const Field<D, double>&,                    \
                                                  const FaceField<D, double>&, const Obstacles<D>*,           \
                                                  const ParticleCells<D>&, const ResampleOptions<D>&, Particles<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
