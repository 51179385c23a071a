/// The level set of a liquid's first shape among solids.
///
/// Problem  A user fills a cup with a shape that ends where the cup does, or within its walls. The distance to that
///          shape is one to sides that are no surfaces: no air is there.
/// Rule     numerics/surface 5: phi is the distance to what air can touch of the shape's surface. Where the nearest
///          point of it is hidden by a solid, or beyond the domain's sides, or has no room for air beside it (a quarter of a cell), phi goes on as a
///          plane from cells where it is right, and is made a distance farther away. A level surface is one whatever
///          lies on it. The sign of a cell outside of solids is that of the shape.
#pragma once

#include <memory>

#include "couple/solid_surfaces.h"

namespace tidelock {

/// `phi` [m]: of `shape`, clamped to its background. `surfaces`: where the solids are.
template <int D>
void see_first_level(const Grid<D>& grid, const DistanceFunction<D>& shape,
                     const std::shared_ptr<const SolidSurfaces<D>>& surfaces, const Vec<D>& gravity,
                     Field<D, double>& phi);

}  // namespace tidelock
