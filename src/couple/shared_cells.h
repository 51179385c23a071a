/// Cells in which the fluids of two sides of a solid would meet.
///
/// Problem  A cell whose centre is solid has a pressure if one of its faces is open. A wall of a cell or two has cells with
///          a sliver of fluid on either side: each would be a hole in it. So would one at the foot of a wall that stands
///          on a thin floor.
/// Rule     numerics/interface 3: points half a cell apart, as far around as the faces' dual cells reach, are fluid or solid.
///          Faces belong together if their fluid does, from point to point; the group with most that is open keeps
///          the cell, the other faces are closed.
#pragma once

#include "couple/interface.h"

namespace tidelock {

/// Fractional scheme, before it is known which cells are dry.
template <int D>
void divide_shared_cells(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, Interface<D>& interface);

}  // namespace tidelock
