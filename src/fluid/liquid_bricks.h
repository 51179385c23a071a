/// Which bricks a liquid needs in the next step.
#pragma once

#include "fluid/liquid.h"

namespace tidelock {

/// Cells around the liquid, beyond those that it may cross in a step, that stencils and the level set's band read.
inline constexpr int liquid_rim = 5;

/// Bricks within `reach` + liquid_rim cells of a cell with phi < 0 or of a particle, and those of `also`, in the
/// lattice that holds the upper walls.
template <int D>
BrickSetPtr<D> liquid_bricks(const Grid<D>& grid, const Liquid<D>& liquid, int reach, const BrickSetPtr<D>& also);

/// Moves the fields of a liquid to a set of bricks; new bricks hold air at rest.
template <int D>
void move_to_bricks(const BrickSetPtr<D>& set, Liquid<D>& liquid);

}  // namespace tidelock
