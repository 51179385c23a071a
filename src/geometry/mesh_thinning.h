/// Fewer points where a mesh is finer than need be, and still closed: points of one group that edges join become one,
/// at their mean. Parts of a group that are not joined stay apart (two sheets in a cell), and so do points whose union
/// would give an edge more than two triangles.
#pragma once

#include <array>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

/// What points have in common to become one; `whole` ones stay what they are.
struct PointGroup {
    bool whole = true;
    std::array<int, 3> cell{};  ///< where they lie
    int kind = 0;               ///< and on what

    auto operator<=>(const PointGroup&) const = default;
};

struct ThinnedMesh {
    TriangleMesh mesh;
    std::vector<int> first;  ///< per point: the first point of the old mesh that it stands for
};

/// `groups`: one a point of the mesh, which is closed.
[[nodiscard]] ThinnedMesh thin_out(const TriangleMesh& mesh, const std::vector<PointGroup>& groups);

}  // namespace tidelock
