/// A level set that goes on as a plane from cells where it is known.
///
/// Rule     numerics/surface 5. The plane is fitted by weighted least squares to the known cells that lie within two
///          cells and are reached through open ways; near ones count most, and far from the surface only for what
///          those beside it do not tell. Exact where phi is linear there, so that a level surface goes on level whatever the turn of the wall that it meets.
/// Limits   Along directions in which the known cells do not differ phi goes on unchanged.
#pragma once

#include <optional>

#include "couple/open_ways.h"
#include "grid/domain.h"
#include "solve/poisson_operator.h"

namespace tidelock {

/// phi = value + slope . (x - centre) around the centre of a cell.
template <int D>
struct LevelPlane {
    double value = 0;               ///< [m]
    Vec<D> slope = Vec<D>::Zero();  ///< [-]
    bool near_surface = false;      ///< cells beside the surface have told
    bool liquid = false;            ///< and some cells of liquid
};

template <int D>
class LevelFit {
  public:
    /// All on the same bricks, kept by reference. `ways` of couple/open_ways.h; `known` marks cells whose phi counts.
    LevelFit(const Grid<D>& grid, const Mask<D>& ways, const Mask<D>& known, const Field<D, double>& phi)
        : grid_(grid), ways_(ways), known_(known), phi_(phi) {}

    /// Nothing unless a known cell lies beyond one of the cell's open faces: phi goes on from cell to cell, so that there
    /// are samples behind each other.
    [[nodiscard]] std::optional<LevelPlane<D>> at(const CellPlace& cell) const;

  private:
    [[nodiscard]] bool beside_known(const CellPlace& cell, const Coord<D>& place) const;

    const Grid<D>& grid_;
    const Mask<D>& ways_;
    const Mask<D>& known_;
    const Field<D, double>& phi_;
};

}  // namespace tidelock
