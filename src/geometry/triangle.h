/// Queries of one triangle, in double. The mesh queries find candidates in single precision and end here.
#pragma once

#include "base/vec.h"

namespace tidelock {

/// Barycentric weights (of a, b, c) of the point of the triangle nearest to x: >= 0, sum 1. Also for slivers.
[[nodiscard]] Vec3 closest_weights(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c);

/// Where the line p + t d meets the plane of the triangle.
struct PlaneHit {
    bool exists = false;  ///< false if d is parallel to the plane or the triangle has no area
    double t = 0;
    Vec3 weights = Vec3::Zero();  ///< barycentric, negative outside the triangle; sum 1
};
[[nodiscard]] PlaneHit meet_plane(const Vec3& p, const Vec3& d, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace tidelock
