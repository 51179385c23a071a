#include "fluid/particle_level_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fluid/visible_surface.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

constexpr std::ptrdiff_t marker_block = 1024;  ///< markers that one task works on
constexpr int attraction_tries = 5;            ///< [EFFM02] section 3.1

template <int D>
Sampler<D, double> sampler_of(const Grid<D>& grid, const Field<D, double>& phi) {
    return {phi, Centring<D>::cell(), grid};
}

/// phi as a marker sees it: not through walls between cells.
template <int D>
class SeenLevel {
  public:
    SeenLevel(const Grid<D>& grid, const Field<D, double>& phi, const MarkerSpace<D>& space)
        : grid_(grid),
          phi_(phi),
          space_(space),
          sampler_(sampler_of<D>(grid, phi)),
          visible_(grid, phi, space.obstacles) {}

    /// x [m].
    [[nodiscard]] double read(const Vec<D>& x) {
        const Vec<D> place = grid_.to_cells(x);
        if (space_.obstacles == nullptr || space_.ways == nullptr) return sampler_.linear(place);
        if (near_wall(place))
            if (const double seen = visible_.read(x); std::isfinite(seen)) return seen;
        return without_dry_cells(place);
    }
    /// Whether a wall comes between cells of the fluid around a point [cells]: not all of them are one space.
    [[nodiscard]] bool near_wall(const Vec<D>& x) const {
        if (space_.obstacles == nullptr || space_.ways == nullptr) return false;
        const auto centring = Centring<D>::cell();
        const LinearStencil<D> stencil(centring, grid_.last_index(centring), x);
        constexpr unsigned ends = 1 << D;
        std::array<unsigned, ends> ways;
        unsigned open = (1u << (2 * D)) - 1, fluid = 0;
        for (unsigned n = 0; n < ends; ++n) {
            const Coord<D> cell = stencil.sample(static_cast<int>(n));
            ways[n] = space_.ways->at(cell);
            open &= ways[n];
            if (is_fluid(cell)) fluid |= 1u << n;
        }
        if (open == (1u << (2 * D)) - 1) return false;
        unsigned reached = fluid & (~fluid + 1);  // from the first of them on
        for (unsigned before = 0; reached != before;) {
            before = reached;
            for (unsigned n = 0; n < ends; ++n)
                for (int a = 0; a < D; ++a) {
                    const unsigned side = n >> a & 1u, bit = 2 * static_cast<unsigned>(a) + 1 - side;
                    if ((reached >> n & 1u) != 0 && (ways[n] >> bit & 1u) != 0) reached |= 1u << (n ^ 1u << a);
                }
        }
        return (fluid & ~reached) != 0;
    }
    /// Cells without a pressure belong to no side.
    [[nodiscard]] double without_dry_cells(const Vec<D>& x) {
        const auto centring = Centring<D>::cell();
        const LinearStencil<D> stencil(centring, grid_.last_index(centring), x);
        double sum = 0, weight = 0;
        bool any = false;
        for (int n = 0; n < (1 << D); ++n) {
            const Coord<D> cell = stencil.sample(n);
            if (space_.ways->at(cell) == 0) {
                any = true;
                continue;
            }
            sum += stencil.weight(n) * phi_.at(cell);
            weight += stencil.weight(n);
        }
        return any && weight > 0 ? sum / weight : sampler_.linear(x);
    }
    [[nodiscard]] bool is_fluid(const Coord<D>& cell) const {
        return space_.solid == nullptr || space_.solid->at(cell) == 0;
    }

  private:
    const Grid<D>& grid_;
    const Field<D, double>& phi_;
    const MarkerSpace<D>& space_;
    Sampler<D, double> sampler_;
    VisibleSurface<D> visible_;
};

/// phi at each marker.
template <int D>
std::vector<double> levels_at(const Grid<D>& grid, const Field<D, double>& phi, const MarkerSpace<D>& space,
                              const std::vector<Vec<D>>& points) {
    std::vector<double> levels(points.size());
    const auto n = static_cast<std::ptrdiff_t>(points.size());
    parallel_for("markers: levels", (n + marker_block - 1) / marker_block, [&](std::ptrdiff_t k) {
        SeenLevel<D> seen(grid, phi, space);
        for (auto p = k * marker_block; p < std::min((k + 1) * marker_block, n); ++p)
            levels[static_cast<std::size_t>(p)] = seen.read(points[static_cast<std::size_t>(p)]);
    });
    return levels;
}

