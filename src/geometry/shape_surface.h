/// Builds the surfaces of analytic shapes (Shape::surface_mesh).
#pragma once

#include <vector>

#include "geometry/shape.h"

namespace tidelock {

/// A curve in the half-plane (rho, y), rho >= 0 the distance from the y axis; goes up on the outside of the solid.
using Profile = std::vector<Vec2>;

/// Appends the straight line from the profile's end to `end`, in steps of at most `step` [m].
void append_line(Profile& profile, const Vec2& end, double step);
/// Appends an arc around `centre` from angle `from` to `to` (counted from +rho towards +y), both ends included.
void append_arc(Profile& profile, const Vec2& centre, double radius, double from, double to, int steps);

/// Turns the profile around the y axis in `resolution` steps. Points with rho = 0 become single poles; a closed
/// profile (a torus) joins its last point to its first.
[[nodiscard]] TriangleMesh revolve(const Profile& profile, int resolution, bool closed_profile);
/// The closed outline through the points, in their order.
[[nodiscard]] Polyline close_outline(std::vector<Vec2> points);
/// Surface of the box from -half to half, each edge cut into `steps` pieces.
[[nodiscard]] TriangleMesh box_mesh(const Vec3& half, int steps);

/// Throws InputError unless resolution >= 3.
void check_resolution(int resolution);

}  // namespace tidelock
