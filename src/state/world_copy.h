/// A second World that goes its own way: to try a step, or to step twice and compare.
#pragma once

#include "state/world.h"

namespace tidelock {

/// A deep copy, through the walk (state/walk.h). What never changes, bricks and shapes, is shared.
template <int D>
[[nodiscard]] World<D> clone(const World<D>& world);

/// The state of one world becomes that of another of the same scene, in the memory that it has, where bricks are the
/// same.
template <int D>
void copy_state(const World<D>& from, World<D>& to);

}  // namespace tidelock
