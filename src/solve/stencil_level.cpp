#include "solve/stencil_level.h"

#include <cmath>

#include "base/parallel.h"
#include "grid/halo.h"
#include "solve/level_setup.h"

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

/// A brick's kind is the simplest that holds for its cells; a plain one's neighbours across faces must be regular too,
/// since a sweep from zero divides by their diagonals.
template <int D, class T>
void find_kinds(StencilLevel<D, T>& level, const BigArray<std::uint8_t>& marks) {
    level.kind.assign(static_cast<std::size_t>(level.set->count()), BrickKind::stored);
    parallel_for("kinds of bricks", level.set->count(), [&](std::ptrdiff_t b) {
        constexpr std::uint8_t both = regular_cell | maskable_cell;
        std::uint8_t own = both, rim = both;
        const std::uint8_t* mark = marks.data() + level.offset(b);
        for (int i = 0; i < Brick<D>::cells; ++i) own &= mark[i];
        for (int a = 0; a < D && (own & regular_cell); ++a)
            for (const int side : {-1, 1}) {
                const std::uint8_t* near =
                    marks.data() + level.offset(level.set->neighbours(b)[static_cast<std::size_t>(step<D>(a, side))]);
                const int stride = stride_of<D>(a), layer = side < 0 ? Brick<D>::size[a] - 1 : 0;
                for (int i = 0; i < Brick<D>::cells; ++i)
                    if ((i / stride) % Brick<D>::size[a] == layer) rim &= near[i];
            }
        const auto n = static_cast<std::size_t>(b);
        if (own & rim & regular_cell)
            level.kind[n] = BrickKind::plain;
        else if (level.run_start[n] != level.run_start[n + 1])
            level.kind[n] = BrickKind::bodied;
        else if (own & maskable_cell)
            level.kind[n] = BrickKind::masked;
    });
}

/// Adds half the tightest multiple of the bodies' caps to the diagonal that the smoother divides by. With it one sweep
/// M satisfies M + M^T - Sigma >= D > 0, so the smoother converges for Sigma and the cycle is positive definite
/// (METHODS 2.7, item 5, with the bound made tight per level). In pockets, whose diagonal D is zero, the whole multiple
/// keeps that strict.
template <int D, class T>
void attach_bodies(StencilLevel<D, T>& level) {
    level.run_start = level.bodies.run_starts(level.set->count());
    if (level.bodies.empty()) return;
    std::vector<double> cap_of_body(static_cast<std::size_t>(level.bodies.bodies()));
    const auto caps = level.bodies.tightest_caps();
    for (std::size_t c = 0; c < caps.size(); ++c)
        for (const int body : level.bodies.clusters()[c]) cap_of_body[static_cast<std::size_t>(body)] = caps[c];
    for (const auto& e : level.bodies.entries()) {
        const auto place = static_cast<std::size_t>(level.offset(e.slot) + e.local);
        const bool pocket = !(level.diagonal[place] > 0), first = !(level.inverse[place] > 0);
        const double shift = (pocket ? 1 : 0.5) * cap_of_body[static_cast<std::size_t>(e.body)] * e.cap;
        if (!(shift > 0)) continue;
        const double before = first ? 0 : 1 / static_cast<double>(level.inverse[place]);
        level.inverse[place] = static_cast<T>(1 / (before + shift));
        level.unknowns += first;
    }
}

}  // namespace

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

#define TIDELOCK_INSTANTIATE(D, T)                                                \
    template struct StencilLevel<D, T>;                                           \
    template void allocate_coefficients<D, T>(StencilLevel<D, T>&, std::int32_t); \
    template void finish_level<D, T>(StencilLevel<D, T>&);                        \
    template StencilLevel<D, T> finest_level<D, T>(const PoissonOperator<D>&, const RigidTerms<D>&)
TIDELOCK_INSTANTIATE(2, float);
TIDELOCK_INSTANTIATE(2, double);
TIDELOCK_INSTANTIATE(3, float);
TIDELOCK_INSTANTIATE(3, double);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
