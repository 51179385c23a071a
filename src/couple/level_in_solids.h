/// The liquid's level set in cells whose centre lies in a solid, but which have a pressure.
///
/// Problem  Such a cell sees one side of its solid only. phi goes on through solids, and in a thin wall it may be that
///          of the other side: air in a cell that only liquid can flow into is a hole through which it pours away.
/// Rule     numerics/surface 5: where phi says something else than all open neighbours, it is set to half a cell on
///          their side.
/// Deviates Not where phi belongs to this side: a cell of the fluid that says the same as phi is reached along the
///          solid's surface, from one such cell to the next through open faces, at its height (no more than 1.5 cells
///          higher or lower) and without going around an edge of the solid (the normals in both cells are less than a
///          right angle apart). That is a level surface which meets the solid near by, or lies along it: changed there,
///          the water beside a ball that hangs a tenth of a cell above it would not rest.
/// Symbols  A cell's normal is what its open shares say: the difference between those of its upper and lower faces.
#pragma once

#include "couple/interface.h"

namespace tidelock {

/// phi [m] on the interface's bricks. Without gravity [m/s^2] nothing is level, and the rule counts alone.
template <int D>
void settle_in_solids(const Grid<D>& grid, const Interface<D>& interface, const Vec<D>& gravity, Field<D, double>& phi);

}  // namespace tidelock
