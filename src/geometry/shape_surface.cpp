#include "geometry/shape_surface.h"

#include <cmath>
#include <map>
#include <numbers>

#include "base/error.h"
#include "base/math.h"

namespace tidelock {

void append_line(Profile& profile, const Vec2& end, double step) {
    const Vec2 start = profile.back();
    const int steps = std::max(1, static_cast<int>(std::ceil((end - start).norm() / step)));
    for (int i = 1; i < steps; ++i) profile.push_back(start + (end - start) * (static_cast<double>(i) / steps));
    profile.push_back(end);
}

void append_arc(Profile& profile, const Vec2& centre, double radius, double from, double to, int steps) {
    for (int i = 0; i <= steps; ++i) {
        const double angle = from + (to - from) * i / steps;
        profile.push_back(centre + radius * Vec2(cosine(angle), sine(angle)));
    }
}

TriangleMesh revolve(const Profile& profile, int resolution, bool closed_profile) {
    TriangleMesh mesh;
    std::vector<int> first;  // index of each profile point's ring
    for (const Vec2& p : profile) {
        first.push_back(static_cast<int>(mesh.points.size()));
        const int copies = p.x() > 0 ? resolution : 1;
        for (int k = 0; k < copies; ++k) {
            const double angle = 2 * std::numbers::pi * k / resolution;
            mesh.points.emplace_back(p.x() * cosine(angle), p.y(), p.x() * sine(angle));
        }
    }
    const auto at = [&](std::size_t ring, int k) { return first[ring] + (profile[ring].x() > 0 ? k % resolution : 0); };
    const std::size_t bands = closed_profile ? profile.size() : profile.size() - 1;
    for (std::size_t i = 0; i < bands; ++i) {
        const std::size_t j = (i + 1) % profile.size();
        for (int k = 0; k < resolution; ++k) {
            // Up the profile, then around: (d/ds) x (d/dangle) points away from the axis.
            const int a = at(i, k), b = at(j, k), c = at(j, k + 1), d = at(i, k + 1);
            if (b != c) mesh.triangles.push_back({a, b, c});
            if (a != d) mesh.triangles.push_back({a, c, d});
        }
    }
    return mesh;
}

Polyline close_outline(std::vector<Vec2> points) {
    Polyline line{std::move(points), {}};
    const int n = static_cast<int>(line.points.size());
    for (int i = 0; i < n; ++i) line.segments.push_back({i, (i + 1) % n});
    return line;
}

TriangleMesh box_mesh(const Vec3& half, int steps) {
    TriangleMesh mesh;
    std::map<std::array<int, 3>, int> known;  // lattice position -> point, so that faces share their edges
    const auto point = [&](const std::array<int, 3>& c) {
        const auto [place, fresh] = known.try_emplace(c, static_cast<int>(mesh.points.size()));
        if (fresh) {
            const Vec3 unit = Vec3(c[0], c[1], c[2]) * (2.0 / steps) - Vec3::Ones();
            mesh.points.emplace_back(half.cwiseProduct(unit));
        }
        return place->second;
    };
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const int side : {0, steps}) {
            for (int i = 0; i < steps; ++i) {
                for (int j = 0; j < steps; ++j) {
                    const auto corner = [&](int di, int dj) {
                        std::array<int, 3> c{};
                        c[axis] = side;
                        c[u] = i + di;
                        c[v] = j + dj;
                        return point(c);
                    };
                    const int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
                    mesh.triangles.push_back(side ? std::array{a, b, c} : std::array{a, c, b});
                    mesh.triangles.push_back(side ? std::array{a, c, d} : std::array{a, d, c});
                }
            }
        }
    }
    return mesh;
}

void check_resolution(int resolution) {
    if (resolution < 3) throw InputError("surface resolution", "must be >= 3 segments around, got {}", resolution);
}

}  // namespace tidelock
