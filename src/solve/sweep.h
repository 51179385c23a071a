/// The V-cycle's work on one brick: half a red-black Gauss-Seidel sweep, the residual for the next level, and the
/// correction from it. Vectors and coefficients are in colour order (solve/colour_order.h).
///
/// Half a sweep is   x += inverse o (r - K^T y - L_N x)   on one colour, in place. `y` is Mbar^-1 K x; what the bodies
/// add to the step follows when a colour is done (Multigrid::step_bodies).
///
/// The colour that was swept last has no residual, except where a body or a group has a say; and that which is swept
/// next forgets its values, except there. So only colour 0 is restricted and corrected elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "grid/read_ahead.h"
#include "solve/colour_order.h"
#include "solve/stencil_level.h"

namespace tidelock {

/// Asks for what a brick further on has at place `at` of these arrays, once a line of memory.
template <class T, class... More>
[[gnu::always_inline]] inline void read_line_ahead(int at, const T* array, const More*... more) {
    if (at % (64 / static_cast<int>(sizeof(T))) != 0) return;
    read_ahead<1>(array + at);
    (read_ahead<1>(more + at), ...);
}

/// Coefficients of the cells of a colour in a brick. Cells are named by row k since the last go() and i in it, or by
/// their place `at` in the colour's half.
template <int D, class T, BrickKind kind, int colour>
class ColourCoefficients {
  public:
    using Reader = ColourReader<D, T, colour>;
    using V = typename Reader::V;
    static constexpr int lanes = Reader::lanes;

    ColourCoefficients(const StencilLevel<D, T>& level, std::ptrdiff_t brick)
        : ColourCoefficients(level, level.offset(brick) + colour * half_brick<D>,
                             FaceSlots<D>(level.set->neighbours(brick).data(),
                                          [&](std::int32_t s) { return std::ptrdiff_t{level.link(s)}; })) {}

    [[gnu::always_inline]] void go(int y, int z) {
        if constexpr (kind == BrickKind::stored || kind == BrickKind::bodied)
            for (auto& c : conductance_) c.go(y, z);
    }
    /// The sum over neighbours, each times the conductance of the face between.
    template <int shift, class Values>
    [[gnu::always_inline, nodiscard]] V weigh(const Values& lower, const Values& upper, int k, int i, int at) const {
        if constexpr (kind == BrickKind::plain) {
            V sum = lower[0] + upper[0];
            for (int a = 1; a < D; ++a) sum += lower[a] + upper[a];
            return uniform_ * sum;
        } else if constexpr (kind == BrickKind::masked) {
            V sum{};
            for (int a = 0; a < D; ++a) {
                sum = add_where<V, lanes>(sum, flags_ + at, lower_open(a), lower[a]);
                sum = add_where<V, lanes>(sum, flags_ + at, upper_open(a), upper[a]);
            }
            return uniform_ * sum;
        } else {
            V sum{};
            for (int a = 0; a < D; ++a)
                sum += load_pack<V>(own_[a] + at) * lower[a] +
                       conductance_[static_cast<std::size_t>(a)].template upper<shift>(a, k, i) * upper[a];
            return sum;
        }
    }
    [[gnu::always_inline, nodiscard]] V inverse(int at) const {
        if constexpr (kind == BrickKind::plain) return V{} + uniform_inverse_;
        return load_pack<V>(inverse_ + at);
    }
    /// Infinite without an unknown, where nobody uses it.
    [[gnu::always_inline, nodiscard]] V diagonal(int at) const {
        if constexpr (kind == BrickKind::plain) return V{} + static_cast<T>(2 * D) * uniform_;
        if constexpr (kind == BrickKind::bodied) return (1 - where_pocket(V{} + 1, at)) / inverse(at);
        return 1 / inverse(at);
    }
    /// `v` in pockets, else zero.
    [[gnu::always_inline, nodiscard]] V where_pocket(const V& v, int at) const {
        return add_where<V, lanes>(V{}, flags_ + at, pocket_flag, v);
    }
    /// Asks for what a stored brick further on has at place `at`.
    [[gnu::always_inline]] void read_line_ahead(int at) const {
        if constexpr (kind != BrickKind::plain) tidelock::read_line_ahead(at, inverse_);
        if constexpr (kind == BrickKind::masked) tidelock::read_line_ahead(at, flags_);
        if constexpr (kind == BrickKind::stored || kind == BrickKind::bodied)
            for (const T* own : own_) tidelock::read_line_ahead(at, own, own + (1 - 2 * colour) * half_brick<D>);
    }
    /// `v`, but zero in cells without an unknown.
    [[gnu::always_inline, nodiscard]] V where_unknown(const V& v, int at) const {
        if constexpr (kind == BrickKind::plain) return v;
        return inverse(at) != 0 ? v : V{};
    }

