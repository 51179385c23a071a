/// The order of cells in the V-cycle's vectors: by brick, in a brick by colour, (x + y + z) % 2, and in a colour by
/// row.
///
/// A half sweep of red-black Gauss-Seidel reads one colour and writes the other. Parted like this it touches half of
/// the memory, fills whole packs, and can write in place: no other brick reads what is written. A row of nx cells
/// becomes two of nx / 2. The cells of a colour in it lie at x = 2 i + shift, so those of the other colour are beside
/// them at the same i: in the rows below and above along y and z, and along x on one side; on the other side it is i -
/// 1 or i + 1.
#pragma once

#include <algorithm>
#include <cstddef>

#include "grid/rows.h"

namespace tidelock {

/// Cells of one colour in a brick, and in a row of it.
template <int D>
inline constexpr int half_brick = Brick<D>::cells / 2;
template <int D>
inline constexpr int half_row = Brick<D>::size[0] / 2;

/// 0 or 1: bricks have even extents, so that the place in the brick decides.
template <int D>
int colour_of(int local) {
    return local_coord<D>(local).sum() & 1;
}

/// Where the cell at place `local` of a brick lies in colour order, and the colour of what lies there.
template <int D>
int colour_place(int local) {
    return colour_of<D>(local) * half_brick<D> + local / 2;
}
template <int D>
int colour_at(int place) {
    return place / half_brick<D>;
}
/// The same for places in a vector of bricks.
template <int D>
std::ptrdiff_t colour_order(std::ptrdiff_t cell) {
    return cell / Brick<D>::cells * Brick<D>::cells + colour_place<D>(static_cast<int>(cell % Brick<D>::cells));
}

/// First of a row's cells of even x, and of odd x, in a brick in colour order.
template <int D>
[[gnu::always_inline]] inline int even_cells(int y, int z) {
    return ((y + z) & 1) * half_brick<D> + half_row<D> * (y + Brick<D>::size[1] * z);
}
template <int D>
[[gnu::always_inline]] inline int odd_cells(int y, int z) {
    return ((y + z + 1) & 1) * half_brick<D> + half_row<D> * (y + Brick<D>::size[1] * z);
}

/// A brick of values, scaled, into colour order, and back.
template <int D, class From, class To>
inline void part_brick(const From* from, From scale, To* to) {
    using V = Pack<From, 8>;
    for_each_brick_row<D>([&](int y, int z) __attribute__((always_inline)) {
        const From* row = from + 2 * half_row<D> * (y + Brick<D>::size[1] * z);
        To *even = to + even_cells<D>(y, z), *odd = to + odd_cells<D>(y, z);
        for (int i = 0; i < half_row<D>; i += 8) {
            const auto a = __builtin_convertvector(V(load_pack<V>(row + 2 * i) * scale), Pack<To, 8>);
            const auto b = __builtin_convertvector(V(load_pack<V>(row + 2 * i + 8) * scale), Pack<To, 8>);
            store_pack(even + i, __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
            store_pack(odd + i, __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
        }
    });
}
template <int D, class T>
inline void join_brick(const T* from, T* to) {
    using V = Pack<T, 8>;
    for_each_brick_row<D>([&](int y, int z) __attribute__((always_inline)) {
        T* row = to + 2 * half_row<D> * (y + Brick<D>::size[1] * z);
        const T *even = from + even_cells<D>(y, z), *odd = from + odd_cells<D>(y, z);
        for (int i = 0; i < half_row<D>; i += 8) {
            const auto a = load_pack<V>(even + i), b = load_pack<V>(odd + i);
            store_pack(row + 2 * i, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
            store_pack(row + 2 * i + 8, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
        }
    });
}

/// Calls f.template operator()<shift>(k, at) for the rows of a brick, of which row k = 0, 1, ... since the readers'
/// last go() begins at place `at` of its colour's half, its cells being at x = 2 i + shift.
template <int D, int colour, class F, class... Readers>
[[gnu::always_inline]] inline void for_each_colour_row(int y, int z, const F& f, Readers&... readers) {
    (readers.go(y, z), ...);
    const int block = half_row<D> * (y + Brick<D>::size[1] * z);
    if (((colour + z) & 1) == 0)
        for (int k = 0; k < rows_at_once; k += 2) {
            f.template operator()<0>(k, block + half_row<D> * k);
            f.template operator()<1>(k + 1, block + half_row<D> * (k + 1));
        }
    else
        for (int k = 0; k < rows_at_once; k += 2) {
            f.template operator()<1>(k, block + half_row<D> * k);
            f.template operator()<0>(k + 1, block + half_row<D> * (k + 1));
        }
}

/// Values of one array around the cells of a colour: all of them are of the other colour.
template <int D, class T, int colour>
class ColourReader : public NeighbourRows<D, T, half_row<D>> {
    using Rows = NeighbourRows<D, T, half_row<D>>;

  public:
    static constexpr int nx = half_row<D>;
    static constexpr int lanes = std::min(nx, 64 / static_cast<int>(sizeof(T)));
    using V = Pack<T, lanes>;

    [[gnu::always_inline]] ColourReader(const T* data, const FaceSlots<D>& slots)
        : Rows(data + (1 - colour) * half_brick<D>, slots) {}

    /// The neighbours of the pack from i on in row k, below and above along an axis.
    template <int shift>
    [[gnu::always_inline, nodiscard]] V lower(int axis, int k, int i) const {
        if (axis > 0) return load_pack<V>(this->below(axis, k) + i);
        const V here = load_pack<V>(this->row(k) + i);
        if constexpr (shift == 1) return here;
        return shift_up<V, lanes>(load_pack<V>(i > 0 ? this->row(k) + i - lanes : this->left(k) + nx - lanes), here);
    }
    template <int shift>
    [[gnu::always_inline, nodiscard]] V upper(int axis, int k, int i) const {
        if (axis > 0) return load_pack<V>(this->above(axis, k) + i);
        const V here = load_pack<V>(this->row(k) + i);
        if constexpr (shift == 0) return here;
        return shift_down<V, lanes>(here, load_pack<V>(i + lanes < nx ? this->row(k) + i + lanes : this->right(k)));
    }
};

}  // namespace tidelock
