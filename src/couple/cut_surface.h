/// The surface of a liquid as it is seen: closed, ending at solids and at the sides of the domain.
///
/// Problem  The level set goes on into solids. Its own surface fills thin walls, joins what they part, and encloses more
///          than the liquid's volume.
/// Method   The level set of couple/cut_level.h is sampled twice as fine as the grid and meshed
///          (geometry/level_set_mesher.h); points beside solids are moved onto them, those where a surface meets a solid
///          onto both. Farther than 1.5 cells from solids the mesh is thinned to the grid's cells
///          (geometry/mesh_thinning.h). Without solids near the liquid it is that of geometry/level_set_surface.h.
/// Promise  Liquid on both sides of a wall stays in two pieces, however thin the wall. Same bits on any number of threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "couple/solid_surfaces.h"
#include "geometry/shape.h"
#include "grid/domain.h"

namespace tidelock {

/// `overlap` [m]: how far it goes into solids, as renderers of liquids in glass may want it; keep it below half of what
/// the solids' walls are thick. In those thinner than 0.8 cells it is at most 0.4 of that.
template <int D>
[[nodiscard]] Surface<D> cut_surface(const Grid<D>& grid, const Field<D, double>& phi,
                                     const std::shared_ptr<const SolidSurfaces<D>>& surfaces, double overlap);

/// The velocity [m/s] at points of it, as fluid/visible_velocity.h reads it: what lies in or behind solids is theirs.
template <int D>
[[nodiscard]] std::vector<Vec<D>> cut_surface_velocity(std::span<const Vec<D>> points, const Grid<D>& grid,
                                                       const FaceField<D, double>& velocity,
                                                       const std::shared_ptr<const SolidSurfaces<D>>& surfaces);

}  // namespace tidelock
