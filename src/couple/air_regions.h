/// Connected regions of air, and which of them reach the atmosphere.
///
/// Rule     numerics/bubbles 2. Cells are connected through faces with an open share. A region reaches the atmosphere
///          through an open side of the domain or through a vent. If none reaches an open side, the largest one counts
///          as the atmosphere: that it keeps its volume follows from all the others.
#pragma once

#include "couple/cell_contents.h"
#include "fluid/sides.h"
#include "solve/poisson_operator.h"

namespace tidelock {

/// Where air is looked for. Sides and solids bound it.
template <int D>
struct AirSearch {
    const Grid<D>& grid;
    const Sides<D>& sides;
    const Interface<D>& interface;
    const std::vector<CellPlace>& vents;  ///< cells that reach the atmosphere by other ways than a side, as drains do
};

struct AirRegion {
    std::vector<CellPlace> cells;  ///< sorted
    bool open = false;             ///< reaches the atmosphere
    bool wet = false;              ///< liquid is beside it
};

/// In the order of their first cells.
template <int D>
std::vector<AirRegion> find_air(const AirSearch<D>& search, const CellContents<D>& contents);

}  // namespace tidelock
