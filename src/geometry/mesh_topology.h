/// Which triangles meet at which edges. Built once from a mesh, used by the doctor and by the repairs.
#pragma once

#include <span>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

/// One side of a triangle. It runs from `low` to `high` if forward, else from high to low.
struct EdgeUse {
    int low, high;  ///< point indices, low < high
    int triangle;
    bool forward;
};

class MeshTopology {
  public:
    explicit MeshTopology(const TriangleMesh& mesh);

    [[nodiscard]] std::size_t edge_count() const { return starts_.size() - 1; }
    /// All uses of one edge. Two on a manifold, in opposite directions if orientation is consistent.
    [[nodiscard]] std::span<const EdgeUse> uses(std::size_t edge) const {
        return {uses_.data() + starts_[edge], uses_.data() + starts_[edge + 1]};
    }
    /// Uses forward minus uses backward: 0 on every edge exactly if the mesh bounds a volume.
    [[nodiscard]] int balance(std::size_t edge) const;

    /// Triangles connected through edges, whatever the number of uses: a number per triangle, from 0.
    [[nodiscard]] const std::vector<int>& component() const { return component_; }
    [[nodiscard]] int component_count() const { return component_count_; }

  private:
    std::vector<EdgeUse> uses_;        // sorted by (low, high)
    std::vector<std::size_t> starts_;  // edge -> its first use; one more at the end
    std::vector<int> component_;
    int component_count_ = 0;
};

/// Which triangles to turn so that neighbours across two-use edges agree.
struct Orientation {
    std::vector<bool> turn;       ///< per triangle; the minority of each patch
    int flipped = 0;              ///< number of true entries
    int one_sided_patches = 0;    ///< patches that cannot be oriented (Moebius bands)
    std::vector<bool> one_sided;  ///< per triangle: member of such a patch (turn is false there)
};
[[nodiscard]] Orientation find_orientation(const MeshTopology& topology, std::size_t triangle_count);

/// The sign a component's volume should have: +1, or -1 if it bounds a cavity (nested an odd number of times inside
/// other closed components). `closed`: per component, whether it bounds a volume; open ones neither nest nor are asked.
[[nodiscard]] std::vector<int> expected_signs(const TriangleMesh& mesh, const MeshTopology& topology,
                                              const std::vector<bool>& closed, const std::vector<double>& volumes);
/// Signed volume of each component; meaningless for open ones.
[[nodiscard]] std::vector<double> component_volumes(const TriangleMesh& mesh, const MeshTopology& topology);
/// Whether each component's edges are all balanced.
[[nodiscard]] std::vector<bool> closed_components(const MeshTopology& topology);

}  // namespace tidelock