  private:
    ColourCoefficients(const StencilLevel<D, T>& level, std::ptrdiff_t offset, const FaceSlots<D>& links)
        : uniform_(level.uniform),
          uniform_inverse_(1 / (static_cast<T>(2 * D) * level.uniform)),
          inverse_(level.inverse.data() + offset),
          flags_(level.flags.data() + offset),
          conductance_(readers(level, links, std::make_integer_sequence<int, D>())) {
        for (int a = 0; a < D; ++a)
            own_[a] = level.conductance[a].data() + links.own * Brick<D>::cells + colour * half_brick<D>;
    }
    template <int... a>
    static std::array<Reader, D> readers(const StencilLevel<D, T>& level, const FaceSlots<D>& links,
                                         std::integer_sequence<int, a...>) {
        return {Reader(level.conductance[a].data(), links)...};
    }

    T uniform_, uniform_inverse_;
    const T *inverse_, *own_[D];  ///< own_: of the cells' lower faces
    const std::uint8_t* flags_;
    std::array<Reader, D> conductance_;  ///< of their upper ones, which belong to cells of the other colour
};

/// Calls f.template operator()<shift>(k, i, at) for each pack of a colour's cells from row y of layer z on.
template <int D, class T, int colour, class F, class... Readers>
[[gnu::always_inline]] inline void for_each_pack(int y, int z, const F& f, Readers&... readers) {
    using Reader = ColourReader<D, T, colour>;
    for_each_colour_row<D, colour>(
        y, z,
        [&]<int shift>(int k, int row) __attribute__((always_inline)) {
            for (int i = 0; i < Reader::nx; i += Reader::lanes) f.template operator()<shift>(k, i, row + i);
        },
        readers...);
}
/// The same for all rows of a brick.
template <int D, class T, int colour, class F, class... Readers>
[[gnu::always_inline]] inline void for_each_pack(const F& f, Readers&... readers) {
    for_each_row_block<D>([&](int y, int z)
                              __attribute__((always_inline)) { for_each_pack<D, T, colour>(y, z, f, readers...); });
}

/// x = inverse o r on colour 0.
template <int D, class T, BrickKind kind>
inline void divide_brick(const StencilLevel<D, T>& level, std::ptrdiff_t brick, T* x) {
    using Reader = ColourReader<D, T, 0>;
    using V = typename Reader::V;
    const ColourCoefficients<D, T, kind, 0> coefficients(level, brick);
    const T* r = level.r.data() + brick * Brick<D>::cells;
    x += brick * Brick<D>::cells;
    for (int at = 0; at < half_brick<D>; at += Reader::lanes) {
        read_line_ahead(at, r);
        store_pack(x + at, V(coefficients.inverse(at) * load_pack<V>(r + at)));
    }
}

/// x = one whole sweep from zero: the first colour is pointwise, so the second can recompute its neighbours.
template <int D, class T, BrickKind kind>
inline void sweep_from_zero(const StencilLevel<D, T>& level, std::ptrdiff_t brick, T* x) {
    using Reader = ColourReader<D, T, 1>;
    using V = typename Reader::V;
    divide_brick<D, T, kind>(level, brick, x);
    const auto* near = level.set->neighbours(brick).data();
    Reader r(level.r.data(), FaceSlots<D>(near));
    Reader inverse(level.inverse.data(),
                   FaceSlots<D>(near, [&](std::int32_t s) { return std::ptrdiff_t{level.slot(s)}; }));
    ColourCoefficients<D, T, kind, 1> coefficients(level, brick);
    const T* own = level.r.data() + brick * Brick<D>::cells + half_brick<D>;
    x += brick * Brick<D>::cells + half_brick<D>;
    for_each_pack<D, T, 1>(
        [&]<int shift>(int k, int i, int at) __attribute__((always_inline)) {
            read_line_ahead(at, own);
            V lower[D], upper[D];
            for (int a = 0; a < D; ++a) {
                lower[a] = r.template lower<shift>(a, k, i), upper[a] = r.template upper<shift>(a, k, i);
                if constexpr (kind != BrickKind::plain) {
                    lower[a] *= inverse.template lower<shift>(a, k, i);
                    upper[a] *= inverse.template upper<shift>(a, k, i);
                }
            }
            V sum = coefficients.template weigh<shift>(lower, upper, k, i, at);
            if constexpr (kind == BrickKind::plain) sum *= coefficients.inverse(at);
            store_pack(x + at, V(coefficients.inverse(at) * (load_pack<V>(own + at) + sum)));
        },
        r, inverse, coefficients);
}

/// Half a sweep. `r` is the brick's own right-hand side, what bodies do taken off.
template <int D, class T, BrickKind kind, int colour>
inline void relax_brick(const StencilLevel<D, T>& level, std::ptrdiff_t brick, const T* r, T* x) {
    using Reader = ColourReader<D, T, colour>;
    using V = typename Reader::V;
    Reader around(x, FaceSlots<D>(level.set->neighbours(brick).data()));
    ColourCoefficients<D, T, kind, colour> coefficients(level, brick);
    const T* other = x + brick * Brick<D>::cells + (1 - colour) * half_brick<D>;
    x += brick * Brick<D>::cells + colour * half_brick<D>;
    r += colour * half_brick<D>;
    for_each_pack<D, T, colour>(
        [&]<int shift>(int k, int i, int at) __attribute__((always_inline)) {
            read_line_ahead(at, r, other);
            coefficients.read_line_ahead(at);
            V lower[D], upper[D];
            for (int a = 0; a < D; ++a)
                lower[a] = around.template lower<shift>(a, k, i), upper[a] = around.template upper<shift>(a, k, i);
            const V rest = load_pack<V>(r + at) + coefficients.template weigh<shift>(lower, upper, k, i, at);
            V fresh = coefficients.inverse(at) * rest;
            // In a pocket L_N has no diagonal, so that the old value is still in the residual.
            if constexpr (kind == BrickKind::bodied) fresh += coefficients.where_pocket(load_pack<V>(x + at), at);
            store_pack(x + at, fresh);
        },
        around, coefficients);
}

/// Where a brick lies in its parent: the first coarse cell of its octant.
template <int D>
inline Coord<3> octant(const Coord<D>& brick) {
    Coord<3> first = Coord<3>::Zero();
    for (int a = 0; a < D; ++a) first[a] = (brick[a] & 1) * Brick<D>::size[a] / 2;
    return first;
}

/// What some rows of a brick have in the coarse rows that cover them: the cells of a colour in row k lie, in their
/// order, in those of line k / 2.
template <int D, class T>
struct CoarseLines {
    alignas(64) T line[rows_at_once / 2][half_row<D>] = {};

