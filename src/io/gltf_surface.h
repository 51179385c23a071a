/// A triangle mesh as a renderer wants it: one vertex for each point and normal, float.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

struct GltfSurface {
    std::vector<std::array<float, 3>> positions;
    std::vector<std::array<float, 3>> normals;  ///< unit length
    std::vector<std::uint32_t> indices;         ///< three a triangle
};

/// The normal of a corner is the mean of the triangles around its point, weighted by area, that lie within `crease`
/// [rad] of its own triangle: round things look round and boxes keep their edges. Triangles without area are left out.
[[nodiscard]] GltfSurface gltf_surface(const TriangleMesh& mesh, double crease);

}  // namespace tidelock
