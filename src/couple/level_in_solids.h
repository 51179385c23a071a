/// The liquid's level set in cells whose centre lies in a solid.
///
/// Problem  A solid's inside belongs to nobody, but a cell that it cuts has a pressure even if its centre is solid, and
///          with it a phi. What the other side of the solid holds says nothing about it: air in a cell that only liquid
///          can flow into is a hole through which it pours away.
/// Rule     numerics/surface 5: phi goes on into such a cell as a plane from the cells of the fluid that are reached
///          through open faces (couple/level_fit.h). A level surface meets a wall level, and water beside it rests.
///          Other surfaces stop at the wall: liquid that reaches the solid's own surface leaves no air in the cell,
///          though its centre lies deeper.
/// Beyond   cells without a pressure phi goes on for three cells more, for what reads it between centres; where two
///          sides meet, as the liquid's.
#pragma once

#include "couple/interface.h"

namespace tidelock {

/// phi [m] on the interface's bricks; gravity [m/s^2] says what is level. Cells of the fluid keep their phi, and so
/// do those in solids where it is nearly what the rule says, unless it is asked for `anew`.
template <int D>
void settle_in_solids(const Grid<D>& grid, const Interface<D>& interface, const SolidSurfaces<D>& surfaces,
                      const Vec<D>& gravity, Field<D, double>& phi, bool anew = false);

}  // namespace tidelock
