/// Whether liquid that is poured somewhere has anywhere to go.
///
/// An incompressible liquid takes no more where there is neither air nor an open side: its pressure would rise until the
/// source stops. Air that must keep its volume (couple/bubbles.h) makes no room either.
#pragma once

#include <vector>

#include "couple/bubble.h"
#include "couple/interface.h"
#include "fluid/sides.h"
#include "grid/domain.h"

namespace tidelock {

/// What a search for a way out must know.
template <int D>
struct WayOutSearch {
    const Grid<D>& grid;
    const Sides<D>& sides;
    const Interface<D>& interface;
    const Field<D, double>& phi;
    bool air_yields = true;               ///< air gives way; else only open sides and vents do
    const std::vector<CellPlace>& vents;  ///< cells of drains
};

/// Cells that are joined by open faces.
template <int D>
struct JoinedCells {
    bool way_out = false;  ///< then the search has ended there
    std::ptrdiff_t cells = 0;
    Coord<D> low = Coord<D>::Zero(), high = low;  ///< the first and the last of them along each axis
};

/// Cells of the domain where the search starts.
template <int D>
[[nodiscard]] JoinedCells<D> find_way_out(const WayOutSearch<D>& search, const std::vector<CellPlace>& start);

}  // namespace tidelock
