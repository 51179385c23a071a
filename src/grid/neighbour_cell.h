/// The cell beside a cell, by brick and place in it.
#pragma once

#include <utility>

#include "grid/brick_set.h"

namespace tidelock {

/// Brick and place of the cell one step along an axis; the void brick where there is none.
template <int D>
std::pair<std::int32_t, int> neighbour_cell(const BrickSet<D>& set, std::ptrdiff_t slot, int local, int axis,
                                            int step) {
    Coord<D> c = local_coord<D>(local);
    Coord<D> offset = Coord<D>::Zero();
    c[axis] += step;
    if (c[axis] < 0) offset[axis] = -1, c[axis] += Brick<D>::size[axis];
    if (c[axis] >= Brick<D>::size[axis]) offset[axis] = 1, c[axis] -= Brick<D>::size[axis];
    return {set.neighbours(slot)[static_cast<std::size_t>(neighbour_slot<D>(offset))], local_index<D>(c)};
}

}  // namespace tidelock
