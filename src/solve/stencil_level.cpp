#include "solve/stencil_level.h"

#include <cmath>

#include "base/parallel.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

template <int D>
int step(int axis, int sign) {
    Coord<D> offset = Coord<D>::Zero();
    offset[axis] = sign;
    return neighbour_slot<D>(offset);
}

template <int D>
int stride_of(int axis) {
    int s = 1;
    for (int a = 0; a < axis; ++a) s *= Brick<D>::size[a];
    return s;
}

template <int D, class T>
void allocate_coefficients(StencilLevel<D, T>& level, std::int32_t stored) {
    constexpr int cells = Brick<D>::cells;
    const auto total = static_cast<std::size_t>(stored + 2) * cells;
    for (auto& c : level.conductance) c = BigArray<T>(total);
    level.diagonal = BigArray<T>(total);
    level.inverse = BigArray<T>(total);
    level.excess = BigArray<T>(total);
    level.flags = BigArray<std::uint8_t>(total);
    for (std::size_t i = cells; i < 2 * cells; ++i) {
        for (auto& c : level.conductance) c[i] = level.uniform;
        level.diagonal[i] = static_cast<T>(2 * D) * level.uniform;
        level.inverse[i] = 1 / level.diagonal[i];
        for (int a = 0; a < D; ++a)
            level.flags[i] = static_cast<std::uint8_t>(level.flags[i] | lower_open(a) | upper_open(a));
    }
}

/// Marks of a stored cell while the level is built: like one of a uniform brick; faces uniform or closed.
enum : std::uint8_t { regular_cell = 1, maskable_cell = 2 };

/// Sets the diagonal and the open-face flags from conductances and excess, and marks each stored cell.
template <int D, class T>
void finish_rows(StencilLevel<D, T>& level, BigArray<std::uint8_t>& marks) {
    constexpr int cells = Brick<D>::cells;
    level.unknowns =
        ordered_sum("diagonals", level.set->count(), std::ptrdiff_t{0}, [&](std::ptrdiff_t b) -> std::ptrdiff_t {
            if (level.is_uniform(b)) return cells;
            const auto base = level.offset(b);
            std::ptrdiff_t unknowns = 0;
            double sum[cells];
            std::uint8_t mark[cells], flags[cells] = {};
            for (int i = 0; i < cells; ++i) {
                sum[i] = static_cast<double>(level.excess.data()[base + i]);
                mark[i] = sum[i] == 0 ? regular_cell | maskable_cell : maskable_cell;
            }
            for (int a = 0; a < D; ++a) {
                const T* own = level.conductance[a].data() + base;
                const T* above = level.conductance[a].data() +
                                 level.offset(level.set->neighbours(b)[static_cast<std::size_t>(step<D>(a, 1))]);
                const int stride = stride_of<D>(a), wrap = stride * (Brick<D>::size[a] - 1);
                for (int i = 0; i < cells; ++i) {
                    const T lower = own[i], upper = (i / stride) % Brick<D>::size[a] == Brick<D>::size[a] - 1
                                                        ? above[i - wrap]
                                                        : own[i + stride];
                    sum[i] += static_cast<double>(lower) + static_cast<double>(upper);
                    const bool full = lower == level.uniform && upper == level.uniform;
                    const bool binary =
                        (lower == level.uniform || lower == 0) && (upper == level.uniform || upper == 0);
                    mark[i] = static_cast<std::uint8_t>(mark[i] & (full ? 3 : binary ? maskable_cell : 0));
                    flags[i] = static_cast<std::uint8_t>(flags[i] | (lower > 0 ? lower_open(a) : 0) |
                                                         (upper > 0 ? upper_open(a) : 0));
                }
            }
            for (int i = 0; i < cells; ++i) {
                level.diagonal.data()[base + i] = static_cast<T>(sum[i]);
                level.inverse.data()[base + i] = sum[i] > 0 ? static_cast<T>(1 / sum[i]) : T{0};
                level.flags.data()[base + i] = flags[i];
                marks.data()[base + i] = mark[i];
                unknowns += sum[i] > 0;
            }
            return unknowns;
        });
}

