/// Rays and closest points against a triangle mesh, by Embree.
///
/// Accuracy   Embree finds candidate triangles in single precision, in coordinates relative to the mesh's middle, by
///            its robust (watertight) traversal; position, parameter and weights are then computed in double on the
///            triangle. A segment that passes within `tolerance()` = 1e-6 of the scene's scale of a triangle's edge may
///            be counted as hitting it: never a leak between two triangles, at worst a hit just off an open rim.
/// Order      results do not depend on threads: the nearest hit by double t, then the lowest triangle.
/// Sides      triangles are hit from both sides.
/// Threads    queries are const and may run at once; refit() needs the mesh to itself.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

struct Segment {
    Vec3 a, b;
};

struct SegmentHit {
    double t;  ///< in [0, 1]: the point a + t (b - a)
    int triangle;
    Vec3 weights;  ///< barycentric, of the triangle's three points: >= 0, sum 1
    Vec3 normal;   ///< unit, out of the solid by the triangle's orientation, whichever side was hit
};

struct ClosestPoint {
    Vec3 point;  ///< [m]
    int triangle;
    Vec3 weights;     ///< barycentric
    double distance;  ///< [m], >= 0
};

class MeshQueries {
  public:
    /// Copies what it needs of the mesh. Throws InputError for a mesh without triangles, with indices out of range or
    /// coordinates that are not finite.
    explicit MeshQueries(const TriangleMesh& mesh);
    ~MeshQueries();
    MeshQueries(MeshQueries&&) noexcept;
    MeshQueries& operator=(MeshQueries&&) noexcept;

    /// The first triangle on the way from a to b, both ends included.
    [[nodiscard]] std::optional<SegmentHit> segment_hit(const Vec3& a, const Vec3& b) const;
    /// The same for many, in parallel.
    [[nodiscard]] std::vector<std::optional<SegmentHit>> segment_hits(std::span<const Segment> segments) const;

    /// The nearest point of the mesh if it is no farther than max_distance (may be infinite).
    [[nodiscard]] std::optional<ClosestPoint> closest_point(const Vec3& x, double max_distance) const;

    /// Whether x is inside a closed mesh, by the parity of crossings along a ray. A ray that comes too near an edge to
    /// be counted safely is replaced by another one; x on the surface itself may give either answer.
    [[nodiscard]] bool inside(const Vec3& x) const;

    /// New positions for the same triangles: faster than building anew, best for motions small beside the mesh.
    void refit(std::span<const Vec3> points);

    /// How far off an edge a hit may be [m]; see above. Zero-length segments never hit.
    [[nodiscard]] double tolerance() const;
    [[nodiscard]] const TriangleMesh& mesh() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tidelock
