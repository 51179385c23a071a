/// Which cells are one space: from which cell to which fluid can pass.
///
/// A surface between two cells is one only where fluid can pass from the one to the other. Behind a closed face, or in
/// a solid, lies another space, or none, and what is there says nothing about this side.
#pragma once

#include "couple/interface.h"

namespace tidelock {

/// Per cell one bit for each of its faces, 2 axis + side (grid/distance.h): set where an open share is left. None in
/// cells without a pressure.
template <int D>
Mask<D> open_ways(const Interface<D>& interface);

}  // namespace tidelock