/// A brick's kind is the simplest that holds for it and for a rim of three cells around it.
template <int D, class T>
void find_kinds(StencilLevel<D, T>& level, const BigArray<std::uint8_t>& marks) {
    level.kind.assign(static_cast<std::size_t>(level.set->count()), BrickKind::stored);
    parallel_for("kinds of bricks", level.set->count(), [&](std::ptrdiff_t b) {
        auto& kind = level.kind[static_cast<std::size_t>(b)];
        std::int32_t near[Brick<D>::neighbours];
        bool all_uniform = true;
        for (int n = 0; n < Brick<D>::neighbours; ++n) {
            near[n] = level.slot(level.set->neighbours(b)[static_cast<std::size_t>(n)]);
            all_uniform = all_uniform && near[n] == 1;
        }
        std::uint8_t common = regular_cell | maskable_cell;
        if (!all_uniform) {
            using Rim = HaloBuffer<D, 3, std::uint8_t>;
            thread_local Rim rim;
            rim.load(marks.data(), near);
            for (int z = -Rim::hz; z < Rim::nz + Rim::hz; ++z)
                for (int y = -3; y < Rim::ny + 3; ++y)
                    for (int x = -3; x < Rim::nx + 3; ++x) common &= rim.v[Rim::at(x, y, z)];
        }
        if (level.near_body[static_cast<std::size_t>(b)] && !(common & regular_cell))
            kind = BrickKind::bodied;
        else if (common & regular_cell)
            kind = BrickKind::plain;
        else if (common & maskable_cell)
            kind = BrickKind::masked;
    });
}

/// Adds half the tightest multiple of the bodies' caps to the diagonal that the smoother divides by. With it one sweep
/// M satisfies M + M^T - Sigma >= D > 0, so the smoother converges for Sigma and the cycle is positive definite
/// (METHODS 2.7, item 5, with the bound made tight per level).
template <int D, class T>
void attach_bodies(StencilLevel<D, T>& level) {
    const auto n = static_cast<std::size_t>(level.set->count());
    level.run_start.assign(n + 1, 0);
    level.near_body.assign(n, 0);
    if (level.bodies.empty()) return;
    for (const auto& run : level.bodies.runs()) {
        ++level.run_start[static_cast<std::size_t>(run.slot) + 1];
        for (const auto b : level.set->neighbours(run.slot))
            if (b != level.set->void_slot()) level.near_body[static_cast<std::size_t>(b)] = 1;
    }
    for (std::size_t b = 0; b < n; ++b) level.run_start[b + 1] += level.run_start[b];

    std::vector<double> cap_of_body(static_cast<std::size_t>(level.bodies.bodies()));
    const auto caps = level.bodies.tightest_caps();
    for (std::size_t c = 0; c < caps.size(); ++c)
        for (const int body : level.bodies.clusters()[c]) cap_of_body[static_cast<std::size_t>(body)] = caps[c];
    for (const auto& e : level.bodies.entries()) {
        const auto place = static_cast<std::size_t>(level.offset(e.slot) + e.local);
        if (!(level.inverse[place] > 0)) continue;
        const double shift = 0.5 * cap_of_body[static_cast<std::size_t>(e.body)] * e.cap;
        level.inverse[place] = static_cast<T>(1 / (1 / static_cast<double>(level.inverse[place]) + shift));
    }
}

/// From conductances, excess and bodies to a level that can be swept.
template <int D, class T>
void finish_level(StencilLevel<D, T>& level) {
    BigArray<std::uint8_t> marks(level.diagonal.size());
    std::fill(marks.begin(), marks.begin() + Brick<D>::cells, std::uint8_t{maskable_cell});
    std::fill(marks.begin() + Brick<D>::cells, marks.begin() + 2 * Brick<D>::cells,
              std::uint8_t{regular_cell | maskable_cell});
    finish_rows(level, marks);
    attach_bodies(level);
    for (const auto& e : level.bodies.entries()) marks[static_cast<std::size_t>(level.offset(e.slot) + e.local)] = 0;
    find_kinds(level, marks);
    const auto size = static_cast<std::size_t>(level.set->cells() + Brick<D>::cells);
    level.r = BigArray<T>(size);
    level.x = BigArray<T>(size);
    level.y = BigArray<T>(size);
}

}  // namespace

template <int D, class T>
std::size_t StencilLevel<D, T>::bytes() const {
    return (D + 2) * diagonal.bytes() + flags.bytes() + r.bytes() + x.bytes() + y.bytes() + slots.size() * 4 +
           bodies.entries().size() * sizeof(RigidEntry<D>);
}

template <int D, class T>
StencilLevel<D, T> finest_level(const PoissonOperator<D>& op, const RigidTerms<D>& bodies) {
    constexpr int cells = Brick<D>::cells;
    StencilLevel<D, T> level;
    level.set = op.set_ptr();
    level.uniform = 1;
    level.slots.assign(static_cast<std::size_t>(op.set().count()) + 1, 0);
    std::vector<std::uint8_t> touched(static_cast<std::size_t>(op.set().count()), 0);
    for (const auto& e : bodies.entries()) touched[static_cast<std::size_t>(e.slot)] = 1;
    std::int32_t stored = 0;
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        level.slots[static_cast<std::size_t>(b)] =
            op.is_uniform(b) && !touched[static_cast<std::size_t>(b)] ? 1 : 2 + stored++;
    allocate_coefficients(level, stored);
    const double scale = 1 / op.uniform();
    parallel_for("finest coefficients", op.set().count(), [&](std::ptrdiff_t b) {
        if (level.is_uniform(b)) return;
        for (int i = 0; i < cells; ++i) {
            for (int a = 0; a < D; ++a)
                level.conductance[a].data()[level.offset(b) + i] = static_cast<T>(op.conductance(a, b)[i] * scale);
            level.excess.data()[level.offset(b) + i] = static_cast<T>(op.excess(b)[i] * scale);
        }
    });
    auto entries = bodies.entries();
    std::erase_if(entries, [&](const auto& e) { return !op.unknown(e.slot)[e.local]; });
    for (auto& e : entries) {
        for (auto& k : e.k) k *= std::sqrt(scale);
        e.cap *= scale;
    }
    level.bodies = bodies.with_entries(std::move(entries));
    finish_level(level);
    return level;
}