bool is_escaped(double level, double radius, std::int8_t sign) { return sign * level < -radius; }

template <int D>
double radius_for(const Grid<D>& grid, const MarkerOptions& options, double level) {
    return std::clamp(std::abs(level), options.least_radius * grid.dx, options.greatest_radius * grid.dx);
}

/// Draws for the markers of a cell: the same whatever else is drawn.
template <int D>
class CellDraws {
  public:
    CellDraws(const Random& random, const Coord<D>& cell, int number) : random_(random), number_(number) {
        // Cell coordinates have at most 24 bits (check_grid): 64 of theirs name the index, the rest the lane.
        index_ = static_cast<std::uint64_t>(cell[0]) | static_cast<std::uint64_t>(cell[1]) << 24;
        if constexpr (D == 3) {
            index_ |= static_cast<std::uint64_t>(cell[2] & 0xFFFF) << 48;
            high_ = static_cast<std::uint32_t>(cell[2] >> 16) << 16;
        }
    }
    [[nodiscard]] double operator()(int which) const {
        return random_.uniform(index_, high_ | static_cast<std::uint32_t>(number_ * (D + 1) + which));
    }

  private:
    const Random& random_;
    int number_;
    std::uint64_t index_;
    std::uint32_t high_ = 0;
};

/// Moves x [cell units] along the gradient towards phi = `goal` [m], until it lies within the band on the right side
/// ([EFFM02] section 3.1). A way that would leave the domain is halved. False if it does not get there.
template <int D>
bool attract(const Grid<D>& grid, const MarkerOptions& options, Sampler<D, double>& phi, double goal, Vec<D>& x) {
    const double least = options.least_radius * grid.dx, most = options.band * grid.dx;
    double share = 1;
    for (int attempt = 0; attempt < attraction_tries; ++attempt) {
        Vec<D> gradient;
        const double level = phi.linear(x, gradient);
        const double square = gradient.squaredNorm();
        if (!(square > 0)) return false;
        const Vec<D> next = x + share * (goal - level) / square * gradient;
        if (!((next.array() > 0).all() && (next.array() < grid.cells.template cast<double>().array()).all())) {
            share *= 0.5;
            continue;
        }
        x = next;
        const double there = (goal > 0 ? 1 : -1) * phi.linear(x);
        if (there >= least && there <= most) return true;
    }
    return false;
}

/// Whether the cell at a place of the values lies in a solid, or a neighbour across a face does, is behind a wall or not
/// in the domain.
template <int D>
bool touches_wall(const Grid<D>& grid, const BrickSet<D>& set, const MarkerSpace<D>& space, std::size_t place) {
    const auto slot = static_cast<std::ptrdiff_t>(place / Brick<D>::cells);
    const Coord<D> cell = first_cell<D>(set.brick(slot)) + local_coord<D>(static_cast<int>(place % Brick<D>::cells));
    if ((cell.array() == 0).any() || (cell.array() == grid.cells.array() - 1).any()) return true;
    if (space.ways != nullptr && space.ways->at(cell) != (1u << (2 * D)) - 1) return true;
    if (space.solid == nullptr) return false;
    const Mask<D>& solid = *space.solid;
    if (solid.at(cell) != 0) return true;
    for (int a = 0; a < D; ++a)
        for (const int side : {-1, 1}) {
            Coord<D> next = cell;
            next[a] += side;
            if (solid.at(next) != 0) return true;
        }
    return false;
}

/// Markers of each sign in the cells of a brick.
template <int D>
using MarkerCounts = std::array<std::array<std::uint16_t, 2>, Brick<D>::cells>;

