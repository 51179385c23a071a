#include "solve/stencil_level.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "solve/colour_order.h"
#include "solve/level_setup.h"

namespace tidelock {
namespace {

template <int D>
int step(int axis, int sign) {
    Coord<D> offset = Coord<D>::Zero();
    offset[axis] = sign;
    return neighbour_slot<D>(offset);
}

/// What find_kinds() needs to know of a brick.
enum : std::uint8_t {
    regular_brick = 1,   ///< every cell is like one of a uniform brick
    maskable_brick = 2,  ///< faces are uniform or closed
    first_layer = 4      ///< << 2 a + side: the outermost layer on that side is regular
};
constexpr std::uint8_t layer_bit(int axis, int side) {
    return static_cast<std::uint8_t>(first_layer << (2 * axis + side));
}

/// A cell is not regular: neither are the layers that it lies in.
template <int D>
void note_irregular(std::uint8_t& traits, int cell) {
    traits &= static_cast<std::uint8_t>(~regular_brick);
    const Coord<D> c = local_coord<D>(cell);
    for (int a = 0; a < D; ++a) {
        if (c[a] == 0) traits &= static_cast<std::uint8_t>(~layer_bit(a, 0));
        if (c[a] == Brick<D>::size[a] - 1) traits &= static_cast<std::uint8_t>(~layer_bit(a, 1));
    }
}

/// The sums of a brick's rows, and whether its cells are regular and maskable.
template <int D>
struct RowSums {
    static constexpr int cells = Brick<D>::cells;
    double diagonal[cells];
    bool regular[cells];
    bool maskable = true;
};

/// From the open faces, all others being closed.
template <int D, class T>
void sum_open_faces(const StencilLevel<D, T>& level, std::ptrdiff_t b, RowSums<D>& out) {
    constexpr unsigned all = (1u << D) - 1;
    const std::uint8_t* flags = level.flags.data() + level.offset(b);
    const T* excess = level.excess.data() + level.offset(b);
    for (int i = 0; i < Brick<D>::cells; ++i) {
        out.diagonal[i] = static_cast<double>(level.uniform) * std::popcount(flags[i]) + static_cast<double>(excess[i]);
        out.regular[i] = flags[i] == (all | all << 3) && excess[i] == 0;
    }
}

/// From the conductances; sets the level's flags.
template <int D, class T>
void sum_conductances(StencilLevel<D, T>& level, std::ptrdiff_t b, RowSums<D>& out) {
    constexpr int cells = Brick<D>::cells;
    std::uint8_t* flags = level.flags.data() + level.offset(b);
    const T* excess = level.excess.data() + level.offset(b);
    for (int i = 0; i < cells; ++i) {
        out.diagonal[i] = static_cast<double>(excess[i]);
        out.regular[i] = excess[i] == 0;
        flags[i] = 0;
    }
    for (int a = 0; a < D; ++a) {
        const T* own = level.conductance[a].data() + level.link_offset(b);
        const T* above = level.conductance[a].data() +
                         level.link_offset(level.set->neighbours(b)[static_cast<std::size_t>(step<D>(a, 1))]);
        const int stride = local_stride<D>(a), last = Brick<D>::size[a] - 1;
        const auto add = [&](int i, T upper) {
            const T lower = own[i];
            out.diagonal[i] += static_cast<double>(lower) + static_cast<double>(upper);
            out.regular[i] &= lower == level.uniform && upper == level.uniform;
            out.maskable &= (lower == level.uniform || lower == 0) && (upper == level.uniform || upper == 0);
            flags[i] =
                static_cast<std::uint8_t>(flags[i] | (lower > 0 ? lower_open(a) : 0) | (upper > 0 ? upper_open(a) : 0));
        };
        for (int layer = 0; layer < last; ++layer)
            for_each_in_layer<D>(a, layer, [&](int i) { add(i, own[i + stride]); });
        for_each_in_layer<D>(a, last, [&](int i) { add(i, above[i - stride * last]); });
    }
}

/// Sets the inverse diagonals, and what find_kinds() needs. `flagged` bricks have their flags; the others', and
/// all if it is empty, come from conductances.
template <int D, class T>
void finish_rows(StencilLevel<D, T>& level, const std::vector<std::uint8_t>& flagged,
                 std::vector<std::uint8_t>& traits) {
    constexpr int cells = Brick<D>::cells;
    level.unknowns =
        ordered_sum("diagonals", level.set->count(), std::ptrdiff_t{0}, [&](std::ptrdiff_t b) -> std::ptrdiff_t {
            const auto n = static_cast<std::size_t>(b);
            traits[n] = static_cast<std::uint8_t>((first_layer << 2 * D) - 1);
            if (level.is_uniform(b)) return cells;
            std::ptrdiff_t unknowns = 0;
            RowSums<D> sums;
            if (!flagged.empty() && flagged[n])
                sum_open_faces(level, b, sums);
            else
                sum_conductances(level, b, sums);
            T* inverse = level.inverse.data() + level.offset(b);
            for (int i = 0; i < cells; ++i) {
                inverse[i] = sums.diagonal[i] > 0 ? static_cast<T>(1 / sums.diagonal[i]) : T{0};
                unknowns += sums.diagonal[i] > 0;
                if (!sums.regular[i]) note_irregular<D>(traits[n], i);
            }
            if (!sums.maskable) traits[n] &= static_cast<std::uint8_t>(~maskable_brick);
            return unknowns;
        });
    traits.back() = maskable_brick;
    for (const auto& e : level.bodies.entries()) note_irregular<D>(traits[static_cast<std::size_t>(e.slot)], e.local);
}

/// A brick's kind is the simplest that holds for its cells; a plain one's neighbours across faces must be regular too,
/// since a sweep from zero divides by their diagonals.
template <int D, class T>
void find_kinds(StencilLevel<D, T>& level, const std::vector<std::uint8_t>& traits) {
    level.kind.assign(static_cast<std::size_t>(level.set->count()), BrickKind::stored);
    for (std::size_t b = 0; b < level.kind.size(); ++b) {
        bool plain = traits[b] & regular_brick;
        for (int a = 0; a < D && plain; ++a)
            for (const int side : {0, 1}) {
                const auto near = level.set->neighbours(
                    static_cast<std::ptrdiff_t>(b))[static_cast<std::size_t>(step<D>(a, side == 0 ? -1 : 1))];
                plain &= (traits[static_cast<std::size_t>(near)] & layer_bit(a, 1 - side)) != 0;
            }
        if (plain)
            level.kind[b] = BrickKind::plain;
        else if (level.run_start[b] != level.run_start[b + 1])
            level.kind[b] = BrickKind::bodied;
        else if (traits[b] & maskable_brick)
            level.kind[b] = BrickKind::masked;
    }
}

/// Factors the bodies' blocks of the smoother. In pockets, whose diagonal D is zero, it divides by the cap: one sweep M
/// satisfies M + M^T - Sigma = D + twice what was added + the bodies' part of the colours, which is positive.
template <int D, class T>
void attach_bodies(StencilLevel<D, T>& level) {
    level.run_start = level.bodies.run_starts(level.set->count());
    if (level.bodies.empty()) return;
    const auto& entries = level.bodies.entries();
    for (const auto& e : entries) {
        if (level.diagonal_at(e.slot, e.local) > 0 || !(e.cap > 0)) continue;
        const auto at = level.offset(e.slot) + e.local;
        T& inverse = level.inverse.data()[at];
        level.flags.data()[at] |= pocket_flag;
        level.unknowns += !(inverse > 0);
        inverse = static_cast<T>(1 / ((inverse > 0 ? 1 / static_cast<double>(inverse) : 0) + e.cap));
    }
    std::vector<double> inverse(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
        inverse[i] = static_cast<double>(level.inverse.data()[level.offset(entries[i].slot) + entries[i].local]);
    level.blocks = BodyBlocks<D>(level.bodies, inverse);
}

}  // namespace

template <int D, class T>
void allocate_coefficients(StencilLevel<D, T>& level) {
    constexpr int cells = Brick<D>::cells;
    const auto room = [](const std::vector<std::int32_t>& slots) {
        return static_cast<std::size_t>(std::max(2, *std::max_element(slots.begin(), slots.end()) + 1)) * cells;
    };
    for (auto& c : level.conductance) c = BigArray<T>(room(level.links));
    level.inverse = BigArray<T>(room(level.slots));
    level.excess = BigArray<T>(room(level.slots));
    level.flags = BigArray<std::uint8_t>(room(level.slots));
    for (std::size_t i = cells; i < 2 * cells; ++i) {
        for (auto& c : level.conductance) c[i] = level.uniform;
        level.inverse[i] = 1 / (static_cast<T>(2 * D) * level.uniform);
        for (int a = 0; a < D; ++a)
            level.flags[i] = static_cast<std::uint8_t>(level.flags[i] | lower_open(a) | upper_open(a));
    }
}

template <int D, class T>
void finish_level(StencilLevel<D, T>& level, const std::vector<std::uint8_t>& flagged) {
    std::vector<std::uint8_t> traits(static_cast<std::size_t>(level.set->count()) + 1);
    finish_rows(level, flagged, traits);
    attach_bodies(level);
    find_kinds(level, traits);
    const auto size = static_cast<std::size_t>(level.set->cells() + Brick<D>::cells);
    level.r = BigArray<T>(size);
    level.x = BigArray<T>(size);
}

template <int D, class T>
LevelView<D, T> StencilLevel<D, T>::view() {
    LevelView<D, T> out{};
    out.neighbours = set->neighbour_rows();
    out.bricks = set->bricks().data();
    out.slots = slots.data(), out.links = links.data(), out.parent = parent.data();
    for (int a = 0; a < D; ++a) out.conductance[a] = conductance[a].data();
    out.inverse = inverse.data(), out.flags = flags.data();
    out.r = r.data(), out.x = x.data();
    out.uniform = uniform;
    return out;
}

template <int D, class T>
std::size_t StencilLevel<D, T>::bytes() const {
    return D * conductance[0].bytes() + inverse.bytes() + flags.bytes() + r.bytes() + x.bytes() +
           (slots.size() + links.size()) * sizeof(std::int32_t) + bodies.entries().size() * sizeof(RigidEntry<D>);
}

template <int D, class T>
StencilLevel<D, T> finest_level(const PoissonOperator<D>& op, const RigidTerms<D>& bodies) {
    constexpr int cells = Brick<D>::cells;
    const auto count = static_cast<std::size_t>(op.set().count());
    StencilLevel<D, T> level;
    level.set = op.set_ptr();
    level.uniform = 1;
    // Bricks whose conductances are read: where they differ, or a body is; and those above, for their lower faces.
    std::vector<std::uint8_t> flagged(count), touched(count, 0), read(count + 1, 0);
    for (const auto& e : bodies.entries()) touched[static_cast<std::size_t>(e.slot)] = 1;
    for (std::size_t b = 0; b < count; ++b) {
        flagged[b] = op.is_masked(static_cast<std::ptrdiff_t>(b));
        if (flagged[b] && !touched[b]) continue;
        read[b] = 1;
        for (int a = 0; a < D; ++a)
            read[static_cast<std::size_t>(
                op.set().neighbours(static_cast<std::ptrdiff_t>(b))[static_cast<std::size_t>(step<D>(a, 1))])] = 1;
    }
    level.slots.assign(count + 1, 0);
    level.links.assign(count + 1, 0);
    std::int32_t stored = 2, linked = 2;
    for (std::size_t b = 0; b < count; ++b) {
        const bool uniform = op.is_uniform(static_cast<std::ptrdiff_t>(b)) && !touched[b];
        level.slots[b] = uniform ? 1 : stored++;
        if (uniform)
            level.links[b] = 1;
        else if (read[b])
            level.links[b] = linked++;
    }
    allocate_coefficients(level);
    const double scale = 1 / op.uniform();
    parallel_for("finest coefficients", op.set().count(), [&](std::ptrdiff_t b) {
        if (level.is_uniform(b)) return;
        for (int i = 0; i < cells; ++i) level.flags.data()[level.offset(b) + i] = op.flags(b)[i] & any_open;
        if (!op.has_no_excess(b))
            for (int i = 0; i < cells; ++i)
                level.excess.data()[level.offset(b) + i] = static_cast<T>(op.excess(b)[i] * scale);
        if (level.link(b) == 0) return;
        for (int a = 0; a < D; ++a) {
            const auto c = op.conductance(a, b);
            T* out = level.conductance[a].data() + level.link_offset(b);
            for (int i = 0; i < cells; ++i) out[i] = static_cast<T>(c[i] * scale);
        }
    });
    auto entries = bodies.entries();
    std::erase_if(entries, [&](const auto& e) { return !op.unknown(e.slot)[e.local]; });
    for (auto& e : entries) {
        for (auto& k : e.k) k *= std::sqrt(scale);
        e.cap *= scale;
    }
    level.bodies = bodies.with_entries(std::move(entries));
    finish_level(level, flagged);
    return level;
}

template <int D, class T>
void order_by_colour(StencilLevel<D, T>& level) {
    const auto order = []<class V>(BigArray<V>& array) {
        constexpr int cells = Brick<D>::cells;
        parallel_for("order by colour", static_cast<std::ptrdiff_t>(array.size()) / cells, [&](std::ptrdiff_t slot) {
            if (slot < 2) return;  // all their cells are alike
            V* own = array.data() + slot * cells;
            alignas(64) V copy[cells];
            std::copy_n(own, cells, copy);
            part_brick<D>(copy, own);
        });
    };
    level.excess = BigArray<T>();
    for (auto& c : level.conductance) order(c);
    order(level.inverse);
    order(level.flags);
    auto entries = level.bodies.entries();
    for (auto& e : entries) e.local = colour_place<D>(e.local);
    level.bodies = level.bodies.with_entries(std::move(entries));
    auto links = level.groups.links();
    for (auto& link : links) link.cell = colour_order<D>(link.cell);
    level.groups = level.groups.with_links(std::move(links));
}

#define TIDELOCK_INSTANTIATE(D, T)                                                           \
    template struct StencilLevel<D, T>;                                                      \
    template void allocate_coefficients<D, T>(StencilLevel<D, T>&);                          \
    template void finish_level<D, T>(StencilLevel<D, T>&, const std::vector<std::uint8_t>&); \
    template void order_by_colour<D, T>(StencilLevel<D, T>&);                                \
    template StencilLevel<D, T> finest_level<D, T>(const PoissonOperator<D>&, const RigidTerms<D>&)
TIDELOCK_INSTANTIATE(2, float);
TIDELOCK_INSTANTIATE(2, double);
TIDELOCK_INSTANTIATE(3, float);
TIDELOCK_INSTANTIATE(3, double);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