template <int D, class T>
StencilLevel<D, T> coarser_level(StencilLevel<D, T>& fine, const MultigridOptions& options) {
    constexpr int cells = Brick<D>::cells, children = 1 << D;
    StencilLevel<D, T> level;
    level.set = coarsen(*fine.set);
    level.uniform = static_cast<T>(options.coarse_scale * (1 << (D - 1))) * fine.uniform;
    fine.parent.resize(static_cast<std::size_t>(fine.set->count()));
    std::vector<int> uniform_children(static_cast<std::size_t>(level.set->count()), 0);
    std::vector<std::uint8_t> touched(uniform_children.size(), 0);
    for (std::ptrdiff_t b = 0; b < fine.set->count(); ++b) {
        Coord<D> up = fine.set->brick(b);
        for (int a = 0; a < D; ++a) up[a] >>= 1;
        const auto p = level.set->find(up);
        fine.parent[static_cast<std::size_t>(b)] = p;
        uniform_children[static_cast<std::size_t>(p)] += fine.is_uniform(b);
    }
    for (const auto& run : fine.bodies.runs())
        touched[static_cast<std::size_t>(fine.parent[static_cast<std::size_t>(run.slot)])] = 1;
    level.slots.assign(static_cast<std::size_t>(level.set->count()) + 1, 0);
    std::int32_t stored = 0;
    for (std::ptrdiff_t b = 0; b < level.set->count(); ++b)
        level.slots[static_cast<std::size_t>(b)] =
            uniform_children[static_cast<std::size_t>(b)] == children && !touched[static_cast<std::size_t>(b)]
                ? 1
                : 2 + stored++;
    allocate_coefficients(level, stored);

    // Sums over the children; each fine brick fills its own octant of the parent.
    parallel_for("aggregate coefficients", fine.set->count(), [&](std::ptrdiff_t b) {
        const auto p = fine.parent[static_cast<std::size_t>(b)];
        if (level.is_uniform(p)) return;
        const Coord<D> first = first_cell<D>(fine.set->brick(b));
        const auto from = fine.offset(b), to = level.offset(p);
        for (int i = 0; i < cells; ++i) {
            const Coord<D> c = local_coord<D>(i);
            Coord<D> up = first + c;
            for (int a = 0; a < D; ++a) up[a] >>= 1;
            const auto j = to + local_index<D>(up);
            for (int a = 0; a < D; ++a)
                if ((c[a] & 1) == 0)
                    level.conductance[a].data()[j] +=
                        static_cast<T>(options.coarse_scale) * fine.conductance[a].data()[from + i];
            level.excess.data()[j] += static_cast<T>(options.dirichlet_scale) * fine.excess.data()[from + i];
        }
    });
    if (!fine.bodies.empty()) {
        auto entries = fine.bodies.entries();
        std::erase_if(entries,
                      [&](const auto& e) { return !(fine.inverse.data()[fine.offset(e.slot) + e.local] > 0); });
        for (auto& e : entries) {
            Coord<D> up = first_cell<D>(fine.set->brick(e.slot)) + local_coord<D>(e.local);
            for (int a = 0; a < D; ++a) up[a] >>= 1;
            e.slot = fine.parent[static_cast<std::size_t>(e.slot)];
            e.local = local_index<D>(up);
        }
        level.bodies = fine.bodies.with_entries(std::move(entries));
    }
    finish_level(level);
    fine.excess = BigArray<T>();
    return level;
}

#define TIDELOCK_INSTANTIATE(D, T)                                                                   \
    template struct StencilLevel<D, T>;                                                              \
    template StencilLevel<D, T> finest_level<D, T>(const PoissonOperator<D>&, const RigidTerms<D>&); \
    template StencilLevel<D, T> coarser_level<D, T>(StencilLevel<D, T>&, const MultigridOptions&)
TIDELOCK_INSTANTIATE(2, float);
TIDELOCK_INSTANTIATE(2, double);
TIDELOCK_INSTANTIATE(3, float);
TIDELOCK_INSTANTIATE(3, double);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
