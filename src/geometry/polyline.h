/// The outline of a plane region: segments run counter-clockwise around the solid, so that the solid is on the left
/// and (dy, -dx) points out of it. The 2D counterpart of TriangleMesh.
#pragma once

#include <array>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/mass_properties.h"

namespace tidelock {

struct Polyline {
    std::vector<Vec2> points;                  ///< [m]
    std::vector<std::array<int, 2>> segments;  ///< indices into points
};

[[nodiscard]] Bounds<2> bounds(const Polyline& line);
[[nodiscard]] double length(const Polyline& line);
/// Area enclosed by closed loops; negative if they run clockwise.
[[nodiscard]] double signed_area(const Polyline& line);
/// Exact for the polygon. Throws InputError unless the enclosed area is > 0.
[[nodiscard]] MassProperties<2> mass_properties(const Polyline& line);

}  // namespace tidelock
