#include "io/body_surface.h"

#include <algorithm>
#include <cmath>

namespace tidelock {

namespace {

/// The part of a convex polygon where n . x <= d [SH74]. Points on the cut are appended to `cut`.
template <int D>
std::vector<Vec<D>> clipped(const std::vector<Vec<D>>& polygon, const Vec<D>& n, double d, std::vector<Vec<D>>& cut) {
    std::vector<Vec<D>> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec<D>&a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        const double at_a = n.dot(a) - d, at_b = n.dot(b) - d;
        if (at_a <= 0) kept.push_back(a);
        if ((at_a <= 0) == (at_b <= 0)) continue;
        kept.push_back(a + at_a / (at_a - at_b) * (b - a));
        cut.push_back(kept.back());
    }
    return kept;
}

void add_fan(const std::vector<Vec3>& polygon, TriangleMesh& mesh) {
    const int first = static_cast<int>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), polygon.begin(), polygon.end());
    for (int i = 2; i < static_cast<int>(polygon.size()); ++i)
        mesh.triangles.push_back({first, first + i - 1, first + i});
}

Polyline clipped_domain(const Bounds<2>& box, const Pose<2>& pose, const Vec2& n, double d) {
    std::vector<Vec2> cut;
    const std::vector<Vec2> corners{box.low, {box.high[0], box.low[1]}, box.high, {box.low[0], box.high[1]}};
    Polyline line;
    for (const Vec2& x : clipped<2>(corners, n, d, cut)) line.points.push_back(pose.to_body(x));
    const int count = static_cast<int>(line.points.size());
    if (count < 3) return {};
    for (int i = 0; i < count; ++i) line.segments.push_back({i, (i + 1) % count});
    return line;
}

TriangleMesh clipped_domain(const Bounds<3>& box, const Pose<3>& pose, const Vec3& n, double d) {
    TriangleMesh mesh;
    std::vector<Vec3> cut;
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            std::vector<Vec3> corners(4, box.low);
            for (auto& x : corners) x[a] = side == 0 ? box.low[a] : box.high[a];
            corners[1][b] = corners[2][b] = box.high[b];
            corners[2][c] = corners[3][c] = box.high[c];
            if (side == 0) std::reverse(corners.begin(), corners.end());
            add_fan(clipped<3>(corners, n, d, cut), mesh);
        }
    if (cut.size() >= 3) {  // the lid, in the order of the angle around its middle
        Vec3 middle = Vec3::Zero();
        for (const Vec3& x : cut) middle += x / static_cast<double>(cut.size());
        const Vec3 right = n.unitOrthogonal(), up = n.cross(right);
        const auto angle = [&](const Vec3& x) { return std::atan2(up.dot(x - middle), right.dot(x - middle)); };
        std::sort(cut.begin(), cut.end(), [&](const Vec3& x, const Vec3& y) { return angle(x) < angle(y); });
        add_fan(cut, mesh);
    }
    if (mesh.triangles.empty()) return {};
    for (Vec3& x : mesh.points) x = pose.to_body(x);
    return mesh;
}

}  // namespace

template <int D>
Surface<D> body_surface(const RigidBody<D>& body, const Grid<D>& grid, int resolution) {
    if (!std::isfinite(body.radius)) {
        const Pose<D> pose(body.start.position, body.start.rotation);
        const Vec<D> n = pose.matrix * body.shape->gradient(Vec<D>::Zero());
        return clipped_domain({grid.origin, grid.upper()}, pose, n, n.dot(pose.position));
    }
    Surface<D> surface = body.shape->display_mesh(resolution);
    for (Vec<D>& x : surface.points) x -= body.shape_offset;
    return surface;
}

TriangleMesh slab(const Polyline& outline, double thickness) {
    TriangleMesh mesh;
    std::vector<Vec3> lid, bottom;
    for (const Vec2& x : outline.points) lid.emplace_back(x[0], x[1], 0.5 * thickness);
    for (const Vec2& x : outline.points) bottom.emplace_back(x[0], x[1], -0.5 * thickness);
    std::reverse(bottom.begin(), bottom.end());
    add_fan(lid, mesh);
    add_fan(bottom, mesh);
    for (const auto& [from, to] : outline.segments) {
        const Vec2 &a = outline.points[static_cast<std::size_t>(from)],
                   &b = outline.points[static_cast<std::size_t>(to)];
        const double z = 0.5 * thickness;
        add_fan({{a[0], a[1], -z}, {b[0], b[1], -z}, {b[0], b[1], z}, {a[0], a[1], z}}, mesh);
    }
    return mesh;
}

Polyline hollowed(const RigidBody<2>& body, double thickness) {
    Polyline ring = body.shape->surface_mesh(picture_turn);  // corners have no normal: many points
    for (Vec2& x : ring.points) x -= body.shape_offset;
    const Polyline outline = ring;
    const int count = static_cast<int>(outline.points.size());
    for (const Vec2& x : outline.points)
        ring.points.emplace_back(x - thickness * body.shape->gradient(x + body.shape_offset));
    for (const auto& [from, to] : outline.segments) ring.segments.push_back({to + count, from + count});
    return ring;
}

template Polyline body_surface(const RigidBody<2>&, const Grid<2>&, int);
template TriangleMesh body_surface(const RigidBody<3>&, const Grid<3>&, int);

}  // namespace tidelock
