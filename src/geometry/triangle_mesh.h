/// A triangle mesh. Of a solid: triangles run counter-clockwise seen from outside, so (b - a) x (c - a) points out.
#pragma once

#include <array>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/mass_properties.h"

namespace tidelock {

struct TriangleMesh {
    std::vector<Vec3> points;                   ///< [m]
    std::vector<std::array<int, 3>> triangles;  ///< indices into points
};

[[nodiscard]] Bounds<3> bounds(const TriangleMesh& mesh);
[[nodiscard]] double area(const TriangleMesh& mesh);
/// (b - a) x (c - a): twice the area, along the outward normal.
[[nodiscard]] Vec3 area_normal(const TriangleMesh& mesh, int triangle);
/// Volume enclosed by a closed mesh; negative if it is inside out. Without meaning for an open mesh.
[[nodiscard]] double signed_volume(const TriangleMesh& mesh);

/// Exact for the polyhedron (divergence theorem), for closed meshes. Throws InputError unless the volume is > 0;
/// whether the mesh is closed is for mesh_doctor.h to say.
[[nodiscard]] MassProperties<3> mass_properties(const TriangleMesh& mesh);

/// x -> linear * x + offset. A mirroring map also turns the triangles, so that normals stay outward.
void transform(TriangleMesh& mesh, const Mat3& linear, const Vec3& offset);
/// Turns every triangle around.
void flip(TriangleMesh& mesh);

}  // namespace tidelock