/// Removes markers that left the band, air that is drowned and, where a cell holds more of a sign than it should, those
/// farthest from the surface ([EFFM02]); escaped drops stay. The others are then sorted by cell. Counts per brick, and
/// one more for what lies beyond the bricks.
template <int D>
std::vector<MarkerCounts<D>> thin_markers(const Grid<D>& grid, const MarkerOptions& options,
                                          const Field<D, double>& phi, const MarkerSpace<D>& space,
                                          Markers<D>& markers) {
    const auto& set = phi.set();
    const auto levels = levels_at<D>(grid, phi, space, markers.position);
    struct Entry {
        std::int32_t slot, local;
        std::size_t index;
    };
    std::vector<Entry> order;
    for (std::size_t p = 0; p < levels.size(); ++p) {
        const bool escaped = is_escaped(levels[p], markers.radius[p], markers.sign[p]);
        const bool drowned = markers.sign[p] > 0 && levels[p] < -options.drowned * grid.dx;
        if (drowned || (!escaped && std::abs(levels[p]) > options.band * grid.dx)) continue;
        const Coord<D> cell = particle_cell<D>(grid, markers.position[p]);
        order.push_back({set.find(brick_of<D>(cell)), local_index<D>(cell), p});
    }
    std::sort(order.begin(), order.end(), [&](const Entry& a, const Entry& b) {
        if (a.slot != b.slot) return a.slot < b.slot;
        if (a.local != b.local) return a.local < b.local;
        // Escaped ones come first.
        const double near_a = markers.sign[a.index] * levels[a.index] - markers.radius[a.index];
        const double near_b = markers.sign[b.index] * levels[b.index] - markers.radius[b.index];
        return near_a != near_b ? near_a < near_b : a.index < b.index;
    });
    std::vector<MarkerCounts<D>> counts(static_cast<std::size_t>(set.count()) + 1);
    Markers<D> kept;
    for (const auto& [slot, local, p] : order) {
        auto& count = counts[static_cast<std::size_t>(slot)][static_cast<std::size_t>(local)][markers.sign[p] > 0];
        if (count >= markers_per_cell<D> && !is_escaped(levels[p], markers.radius[p], markers.sign[p])) continue;
        ++count;
        kept.position.push_back(markers.position[p]);
        kept.radius.push_back(markers.radius[p]);
        kept.sign.push_back(markers.sign[p]);
    }
    markers = std::move(kept);
    return counts;
}

/// New radii for the markers on their own side; how many are escaped.
template <int D>
std::ptrdiff_t renew_radii(const Grid<D>& grid, const MarkerOptions& options, const MarkerSpace<D>& space,
                           const Field<D, double>& phi, Markers<D>& markers) {
    const auto levels = levels_at<D>(grid, phi, space, markers.position);
    std::ptrdiff_t escaped = 0;
    for (std::size_t p = 0; p < levels.size(); ++p) {
        if (is_escaped(levels[p], markers.radius[p], markers.sign[p])) {
            ++escaped;
        } else if (markers.sign[p] * levels[p] > 0) {
            markers.radius[p] = radius_for<D>(grid, options, levels[p]);
        }
    }
    return escaped;
}

/// `carried` in solids becomes what it was before, `phi`: the level goes on where the liquid cannot. Next to the fluid,
/// where that has come to differ from what the fluid's cells say by more than half a cell, these count: the mean of the
/// values that go on straight from them.
template <int D>
void continue_into_solids(const Grid<D>& grid, const Field<D, std::uint8_t>& solid, const Field<D, double>& phi,
                          Field<D, double>& carried) {
    const auto& set = carried.set();
    const double band = carried.background();
    parallel_for("level set in solids", set.count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (solid.brick(b)[i] == 0) continue;
            const Coord<D> cell = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            const double old = phi.brick(b)[i];
            double sum = 0;
            int count = 0;
            const auto fluid = [&](const Coord<D>& at) {
                return grid.contains(at) && carried.active(at) && solid.at(at) == 0;
            };
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    Coord<D> near = cell, next = cell;
                    near[a] += step;
                    next[a] += 2 * step;
                    if (!fluid(near)) continue;
                    sum += fluid(next) ? 2 * carried.at(near) - carried.at(next) : carried.at(near);
                    ++count;
                }
            const double guess = count > 0 ? std::clamp(sum / count, -band, band) : old;
            carried.brick(b)[i] = std::abs(guess - old) > 0.5 * grid.dx ? guess : old;
        }
    });
}

}  // namespace

