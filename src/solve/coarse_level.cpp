/// The next coarser level: sums over 2^D cells, each link as long as the way between the cells it now joins.
///
/// Symbols  P, Q   coarse cells; u_a(P) in [0, 1] the centroid of P's children that hold an unknown, counted along axis
///                 a from the centre of the lower layer in fine cells: 1/2 if all children do
///          c, e   conductances and links to known values of the fine cells; c' and e' those of the coarse ones
///   c'_PQ = sum c / (2 + u_a(P) - u_a(Q))             Q below P along a: the divisor is the centroids' distance
///   e'_P  = sum c_i / max(c_i / e_i + d_i, ...)       d_i = sum_a m_a (t_a - u_a(P)), from the centroid to child i in
///                                                     layer t, along the unit way m to the known value
/// where c_i is the largest conductance of child i, so that c_i / e_i is how far away, in cells, the known value is. In
/// a full cell the first is half the sum (the half-scaled aggregation of [SHM22]), and the second 2/3 of it at theta
/// = 1. The direction m is not stored: it is where the conductances of a child's faces fall off. With constant scales
/// instead a layer a few cells thick needed 11 iterations where this takes 7 (docs/solver.md).
#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "solve/level_setup.h"
#include "solve/local_answer.h"

namespace tidelock {
namespace {

/// Which children of a coarse cell hold an unknown: bit (x & 1) + 2 (y & 1) + 4 (z & 1).
using Children = std::uint8_t;
template <int D>
inline constexpr Children all_children = static_cast<Children>((1u << (1 << D)) - 1);

/// u_a for each set of children.
template <int D>
struct Centroids {
    std::array<std::array<double, D>, 1 << (1 << D)> u{};
    constexpr Centroids() {
        for (std::size_t set = 1; set < u.size(); ++set)
            for (std::size_t a = 0; a < D; ++a) {
                int all = 0, upper = 0;
                for (unsigned child = 0; child < (1u << D); ++child)
                    if (set >> child & 1u) ++all, upper += static_cast<int>(child >> a & 1u);
                u[set][a] = static_cast<double>(upper) / all;
            }
    }
    [[nodiscard]] double operator()(Children set, int axis) const { return u[set][static_cast<std::size_t>(axis)]; }
};
template <int D>
inline constexpr Centroids<D> centroid;

/// Shape of a brick, a plane being one cell deep.
template <int D>
struct BrickShape {
    static constexpr int nx = Brick<D>::size[0], ny = Brick<D>::size[1], nz = D == 3 ? Brick<D>::size[D - 1] : 1;
    static constexpr int deep = D == 3 ? 2 : 1;  ///< children along z
    static constexpr int stride[3] = {1, nx, nx* ny};
};

/// Place in the parent of the first coarse cell that a fine brick covers.
template <int D>
int octant_start(const Coord<D>& brick) {
    int start = 0;
    for (int a = 0; a < D; ++a) start += (brick[a] & 1) * Brick<D>::size[a] / 2 * BrickShape<D>::stride[a];
    return start;
}

/// f(fine row, coarse row, y, z) for the rows of a fine brick; both are places of first cells.
template <int D, class F>
void for_row_pairs(const Coord<D>& brick, const F& f) {
    using S = BrickShape<D>;
    const int start = octant_start<D>(brick);
    for (int z = 0; z < S::nz; ++z)
        for (int y = 0; y < S::ny; ++y)
            f(S::nx * (y + S::ny * z), start + S::nx * (y / 2 + S::ny * (z / S::deep)), y, z);
}

template <int D>
std::int32_t beside(const BrickSet<D>& set, std::ptrdiff_t brick, int axis, int side) {
    Coord<D> offset = Coord<D>::Zero();
    offset[axis] = side;
    return set.neighbours(brick)[static_cast<std::size_t>(neighbour_slot<D>(offset))];
}

/// Sets fine.parent and the coarse level's set; returns how many uniform children each coarse brick has.
template <int D, class T>
std::vector<int> find_parents(StencilLevel<D, T>& fine, StencilLevel<D, T>& level) {
    level.set = coarsen(*fine.set);
    fine.parent.resize(static_cast<std::size_t>(fine.set->count()));
    std::vector<int> uniform_children(static_cast<std::size_t>(level.set->count()), 0);
    for (std::ptrdiff_t b = 0; b < fine.set->count(); ++b) {
        Coord<D> up = fine.set->brick(b);
        for (int a = 0; a < D; ++a) up[a] >>= 1;
        const auto p = level.set->find(up);
        fine.parent[static_cast<std::size_t>(b)] = p;
        uniform_children[static_cast<std::size_t>(p)] += fine.is_uniform(b);
    }
    return uniform_children;
}

/// Per coarse cell its children with a link; pockets that only bodies know do not move a centroid.
template <int D, class T>
BigArray<Children> find_children(const StencilLevel<D, T>& fine, const StencilLevel<D, T>& level) {
    BigArray<Children> children(static_cast<std::size_t>(level.set->cells() + Brick<D>::cells));
    parallel_for("children", fine.set->count(), [&](std::ptrdiff_t b) {
        Children* to = children.data() + std::ptrdiff_t{fine.parent[static_cast<std::size_t>(b)]} * Brick<D>::cells;
        const T* inverse = fine.inverse.data() + fine.offset(b);
        const std::uint8_t* flags = fine.flags.data() + fine.offset(b);
        const auto linked = [&](int i) { return inverse[i] > 0 && (flags[i] & pocket_flag) == 0; };
        for_row_pairs<D>(fine.set->brick(b), [&](int row, int up, int y, int z) {
            const int shift = 2 * (y & 1) + 4 * (z & 1);
            for (int i = 0; i < BrickShape<D>::nx / 2; ++i) {
                const int pair = (linked(row + 2 * i) ? 1 : 0) + (linked(row + 2 * i + 1) ? 2 : 0);
                to[up + i] = static_cast<Children>(to[up + i] | pair << shift);
            }
        });
    });
    return children;
}

/// True if every coarse cell across the brick's sides has all its children, so that the links to it are uniform.
template <int D>
bool full_around(const BrickSet<D>& set, std::ptrdiff_t b, const BigArray<Children>& children) {
    for (int a = 0; a < D; ++a)
        for (const int side : {-1, 1}) {
            const Children* other = children.data() + std::ptrdiff_t{beside<D>(set, b, a, side)} * Brick<D>::cells;
            bool full = true;
            for_each_in_layer<D>(a, side < 0 ? Brick<D>::size[a] - 1 : 0,
                                 [&](int i) { full &= other[i] == all_children<D>; });
            if (!full) return false;
        }
    return true;
}

/// Gives every coarse brick its coefficient slot.
template <int D, class T>
void choose_slots(const StencilLevel<D, T>& fine, StencilLevel<D, T>& level, const std::vector<int>& uniform_children,
                  const BigArray<Children>& children) {
    std::vector<std::uint8_t> touched(uniform_children.size(), 0);
    for (const auto& run : fine.bodies.runs())
        touched[static_cast<std::size_t>(fine.parent[static_cast<std::size_t>(run.slot)])] = 1;
    level.slots.assign(uniform_children.size() + 1, 0);
    std::int32_t next = 2;
    for (std::size_t b = 0; b < uniform_children.size(); ++b) {
        const bool uniform = uniform_children[b] == 1 << D && !touched[b] &&
                             full_around<D>(*level.set, static_cast<std::ptrdiff_t>(b), children);
        level.slots[b] = uniform ? 1 : next++;
    }
    level.links = level.slots;
}

/// e'_P's share of one fine cell: its link to known values as seen from the centroid of its coarse cell.
template <int D, class T>
double move_excess(const StencilLevel<D, T>& fine, std::ptrdiff_t brick, int cell, Children siblings) {
    const Coord<D> c = local_coord<D>(cell);
    double largest = 0, way[D], length = 0;
    for (int a = 0; a < D; ++a) {
        const int stride = BrickShape<D>::stride[a];
        const bool last = c[a] == Brick<D>::size[a] - 1;
        const auto lower = static_cast<double>(fine.lower_links(a, brick)[cell]);
        const auto upper =
            static_cast<double>(last ? fine.lower_links(a, beside<D>(*fine.set, brick, a, 1))[cell - stride * c[a]]
                                     : fine.lower_links(a, brick)[cell + stride]);
        const double most = std::max(lower, upper);
        way[a] = most > 0 ? (lower - upper) / most : 0;
        length += std::abs(way[a]);
        largest = std::max(largest, most);
    }
    const auto excess = static_cast<double>(fine.excess.data()[fine.offset(brick) + cell]);
    if (length == 0) return excess;  // no links, or the same on all sides: no direction to move in
    double further = 0;
    for (int a = 0; a < D; ++a) further += way[a] / length * ((c[a] & 1) - centroid<D>(siblings, a));
    // A centroid may lie beyond the surface; links become no shorter than a quarter of a cell, if they were longer.
    constexpr double shortest = 0.25;
    const double distance = largest / excess;
    return largest / std::max(std::min(distance, shortest), distance + further);
}

/// Sums over the children, links to known values moved already; each fine brick fills its own octant of the parent.
template <int D, class T>
void sum_children(const StencilLevel<D, T>& fine, StencilLevel<D, T>& level, const BigArray<Children>& children) {
    parallel_for("aggregate coefficients", fine.set->count(), [&](std::ptrdiff_t b) {
        const std::ptrdiff_t p = fine.parent[static_cast<std::size_t>(b)];
        if (level.is_uniform(p)) return;
        const auto from = fine.offset(b), to = level.offset(p);
        T room[D][Brick<D>::cells];
        const T* links[D];
        for (int a = 0; a < D; ++a) links[a] = fine.lower_links(a, b).values(room[a], Brick<D>::cells);
        for_row_pairs<D>(fine.set->brick(b), [&](int row, int up, int y, int z) {
            for (int a = 0; a < D; ++a) {
                if ((a == 1 && (y & 1)) || (a == 2 && (z & 1))) continue;  // not on the coarse cell's face
                const T* c = links[a] + row;
                T* out = level.conductance[a].data() + level.link_offset(p) + up;
                for (int i = 0; i < BrickShape<D>::nx / 2; ++i) out[i] += a == 0 ? c[2 * i] : c[2 * i] + c[2 * i + 1];
            }
            const T* e = fine.excess.data() + from + row;
            const Children* own = children.data() + p * Brick<D>::cells + up;
            for (int i = 0; i < BrickShape<D>::nx; ++i)
                if (e[i] > 0)
                    level.excess.data()[to + up + i / 2] +=
                        static_cast<T>(move_excess<D, T>(fine, b, row + i, own[i / 2]));
        });
    });
}

/// Divides the sums by the distances of the centroids.
template <int D, class T>
void scale_by_distance(StencilLevel<D, T>& level, const BigArray<Children>& children) {
    parallel_for("scale coefficients", level.set->count(), [&](std::ptrdiff_t b) {
        if (level.is_uniform(b)) return;
        const Children* own = children.data() + b * Brick<D>::cells;
        for (int a = 0; a < D; ++a) {
            const int stride = local_stride<D>(a), last = Brick<D>::size[a] - 1;
            const Children* below = children.data() + std::ptrdiff_t{beside<D>(*level.set, b, a, -1)} * Brick<D>::cells;
            T* c = level.conductance[a].data() + level.link_offset(b);
            const auto scale = [&](int i, Children other) {
                c[i] /= static_cast<T>(2 + centroid<D>(own[i], a) - centroid<D>(other, a));
            };
            for_each_in_layer<D>(a, 0, [&](int i) { scale(i, below[i + stride * last]); });
            for (int layer = 1; layer <= last; ++layer)
                for_each_in_layer<D>(a, layer, [&](int i) { scale(i, own[i - stride]); });
        }
    });
}

/// K_l+1 = K_l P, and the mass with what the finer level answers by itself.
template <int D, class T>
RigidTerms<D> coarser_bodies(StencilLevel<D, T>& fine) {
    const std::vector<Eigen::MatrixXd> local = settle_locally(fine);
    auto entries = fine.bodies.entries();
    std::erase_if(entries, [&](const auto& e) { return !(fine.inverse.data()[fine.offset(e.slot) + e.local] > 0); });
    for (auto& e : entries) {
        Coord<D> up = first_cell<D>(fine.set->brick(e.slot)) + local_coord<D>(e.local);
        for (int a = 0; a < D; ++a) up[a] >>= 1;
        e.slot = fine.parent[static_cast<std::size_t>(e.slot)];
        e.local = local_index<D>(up);
        e.settles = false;
    }
    return fine.bodies.with_entries(std::move(entries)).with_more_mass(local);
}

/// A group's links to the coarse cells, each moved with the excess that it is a part of.
template <int D, class T>
GroupUnknowns<D, T> coarser_groups(const StencilLevel<D, T>& fine, const BigArray<Children>& children) {
    constexpr int cells = Brick<D>::cells;
    auto links = fine.groups.links();
    for (auto& link : links) {
        const std::ptrdiff_t brick = link.cell / cells;
        const int local = static_cast<int>(link.cell % cells);
        Coord<D> up = first_cell<D>(fine.set->brick(brick)) + local_coord<D>(local);
        for (int a = 0; a < D; ++a) up[a] >>= 1;
        const auto excess = static_cast<double>(fine.excess.data()[fine.offset(brick) + local]);
        link.cell = std::ptrdiff_t{fine.parent[static_cast<std::size_t>(brick)]} * cells + local_index<D>(up);
        link.conductance *= move_excess<D, T>(fine, brick, local, children.data()[link.cell]) / excess;
    }
    return fine.groups.with_links(std::move(links));
}

}  // namespace

template <int D, class T>
StencilLevel<D, T> coarser_level(StencilLevel<D, T>& fine) {
    StencilLevel<D, T> level;
    level.uniform = static_cast<T>(1 << (D - 1)) / 2 * fine.uniform;
    const auto uniform_children = find_parents(fine, level);
    const auto children = find_children(fine, level);
    choose_slots(fine, level, uniform_children, children);
    allocate_coefficients(level);
    sum_children(fine, level, children);
    scale_by_distance(level, children);
    if (!fine.bodies.empty()) level.bodies = coarser_bodies(fine);
    if (!fine.groups.empty()) level.groups = coarser_groups(fine, children);
    finish_level(level);
    return level;
}

template StencilLevel<2, float> coarser_level<2, float>(StencilLevel<2, float>&);
template StencilLevel<2, double> coarser_level<2, double>(StencilLevel<2, double>&);
template StencilLevel<3, float> coarser_level<3, float>(StencilLevel<3, float>&);
template StencilLevel<3, double> coarser_level<3, double>(StencilLevel<3, double>&);

}  // namespace tidelock
