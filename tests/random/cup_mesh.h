/// Meshes for random scenes: what is turned on a lathe.
#pragma once

#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

/// The solid that the closed outline (x: distance from the axis, >= 0; y: height), counter-clockwise, makes when it is
/// turned about y, in `segments` parts. The first and the last point lie on the axis, the others beside it.
[[nodiscard]] TriangleMesh lathe(const std::vector<Vec2>& outline, int segments);

/// A cup, a tumbler that widens, or a bottle with a narrow neck: outer radius and height 1 and 2 at most, centred
/// anywhere; `wall`: of its thickness.
enum class Vessel { cup, tumbler, bottle };
[[nodiscard]] TriangleMesh vessel(Vessel kind, double wall, int segments);

}  // namespace tidelock
