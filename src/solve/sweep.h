/// The V-cycle's work on one brick: half a red-black Gauss-Seidel sweep, the residual for the next level, and the
/// correction from it. All read their surroundings in place (grid/rows.h) and write one brick.
///
/// Half a sweep is   x += inverse o (r - K^T y - L_N x)   on one colour, (x + y + z) % 2 == colour; the other is
/// copied. `y` is Mbar^-1 K x; what the bodies add to the step follows when a colour is done (Multigrid::step_bodies).
#pragma once

#include <cstdint>
#include <type_traits>

#include "grid/read_ahead.h"
#include "grid/rows.h"
#include "solve/stencil_level.h"

namespace tidelock {

/// All bits set on the cells of a colour, none between.
template <class T>
struct ColourMask {
    static constexpr int lanes = 64 / static_cast<int>(sizeof(T));
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    alignas(64) Bits row[2][lanes] = {};
    constexpr ColourMask() {
        for (int p = 0; p < 2; ++p)
            for (int i = 0; i < lanes; ++i) row[p][i] = (i + p) % 2 == 0 ? -1 : 0;
    }
};
template <class T>
inline constexpr ColourMask<T> colour_mask;

/// Coefficients of a brick's level, for its rows.
template <int D, class T, BrickKind kind>
class RowCoefficients {
  public:
    using V = typename RowReader<D, T>::V;
    static constexpr int lanes = RowReader<D, T>::lanes, nx = Brick<D>::size[0], ny = Brick<D>::size[1];

    RowCoefficients(const StencilLevel<D, T>& level, std::ptrdiff_t brick)
        : RowCoefficients(level, level.offset(brick),
                          FaceSlots<D>(level.set->neighbours(brick).data(),
                                       [&](std::int32_t s) { return std::ptrdiff_t{level.link(s)}; })) {}

    [[gnu::always_inline]] void go(int y, int z) {
        row_ = nx * (y + ny * z);
        if constexpr (kind == BrickKind::stored || kind == BrickKind::bodied)
            for (auto& c : conductance_) c.go(y, z);
    }
    /// The sum over neighbours, each times the conductance of the face between.
    template <class Values>
    [[gnu::always_inline]] V weigh(const Values& lower, const Values& upper, int i) const {
        V sum{};
        if constexpr (kind == BrickKind::plain) {
            for (int a = 0; a < D; ++a) sum += lower[a] + upper[a];
            return uniform_ * sum;
        } else if constexpr (kind == BrickKind::masked) {
            for (int a = 0; a < D; ++a) {
                sum = add_where<V, lanes>(sum, flags_ + row_ + i, lower_open(a), lower[a]);
                sum = add_where<V, lanes>(sum, flags_ + row_ + i, upper_open(a), upper[a]);
            }
            return uniform_ * sum;
        } else {
            for (int a = 0; a < D; ++a)
                sum += conductance_[a].centre(i) * lower[a] + conductance_[a].upper(a, i) * upper[a];
            return sum;
        }
    }
    [[gnu::always_inline]] V inverse(int i) const {
        if constexpr (kind == BrickKind::plain) return V{} + 1 / (static_cast<T>(2 * D) * uniform_);
        return load_pack<V>(inverse_ + row_ + i);
    }
    [[gnu::always_inline]] V diagonal(int i) const {
        if constexpr (kind == BrickKind::plain) return V{} + static_cast<T>(2 * D) * uniform_;
        // Infinite without an unknown, where nobody uses it.
        if constexpr (kind == BrickKind::masked) return 1 / inverse(i);
        return load_pack<V>(diagonal_ + row_ + i);
    }

  private:
    RowCoefficients(const StencilLevel<D, T>& level, std::ptrdiff_t offset, const FaceSlots<D>& links)
        : uniform_(level.uniform),
          inverse_(level.inverse.data() + offset),
          diagonal_(level.diagonal.data() + links.own * Brick<D>::cells),
          flags_(level.flags.data() + offset),
          conductance_(readers(level, links, std::make_integer_sequence<int, D>())) {}
    template <int... a>
    static std::array<RowReader<D, T>, D> readers(const StencilLevel<D, T>& level, const FaceSlots<D>& links,
                                                  std::integer_sequence<int, a...>) {
        return {RowReader<D, T>(level.conductance[a].data(), links)...};
    }

