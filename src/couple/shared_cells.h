/// Cells in which the fluids of two sides of a solid would meet.
///
/// Problem  A cell whose centre is solid has a pressure if one of its faces is open. At the foot of a wall that stands on
///          a thin floor one face opens to the room, another to what is below: the cell would be a hole in the corner.
/// Rule     numerics/interface 3: where what lies beyond the open faces of such a cell is not connected around it, within
///          the ring of cells, the group with most of its faces keeps it and the other faces are closed.
#pragma once

#include "couple/interface.h"

namespace tidelock {

/// Fractional scheme, before it is known which cells are dry.
template <int D>
void divide_shared_cells(Interface<D>& interface);

}  // namespace tidelock
