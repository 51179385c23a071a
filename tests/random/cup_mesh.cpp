#include "random/cup_mesh.h"

#include <numbers>

#include "base/math.h"

namespace tidelock {

TriangleMesh lathe(const std::vector<Vec2>& outline, int segments) {
    TriangleMesh mesh;
    const int rings = static_cast<int>(outline.size()) - 2;
    mesh.points.emplace_back(0, outline.front()[1], 0);
    for (int s = 0; s < segments; ++s) {
        const double turn = 2 * std::numbers::pi * s / segments;
        for (int r = 1; r <= rings; ++r) {
            const Vec2& p = outline[static_cast<std::size_t>(r)];
            mesh.points.emplace_back(p[0] * cosine(turn), p[1], p[0] * sine(turn));
        }
    }
    mesh.points.emplace_back(0, outline.back()[1], 0);
    const int last = static_cast<int>(mesh.points.size()) - 1;
    const auto at = [&](int s, int r) { return 1 + (s % segments) * rings + r; };
    for (int s = 0; s < segments; ++s) {
        mesh.triangles.push_back({0, at(s, 0), at(s + 1, 0)});
        for (int r = 0; r + 1 < rings; ++r) {
            mesh.triangles.push_back({at(s, r), at(s, r + 1), at(s + 1, r)});
            mesh.triangles.push_back({at(s + 1, r), at(s, r + 1), at(s + 1, r + 1)});
        }
        mesh.triangles.push_back({at(s, rings - 1), last, at(s + 1, rings - 1)});
    }
    return mesh;
}

TriangleMesh vessel(Vessel kind, double wall, int segments) {
    std::vector<Vec2> outside = {{0, 0}}, inside = {{0, wall}};
    if (kind == Vessel::cup) {
        outside.insert(outside.end(), {{1, 0}, {1, 2}});
        inside.insert(inside.end(), {{1 - wall, wall}, {1 - wall, 2}});
    } else if (kind == Vessel::tumbler) {
        outside.insert(outside.end(), {{0.7, 0}, {1, 2}});
        inside.insert(inside.end(), {{0.7 - wall, wall}, {1 - wall, 2}});
    } else {
        outside.insert(outside.end(), {{1, 0}, {1, 1.2}, {0.45 + wall, 1.6}, {0.45 + wall, 2}});
        inside.insert(inside.end(), {{1 - wall, wall}, {1 - wall, 1.2 - 0.4 * wall}, {0.45, 1.6}, {0.45, 2}});
    }
    for (auto p = inside.rbegin(); p != inside.rend(); ++p) outside.push_back(*p);
    return lathe(outside, segments);
}

}  // namespace tidelock