    T uniform_;
    const T *inverse_, *diagonal_;
    const std::uint8_t* flags_;
    std::array<RowReader<D, T>, D> conductance_;
    int row_ = 0;
};

/// x = one whole sweep from zero: the first colour is pointwise, so the second can recompute its neighbours.
template <int D, class T, BrickKind kind>
inline void sweep_from_zero(const StencilLevel<D, T>& level, std::ptrdiff_t brick, int first_colour, T* out) {
    using Reader = RowReader<D, T>;
    using V = typename Reader::V;
    const auto* near = level.set->neighbours(brick).data();
    Reader r(level.r.data(), FaceSlots<D>(near));
    RowCoefficients<D, T, kind> coefficients(level, brick);
    Reader inverse(level.inverse.data(),
                   FaceSlots<D>(near, [&](std::int32_t s) { return std::ptrdiff_t{level.slot(s)}; }));
    for_each_brick_row<D>([&](int y, int z) {
        r.go(y, z);
        coefficients.go(y, z);
        if constexpr (kind != BrickKind::plain) inverse.go(y, z);
        const auto colour = load_pack<Pack<typename ColourMask<T>::Bits, Reader::lanes>>(
            colour_mask<T>.row[(y + z + first_colour) & 1]);
        for (int i = 0; i < Reader::nx; i += Reader::lanes) {
            V lower[D], upper[D];
            for (int a = 0; a < D; ++a) {
                lower[a] = r.lower(a, i), upper[a] = r.upper(a, i);
                if constexpr (kind != BrickKind::plain)
                    lower[a] *= inverse.lower(a, i), upper[a] *= inverse.upper(a, i);
            }
            V sum = coefficients.weigh(lower, upper, i);
            if constexpr (kind == BrickKind::plain) sum *= coefficients.inverse(i);
            sum = colour != 0 ? V{} : sum;
            store_pack(out + Reader::nx * (y + Reader::ny * z) + i, V(coefficients.inverse(i) * (r.centre(i) + sum)));
        }
    });
}

/// Half a sweep from zero: the first colour is divided by its diagonal, the other zero.
template <int D, class T, BrickKind kind>
inline void divide_brick(const StencilLevel<D, T>& level, std::ptrdiff_t brick, int colour, T* out) {
    using V = typename RowReader<D, T>::V;
    constexpr int lanes = RowReader<D, T>::lanes, nx = Brick<D>::size[0], ny = Brick<D>::size[1];
    RowCoefficients<D, T, kind> coefficients(level, brick);
    const T* r = level.r.data() + brick * Brick<D>::cells;
    for_each_brick_row<D>([&](int y, int z) {
        coefficients.go(y, z);
        const auto chosen =
            load_pack<Pack<typename ColourMask<T>::Bits, lanes>>(colour_mask<T>.row[(y + z + colour) & 1]);
        for (int i = 0; i < nx; i += lanes) {
            const int at = nx * (y + ny * z) + i;
            const V fresh = coefficients.inverse(i) * load_pack<V>(r + at);
            store_pack(out + at, V(chosen != 0 ? fresh : V{}));
        }
    });
}

/// Half a sweep, from `in` to the brick `out`. `r` is the brick's own right-hand side, what bodies do taken off.
template <int D, class T, BrickKind kind>
inline void relax_brick(const StencilLevel<D, T>& level, std::ptrdiff_t brick, int colour, const T* in, const T* r,
                        T* out) {
    using Reader = RowReader<D, T>;
    using V = typename Reader::V;
    Reader x(in, FaceSlots<D>(level.set->neighbours(brick).data()));
    RowCoefficients<D, T, kind> coefficients(level, brick);
    for_each_brick_row<D>([&](int y, int z) {
        x.go(y, z);
        coefficients.go(y, z);
        const int row = Reader::nx * (y + Reader::ny * z);
        read_ahead<Reader::nx>(r + row);
        const auto chosen =
            load_pack<Pack<typename ColourMask<T>::Bits, Reader::lanes>>(colour_mask<T>.row[(y + z + colour) & 1]);
        for (int i = 0; i < Reader::nx; i += Reader::lanes) {
            V lower[D], upper[D];
            for (int a = 0; a < D; ++a) lower[a] = x.lower(a, i), upper[a] = x.upper(a, i);
            const V here = x.centre(i);
            V rest = load_pack<V>(r + row + i) + coefficients.weigh(lower, upper, i);
            // In a pocket the smoother's diagonal is larger than the operator's: then the old value counts.
            if constexpr (kind == BrickKind::bodied) rest -= coefficients.diagonal(i) * here;
            V fresh = coefficients.inverse(i) * rest;
            if constexpr (kind == BrickKind::bodied) fresh += here;
            store_pack(out + row + i, V(chosen != 0 ? fresh : here));
        }
    });
}

/// Where a brick lies in its parent: the first coarse cell of its octant.
template <int D>
inline Coord<3> octant(const Coord<D>& brick) {
    Coord<3> first = Coord<3>::Zero();
    for (int a = 0; a < D; ++a) first[a] = (brick[a] & 1) * Brick<D>::size[a] / 2;
    return first;
}

/// Residual of the brick's cells, summed over 2^D children into the parent's octant of `coarse`.
template <int D, class T, BrickKind kind>
inline void restrict_brick(const StencilLevel<D, T>& level, std::ptrdiff_t brick, const T* in, T* coarse) {
    using Reader = RowReader<D, T>;
    using V = typename Reader::V;
    constexpr int nx = Reader::nx, ny = Reader::ny, deep = D == 3 ? 2 : 1;
    Reader x(in, FaceSlots<D>(level.set->neighbours(brick).data()));
    RowCoefficients<D, T, kind> coefficients(level, brick);
    const T* r = level.r.data() + brick * Brick<D>::cells;
    const Coord<3> first = octant<D>(level.set->brick(brick));
    for (int z = 0; z < Reader::nz; z += deep)
        for (int y = 0; y < ny; y += 2) {
            alignas(64) T line[nx] = {};
            for (int k = 0; k < deep; ++k)
                for (int j = 0; j < 2; ++j) {
                    x.go(y + j, z + k);
                    coefficients.go(y + j, z + k);
                    const T* row = r + nx * (y + j + ny * (z + k));
                    read_ahead<nx>(row);
                    for (int i = 0; i < nx; i += Reader::lanes) {
                        V lower[D], upper[D];
                        for (int a = 0; a < D; ++a) lower[a] = x.lower(a, i), upper[a] = x.upper(a, i);
                        V rest = load_pack<V>(row + i) + coefficients.weigh(lower, upper, i) -
                                 coefficients.diagonal(i) * x.centre(i);
                        // A cell without an unknown gets no correction, so it must pass no residual on: R = P^T.
                        if constexpr (kind != BrickKind::plain) rest = coefficients.inverse(i) != 0 ? rest : V{};
                        store_pack(line + i, V(load_pack<V>(line + i) + rest));
                    }
                }
            T* out = coarse + first[0] + nx * ((first[1] + y / 2) + ny * (first[2] + z / deep));
            for (int i = 0; i < nx / 2; ++i) out[i] = line[2 * i] + line[2 * i + 1];
        }
}

/// x += the piecewise-constant prolongation of the parent's iterate; cells without an unknown stay zero.
template <int D, class T, BrickKind kind>
inline void correct_brick(const StencilLevel<D, T>& level, std::ptrdiff_t brick, const T* coarse, T* x) {
    using Reader = RowReader<D, T>;
    using V = typename Reader::V;
    constexpr int nx = Reader::nx, ny = Reader::ny, deep = D == 3 ? 2 : 1;
    const T* parent = coarse + std::ptrdiff_t{level.parent[static_cast<std::size_t>(brick)]} * Brick<D>::cells;
    const T* inverse = level.inverse.data() + level.offset(brick);
    const Coord<3> first = octant<D>(level.set->brick(brick));
    for (int z = 0; z < Reader::nz; z += deep)
        for (int y = 0; y < ny; y += 2) {
            const T* from = parent + first[0] + nx * ((first[1] + y / 2) + ny * (first[2] + z / deep));
            alignas(64) T spread[nx];
            for (int i = 0; i < nx / 2; ++i) spread[2 * i] = spread[2 * i + 1] = from[i];
            for (int k = 0; k < deep; ++k)
                for (int j = 0; j < 2; ++j) {
                    const int row = nx * (y + j + ny * (z + k));
                    for (int i = 0; i < nx; i += Reader::lanes) {
                        V add = load_pack<V>(spread + i);
                        if constexpr (kind != BrickKind::plain) add = load_pack<V>(inverse + row + i) != 0 ? add : V{};
                        store_pack(x + row + i, V(load_pack<V>(x + row + i) + add));
                    }
                }
        }
}

}  // namespace tidelock
