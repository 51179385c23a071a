/// Cells next to a cell, and cells along a side of the domain, by slot and place.
#pragma once

#include "base/parallel.h"
#include "grid/domain.h"
#include "grid/neighbour_cell.h"

namespace tidelock {

/// Calls f(slot, local, cell) for the first (side 0) or last (side 1) cells of the domain along an axis, in order.
template <int D, class F>
void for_each_side_cell_in_brick(const Grid<D>& grid, const BrickSet<D>& set, int axis, int side, std::ptrdiff_t brick,
                                 F&& f) {
    const int layer = side == 0 ? 0 : grid.cells[axis] - 1;
    const Coord<D> corner = first_cell<D>(set.brick(brick));
    if (corner[axis] > layer || corner[axis] + Brick<D>::size[axis] <= layer) return;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const Coord<D> cell = corner + local_coord<D>(i);
        if (cell[axis] == layer && grid.contains(cell)) f(brick, i, cell);
    }
}

/// The same for all bricks, in parallel.
template <int D, class F>
void for_each_side_cell(const Grid<D>& grid, const BrickSet<D>& set, int axis, int side, F&& f) {
    parallel_for("sides", set.count(),
                 [&](std::ptrdiff_t b) { for_each_side_cell_in_brick<D>(grid, set, axis, side, b, f); });
}

/// The brick below a brick along an axis.
template <int D>
std::ptrdiff_t lower_neighbour(const BrickSet<D>& set, std::ptrdiff_t slot, int axis) {
    Coord<D> back = Coord<D>::Zero();
    back[axis] = -1;
    return set.neighbours(slot)[static_cast<std::size_t>(neighbour_slot<D>(back))];
}

}  // namespace tidelock