    /// Calls f(line, even, odd) with the places of its cells of even and odd x in the parent, for rows from y on in
    /// layer z of a brick at `first`.
    template <class F>
    [[gnu::always_inline]] void for_each(const Coord<3>& first, int y, int z, const F& f) {
        for (int n = 0; n < rows_at_once / 2; ++n) {
            const int up_y = first[1] + y / 2 + n, up_z = first[2] + z / 2;
            f(line[n], even_cells<D>(up_y, up_z) + first[0] / 2, odd_cells<D>(up_y, up_z) + first[0] / 2);
        }
    }
};

/// Adds the residual of a colour's cells in some rows to the coarse lines.
template <int D, class T, BrickKind kind, int colour>
class ColourResidual {
  public:
    using Reader = ColourReader<D, T, colour>;
    using V = typename Reader::V;

    ColourResidual(const StencilLevel<D, T>& level, std::ptrdiff_t brick)
        : around_(level.x.data(), FaceSlots<D>(level.set->neighbours(brick).data())),
          coefficients_(level, brick),
          x_(level.x.data() + brick * Brick<D>::cells + colour * half_brick<D>),
          r_(level.r.data() + brick * Brick<D>::cells + colour * half_brick<D>) {}

    [[gnu::always_inline]] void add(int y, int z, CoarseLines<D, T>& lines) {
        for_each_pack<D, T, colour>(
            y, z,
            [&]<int shift>(int k, int i, int at) __attribute__((always_inline)) {
                read_line_ahead(at, r_, x_, x_ + (1 - 2 * colour) * half_brick<D>);
                V lower[D], upper[D];
                for (int a = 0; a < D; ++a)
                    lower[a] = around_.template lower<shift>(a, k, i),
                    upper[a] = around_.template upper<shift>(a, k, i);
                const V rest = load_pack<V>(r_ + at) + coefficients_.template weigh<shift>(lower, upper, k, i, at) -
                               coefficients_.diagonal(at) * load_pack<V>(x_ + at);
                // A cell without an unknown gets no correction, so it must pass no residual on: R = P^T.
                T* line = lines.line[k / 2] + i;
                store_pack(line, V(load_pack<V>(line) + coefficients_.where_unknown(rest, at)));
            },
            around_, coefficients_);
    }

