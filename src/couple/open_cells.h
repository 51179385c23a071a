/// What solids leave of the cells, and how much liquid is in it.
#pragma once

#include <memory>
#include <optional>

#include "couple/solid_surfaces.h"
#include "grid/domain.h"

namespace tidelock {

/// Share of each cell that is not solid, by its centre's distance; empty without solids.
template <int D>
std::optional<Field<D, double>> open_cells(const Grid<D>& grid, const BrickSetPtr<D>& set,
                                           const SolidSurfaces<D>& surfaces);

/// Share of each cell that is liquid {phi < 0} and not solid. The level set goes on into solids; a cell whose centre lies
/// in one is open on the side of the nearest surface, and what is there decides: behind a thin wall that is not the
/// liquid in front of it. In cells beside a wall phi counts as it is seen from their centres.
template <int D>
Field<D, double> wet_cells(const Grid<D>& grid, const Field<D, double>& phi,
                           const std::shared_ptr<const SolidSurfaces<D>>& surfaces);

/// Volume of that [m^D].
template <int D>
double measured_volume(const Grid<D>& grid, const Field<D, double>& phi,
                       const std::shared_ptr<const SolidSurfaces<D>>& surfaces);

}  // namespace tidelock
