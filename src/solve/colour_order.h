/// The order of cells in the V-cycle's vectors: by brick, in a brick by colour, (x + y + z) % 2, and in a colour by
/// row.
///
/// A half sweep of red-black Gauss-Seidel reads one colour and writes the other. Parted like this it touches half of
/// the memory, fills whole packs, and can write in place: no other brick reads what is written. A row of nx cells
/// becomes two of nx / 2. The cells of a colour in it lie at x = 2 i + shift, so those of the other colour are beside
/// them at the same i: in the rows below and above along y and z, and along x on one side; on the other side it is
/// i - 1 or i + 1 (solve/colour_rows-inl.h reads them).
#pragma once

#include <cstddef>

#include "grid/brick.h"

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

/// A brick of values into colour order.
template <int D, class T>
inline void part_brick(const T* from, T* to) {
    for (int z = 0; z < (D == 3 ? Brick<D>::size[D - 1] : 1); ++z)
        for (int y = 0; y < Brick<D>::size[1]; ++y) {
            const T* row = from + 2 * half_row<D> * (y + Brick<D>::size[1] * z);
            T *even = to + even_cells<D>(y, z), *odd = to + odd_cells<D>(y, z);
            for (int i = 0; i < half_row<D>; ++i) even[i] = row[2 * i], odd[i] = row[2 * i + 1];
        }
}

}  // namespace tidelock