template <int D>
void reseed_markers(const Grid<D>& grid, const MarkerOptions& options, const Field<D, double>& phi, std::uint64_t round,
                    Markers<D>& markers, const MarkerSpace<D>& space) {
    const auto counts = thin_markers<D>(grid, options, phi, space, markers);
    const auto& set = phi.set();
    const Random random(options.seed + 0x9E3779B97F4A7C15u * round);
    std::vector<Markers<D>> found(static_cast<std::size_t>(set.count()));
    parallel_for("markers: seed", set.count(), [&](std::ptrdiff_t b) {
        auto sampler = sampler_of<D>(grid, phi);
        SeenLevel<D> seen(grid, phi, space);
        auto& list = found[static_cast<std::size_t>(b)];
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            if (!grid.contains(cell) || std::abs(phi.brick(b)[i]) > options.band * grid.dx) continue;
            for (const std::int8_t sign : {std::int8_t{-1}, std::int8_t{1}}) {
                const int there = counts[static_cast<std::size_t>(b)][static_cast<std::size_t>(i)][sign > 0];
                for (int k = there; k < markers_per_cell<D>; ++k) {
                    const CellDraws<D> draw(random, cell, 2 * k + (sign > 0));
                    Vec<D> x;
                    for (int a = 0; a < D; ++a) x[a] = cell[a] + draw(a);
                    const double goal =
                        sign * grid.dx * (options.least_radius + draw(D) * (options.band - options.least_radius));
                    if (!attract<D>(grid, options, sampler, goal, x)) continue;
                    const double level = seen.read(grid.to_world(x));
                    if (!(sign * level > 0)) continue;
                    list.position.push_back(grid.to_world(x));
                    list.radius.push_back(radius_for<D>(grid, options, level));
                    list.sign.push_back(sign);
                }
            }
        }
    });
    for (const auto& list : found) {
        markers.position.insert(markers.position.end(), list.position.begin(), list.position.end());
        markers.radius.insert(markers.radius.end(), list.radius.begin(), list.radius.end());
        markers.sign.insert(markers.sign.end(), list.sign.begin(), list.sign.end());
    }
}

template <int D>
std::ptrdiff_t correct_by_markers(const Grid<D>& grid, const MarkerSpace<D>& space, const Markers<D>& markers,
                                  Field<D, double>& phi) {
    const auto levels = levels_at<D>(grid, phi, space, markers.position);
    const SeenLevel<D> seen(grid, phi, space);
    // Escaped markers are few; least and greatest values do not depend on the order either.
    struct Bounds {
        double least, greatest;  ///< phi^- and phi^+
    };
    std::vector<std::pair<std::size_t, Bounds>> touched;  // place in phi's values
    std::ptrdiff_t escaped = 0;
    for (std::size_t p = 0; p < levels.size(); ++p) {
        if (!is_escaped(levels[p], markers.radius[p], markers.sign[p])) continue;
        ++escaped;
        const Vec<D> x = grid.to_cells(markers.position[p]);
        const Coord<D> low = (x.array() - 0.5).floor().template cast<int>();
        const bool near_wall = seen.near_wall(x);
        for (int n = 0; n < (1 << D); ++n) {
            Coord<D> cell = low;
            for (int a = 0; a < D; ++a) cell[a] += n >> a & 1;
            if (!grid.contains(cell) || !phi.active(cell)) continue;
            if (near_wall && (seen.is_fluid(cell) || space.ways->at(cell) == 0) &&
                space.obstacles->hides_after(markers.position[p], grid.cell_centre(cell)))
                continue;
            const double sphere =
                markers.sign[p] * (markers.radius[p] - (grid.cell_centre(cell) - markers.position[p]).norm());
            const double value = phi.at(cell);
            const auto place = static_cast<std::size_t>(&phi.ref(cell) - phi.data());
            if (markers.sign[p] > 0)
                touched.push_back({place, {value, std::max(value, sphere)}});
            else
                touched.push_back({place, {std::min(value, sphere), value}});
        }
    }
    std::stable_sort(touched.begin(), touched.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < touched.size();) {
        const std::size_t place = touched[i].first;
        Bounds bounds = touched[i].second;
        for (; i < touched.size() && touched[i].first == place; ++i) {
            bounds.least = std::min(bounds.least, touched[i].second.least);
            bounds.greatest = std::max(bounds.greatest, touched[i].second.greatest);
        }
        const bool liquid =
            touches_wall<D>(grid, phi.set(), space, place) || std::abs(bounds.least) < std::abs(bounds.greatest);
        phi.data()[place] = liquid ? bounds.least : bounds.greatest;
    }
    return escaped;
}

template <int D>
void remove_markers(Markers<D>& markers, const std::vector<char>& gone) {
    std::size_t kept = 0;
    for (std::size_t p = 0; p < gone.size(); ++p) {
        if (gone[p] != 0) continue;
        markers.position[kept] = markers.position[p];
        markers.radius[kept] = markers.radius[p];
        markers.sign[kept++] = markers.sign[p];
    }
    markers.position.resize(kept), markers.radius.resize(kept), markers.sign.resize(kept);
}

