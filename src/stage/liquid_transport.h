/// The liquid's surface and what carries it go with the flow.
#pragma once

#include "fluid/liquid_bricks.h"
#include "fluid/obstacles.h"
#include "stage/step.h"

namespace tidelock {

/// Cells up to which the level set is a distance.
inline constexpr double level_band = liquid_rim;

/// Level set, markers and particles, and the velocity where it is carried on the grid (then Step::velocity), with the
/// velocity of the last solve, past the moving solids.
template <int D>
void carry_liquid(const LiquidParameters<D>& parameters, Step<D>& step);

/// Removes markers in solids, and those behind thin ones: the level set that seeded them goes on into solids and shows
/// there.
template <int D>
void drop_buried(const Grid<D>& grid, const Field<D, double>& phi, const Obstacles<D>& solids, Markers<D>& markers);

}  // namespace tidelock
