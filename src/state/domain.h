/// The box in which everything happens, the same for every fluid and every solid.
#pragma once

#include "fluid/sides.h"
#include "grid/domain.h"

namespace tidelock {

/// Set by the user and changed by nobody.
template <int D>
struct Domain {
    Grid<D> grid;
    Vec<D> gravity = Vec<D>::Zero();  ///< [m/s^2]
    Sides<D> sides;
};

}  // namespace tidelock