template <int D>
LevelSetReport advance_level_set(const Wind<D>& wind, const MarkerOptions& options, const MarkerSpace<D>& space,
                                 Field<D, double>& phi, Markers<D>& markers) {
    const Grid<D>& grid = wind.grid;
    const Mask<D>* solid = space.solid;
    TIDELOCK_ASSERT(wind.obstacles == nullptr || solid != nullptr, "obstacles need the cells inside solids");
    Field<D, double> carried(phi.set_ptr(), phi.background());
    {
        const Field<D, double>* from[] = {&phi};
        Field<D, double>* to[] = {&carried};
        std::vector<Coord<D>> hidden;
        advect_cells<D>(wind, Transport::maccormack, from, to, hidden);
        if (solid != nullptr) {
            // Hidden cells of the fluid keep what they had if that is near what their neighbours say: a mean of few is
            // worse. Those that see no neighbour are continued as the solid beside them is: as air in the liquid they
            // would be holes into which it pours.
            Mask<D> covered = solid->remapped(solid->set_ptr());
            for (const Coord<D>& cell : fill_hidden<D>(wind, *solid, hidden, to)) covered.ref(cell) = 1;
            for (const Coord<D>& cell : hidden)
                if (covered.at(cell) == 0 && std::abs(carried.at(cell) - phi.at(cell)) < 0.5 * grid.dx)
                    carried.ref(cell) = phi.at(cell);
            continue_into_solids<D>(wind.grid, covered, phi, carried);
        }
    }
    std::swap(phi, carried);
    LevelSetReport report;
    const auto fates = move_points<D>(wind, {.visible = false}, markers.position);
    std::vector<char> gone(fates.size());
    for (std::size_t p = 0; p < fates.size(); ++p) gone[p] = fates[p] != Fate::stays ? 1 : 0;
    remove_markers<D>(markers, gone);
    report.lost = static_cast<std::ptrdiff_t>(fates.size()) - markers.size();

    correct_by_markers<D>(grid, space, markers, phi);
    report.escaped = renew_radii<D>(grid, options, space, phi, markers);
    return report;
}

namespace {

/// Makes phi a distance again. The way around a solid that comes close to the surface is longer than the distance, which
/// phi may keep there: between that as the crow flies and that through open ways it stays as it was carried.
template <int D>
void restore_beside_solids(const Grid<D>& grid, const DistanceOptions& options, const Mask<D>& ways,
                           Field<D, double>& phi) {
    Field<D, double> straight = phi.remapped(phi.set_ptr());
    const Field<D, double> carried = phi.remapped(phi.set_ptr());
    redistance<D, double>(phi, grid, options, &ways);
    redistance<D, double>(straight, grid, options);
    parallel_for("distances around solids", phi.set().count(), [&](std::ptrdiff_t b) {
        double* around = phi.brick(b);
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const double least = std::abs(straight.brick(b)[i]), most = std::abs(around[i]);
            if (least < most)
                around[i] = std::copysign(std::clamp(std::abs(carried.brick(b)[i]), least, most), around[i]);
        }
    });
}

}  // namespace

template <int D>
std::ptrdiff_t restore_distance(const Grid<D>& grid, const MarkerOptions& options, const MarkerSpace<D>& space,
                                Field<D, double>& phi, Markers<D>& markers) {
    DistanceOptions distance;
    distance.band = phi.background() / grid.dx;
    if (space.ways != nullptr)
        restore_beside_solids<D>(grid, distance, *space.ways, phi);
    else
        redistance<D, double>(phi, grid, distance);
    correct_by_markers<D>(grid, space, markers, phi);
    return renew_radii<D>(grid, options, space, phi, markers);
}

#define TIDELOCK_INSTANTIATE(D)                                                                                   \
    template struct Markers<D>;                                                                                   \
    template void remove_markers<D>(Markers<D>&, const std::vector<char>&);                                       \
    template void reseed_markers<D>(const Grid<D>&, const MarkerOptions&, const Field<D, double>&, std::uint64_t, \
                                    Markers<D>&, const MarkerSpace<D>&);                                          \
    template LevelSetReport advance_level_set<D>(const Wind<D>&, const MarkerOptions&, const MarkerSpace<D>&,     \
                                                 Field<D, double>&, Markers<D>&);                                 \
    template std::ptrdiff_t restore_distance<D>(const Grid<D>&, const MarkerOptions&, const MarkerSpace<D>&,      \
                                                Field<D, double>&, Markers<D>&);                                  \
    template std::ptrdiff_t correct_by_markers<D>(const Grid<D>&, const MarkerSpace<D>&, const Markers<D>&,       \
                                                  Field<D, double>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
