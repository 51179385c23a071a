/// The shape of a brick of cells, and the arithmetic between cell coordinates, bricks and places in a brick.
///
/// A brick holds 1024 cells in both dimensions: 16x8x8 in space, 32x32 in the plane; 4 KiB of float, 8 KiB of
/// double. The shape was chosen by measurement (ARCHITECTURE.md, "Bricks"). x runs fastest inside a brick.
#pragma once

#include <cstdint>

#include "base/vec.h"

namespace tidelock {

template <int D>
struct Brick;

template <>
struct Brick<3> {
    static constexpr int bits[3] = {4, 3, 3};
    static constexpr int size[3] = {16, 8, 8};
    static constexpr int cells = 1024;
    static constexpr int neighbours = 27;
};

template <>
struct Brick<2> {
    static constexpr int bits[2] = {5, 5};
    static constexpr int size[2] = {32, 32};
    static constexpr int cells = 1024;
    static constexpr int neighbours = 9;
};

/// The brick that holds a cell.
template <int D>
TIDELOCK_HD inline Coord<D> brick_of(const Coord<D>& cell) {
    Coord<D> b;
    for (int a = 0; a < D; ++a) b[a] = cell[a] >> Brick<D>::bits[a];
    return b;
}

/// Place of a cell inside its brick, in [0, Brick<D>::cells).
template <int D>
TIDELOCK_HD inline int local_index(const Coord<D>& cell) {
    int index = 0;
    for (int a = D - 1; a >= 0; --a) index = (index << Brick<D>::bits[a]) | (cell[a] & (Brick<D>::size[a] - 1));
    return index;
}

/// The inverse of local_index: coordinates inside the brick.
template <int D>
TIDELOCK_HD inline Coord<D> local_coord(int index) {
    Coord<D> c;
    for (int a = 0; a < D; ++a) {
        c[a] = index & (Brick<D>::size[a] - 1);
        index >>= Brick<D>::bits[a];
    }
    return c;
}

/// Distance in a brick between neighbours along an axis.
template <int D>
TIDELOCK_HD inline constexpr int local_stride(int axis) {
    int bits = 0;
    for (int a = 0; a < axis; ++a) bits += Brick<D>::bits[a];
    return 1 << bits;
}

/// f(place) for the cells of one layer of a brick, across an axis.
template <int D, class F>
inline void for_each_in_layer(int axis, int layer, const F& f) {
    const int stride = local_stride<D>(axis), step = stride * Brick<D>::size[axis];
    for (int block = 0; block < Brick<D>::cells; block += step)
        for (int k = 0; k < stride; ++k) f(block + layer * stride + k);
}

/// First cell of a brick.
template <int D>
TIDELOCK_HD inline Coord<D> first_cell(const Coord<D>& brick) {
    Coord<D> c;
    for (int a = 0; a < D; ++a) c[a] = brick[a] << Brick<D>::bits[a];
    return c;
}

/// Place of a brick along the Z-shaped curve that fills the lattice: the bits of its coordinates, interleaved, x
/// lowest. Bricks that are near in space are near on the curve, at every scale; a lower neighbour always comes first.
template <int D>
TIDELOCK_HD inline std::uint64_t morton_code(const Coord<D>& brick) {
    std::uint64_t code = 0;
    for (int a = 0; a < D; ++a)
        for (int bit = 0; bit < 64 / D; ++bit)
            code |= ((static_cast<std::uint64_t>(brick[a]) >> bit) & 1u) << (D * bit + a);
    return code;
}

/// Place of the neighbour at offset in {-1, 0, 1}^D in a brick's row of the neighbour table; the centre is the brick
/// itself.
template <int D>
TIDELOCK_HD inline constexpr int neighbour_slot(int dx, int dy, int dz = 0) {
    return D == 3 ? (dx + 1) + 3 * (dy + 1) + 9 * (dz + 1) : (dx + 1) + 3 * (dy + 1);
}

template <int D>
TIDELOCK_HD inline int neighbour_slot(const Coord<D>& offset) {
    if constexpr (D == 3)
        return neighbour_slot<3>(offset[0], offset[1], offset[2]);
    else
        return neighbour_slot<2>(offset[0], offset[1]);
}

}  // namespace tidelock
