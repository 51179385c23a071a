#include "geometry/mesh_topology.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "base/math.h"
#include "base/union_find.h"

namespace tidelock {
namespace {

/// Solid angle of triangle (a, b, c) seen from the origin over 4 pi, positive seen from its back
/// [VS83]. Sums to the winding number.
double winding(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    return angle_of(a.dot(b.cross(c)), denominator) / (2 * std::numbers::pi);
}

}  // namespace

MeshTopology::MeshTopology(const TriangleMesh& mesh) {
    const int n = static_cast<int>(mesh.triangles.size());
    for (int t = 0; t < n; ++t) {
        for (int k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            if (a != b) uses_.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    }
    std::sort(uses_.begin(), uses_.end(), [](const EdgeUse& u, const EdgeUse& v) {
        return std::tie(u.low, u.high, u.triangle, u.forward) < std::tie(v.low, v.high, v.triangle, v.forward);
    });
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        if (i == 0 || uses_[i].low != uses_[i - 1].low || uses_[i].high != uses_[i - 1].high) starts_.push_back(i);
    }
    starts_.push_back(uses_.size());

    UnionFind pieces(mesh.triangles.size());
    for (std::size_t e = 0; e < edge_count(); ++e)
        for (const EdgeUse& use : uses(e)) pieces.join(uses(e).front().triangle, use.triangle);
    component_ = pieces.labels();
    for (const int c : component_) component_count_ = std::max(component_count_, c + 1);
}

int MeshTopology::balance(std::size_t edge) const {
    int sum = 0;
    for (const EdgeUse& use : uses(edge)) sum += use.forward ? 1 : -1;
    return sum;
}

Orientation find_orientation(const MeshTopology& topology, std::size_t triangle_count) {
    struct Link {
        int other;
        bool differs;  // runs the shared edge the same way: one of the two must turn
    };
    std::vector<std::vector<Link>> links(triangle_count);
    for (std::size_t e = 0; e < topology.edge_count(); ++e) {
        const auto uses = topology.uses(e);
        if (uses.size() != 2) continue;
        const bool differs = uses[0].forward == uses[1].forward;
        links[uses[0].triangle].push_back({uses[1].triangle, differs});
        links[uses[1].triangle].push_back({uses[0].triangle, differs});
    }
    Orientation result{std::vector<bool>(triangle_count), 0, 0, std::vector<bool>(triangle_count)};
    std::vector<bool> seen(triangle_count);
    for (std::size_t seed = 0; seed < triangle_count; ++seed) {
        if (seen[seed]) continue;
        std::vector<int> patch{static_cast<int>(seed)};
        seen[seed] = true;
        bool one_sided = false;
        for (std::size_t i = 0; i < patch.size(); ++i) {
            for (const Link& link : links[patch[i]]) {
                const bool turn = result.turn[patch[i]] != link.differs;
                if (!seen[link.other]) {
                    seen[link.other] = true;
                    result.turn[link.other] = turn;
                    patch.push_back(link.other);
                } else if (result.turn[link.other] != turn) {
                    one_sided = true;
                }
            }
        }
        const auto turned = std::count_if(patch.begin(), patch.end(), [&](int t) { return result.turn[t]; });
        const bool invert = 2 * turned > static_cast<std::ptrdiff_t>(patch.size());
        for (const int t : patch) {
            result.turn[t] = !one_sided && result.turn[t] != invert;
            result.one_sided[t] = one_sided;
            result.flipped += result.turn[t];
        }
        result.one_sided_patches += one_sided;
    }
    return result;
}

std::vector<double> component_volumes(const TriangleMesh& mesh, const MeshTopology& topology) {
    std::vector<double> volumes(topology.component_count());
    if (mesh.points.empty()) return volumes;
    const Vec3 origin = bounds(mesh).centre();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [i, j, k] = mesh.triangles[t];
        const Vec3 a = mesh.points[i] - origin, b = mesh.points[j] - origin, c = mesh.points[k] - origin;
        volumes[topology.component()[t]] += a.dot(b.cross(c)) / 6;
    }
    return volumes;
}

std::vector<bool> closed_components(const MeshTopology& topology) {
    std::vector<bool> closed(topology.component_count(), true);
    for (std::size_t e = 0; e < topology.edge_count(); ++e) {
        if (topology.balance(e) != 0) closed[topology.component()[topology.uses(e).front().triangle]] = false;
    }
    return closed;
}

std::vector<int> expected_signs(const TriangleMesh& mesh, const MeshTopology& topology, const std::vector<bool>& closed,
                                const std::vector<double>& volumes) {
    const int n = topology.component_count();
    std::vector<std::vector<int>> members(n);
    std::vector<Bounds<3>> boxes(n);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const int c = topology.component()[t];
        members[c].push_back(static_cast<int>(t));
        for (const int i : mesh.triangles[t]) boxes[c].include(mesh.points[i]);
    }
    std::vector<int> signs(n, 1);
    for (int c = 0; c < n; ++c) {
        if (!closed[c]) continue;
        const auto& [i, j, k] = mesh.triangles[members[c].front()];
        const Vec3 x = (mesh.points[i] + mesh.points[j] + mesh.points[k]) / 3;
        for (int other = 0; other < n; ++other) {
            if (other == c || !closed[other] || !boxes[other].contains(x)) continue;
            double turns = 0;
            for (const int t : members[other]) {
                const auto& [p, q, r] = mesh.triangles[t];
                turns += winding(mesh.points[p] - x, mesh.points[q] - x, mesh.points[r] - x);
            }
            if (std::lround(turns * (volumes[other] < 0 ? -1 : 1)) % 2 != 0) signs[c] = -signs[c];
        }
    }
    return signs;
}

}  // namespace tidelock