  private:
    Reader around_;
    ColourCoefficients<D, T, kind, colour> coefficients_;
    const T *x_, *r_;
};

/// Residual of the brick's cells, summed over 2^D children into the parent's octant of `coarse`; that of colour 1 is
/// taken as zero unless `both`.
template <int D, class T, BrickKind kind>
inline void restrict_brick(const StencilLevel<D, T>& level, std::ptrdiff_t brick, bool both, T* coarse) {
    constexpr int deep = D == 3 ? 2 : 1, nz = D == 3 ? Brick<D>::size[D - 1] : 1;
    ColourResidual<D, T, kind, 0> first_colour(level, brick);
    ColourResidual<D, T, kind, 1> second_colour(level, brick);
    const Coord<3> first = octant<D>(level.set->brick(brick));
    coarse += std::ptrdiff_t{level.parent[static_cast<std::size_t>(brick)]} * Brick<D>::cells;
    for (int z = 0; z < nz; z += deep)
        for (int y = 0; y < Brick<D>::size[1]; y += rows_at_once) {
            CoarseLines<D, T> lines;
            for (int layer = z; layer < z + deep; ++layer) {
                first_colour.add(y, layer, lines);
                if (both) second_colour.add(y, layer, lines);
            }
            lines.for_each(first, y, z, [&](const T* line, int even, int odd) {
                for (int i = 0; i < half_row<D> / 2; ++i)
                    coarse[even + i] = line[2 * i], coarse[odd + i] = line[2 * i + 1];
            });
        }
}

/// x += the piecewise-constant prolongation of the parent's iterate; cells without an unknown stay zero. Colour 1 is
/// left out unless `both`.
template <int D, class T, BrickKind kind>
inline void correct_brick(const StencilLevel<D, T>& level, std::ptrdiff_t brick, bool both, const T* coarse, T* x) {
    using Reader = ColourReader<D, T, 0>;
    using V = typename Reader::V;
    const T* inverse = level.inverse.data() + level.offset(brick);
    const Coord<3> first = octant<D>(level.set->brick(brick));
    coarse += std::ptrdiff_t{level.parent[static_cast<std::size_t>(brick)]} * Brick<D>::cells;
    x += brick * Brick<D>::cells;
    for_each_row_block<D>([&](int y, int z) {
        CoarseLines<D, T> lines;
        lines.for_each(first, y, z, [&](T* line, int even, int odd) {
            for (int i = 0; i < half_row<D> / 2; ++i) line[2 * i] = coarse[even + i], line[2 * i + 1] = coarse[odd + i];
        });
        for (int colour = 0; colour < (both ? 2 : 1); ++colour)
            for (int k = 0; k < rows_at_once; ++k)
                for (int i = 0; i < Reader::nx; i += Reader::lanes) {
                    const int at = colour * half_brick<D> + half_row<D> * (y + k + Brick<D>::size[1] * z) + i;
                    read_line_ahead(at, x);
                    V step = load_pack<V>(lines.line[k / 2] + i);
                    if constexpr (kind != BrickKind::plain) step = load_pack<V>(inverse + at) != 0 ? step : V{};
                    store_pack(x + at, V(load_pack<V>(x + at) + step));
                }
    });
}

}  // namespace tidelock
