/// Normals for shading: smooth over curved surfaces, sharp at creases.
#pragma once

#include "geometry/triangle_mesh.h"

namespace tidelock {

/// One unit normal for each corner of each triangle (three a triangle): the mean of the normals, weighted by area, of
/// those triangles around the corner's point that meet this one at less than `crease` [rad]. Triangles without area
/// get (0, 0, 0), since they are never seen.
[[nodiscard]] std::vector<Eigen::Vector3f> corner_normals(const TriangleMesh& mesh, double crease = 0.95);

}  // namespace tidelock
