#include "geometry/mesh_thickness.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace tidelock {

std::vector<double> wall_thickness(const MeshQueries& queries, int points) {
    const TriangleMesh& mesh = queries.mesh();
    std::vector<double> area(mesh.triangles.size());
    for (std::size_t t = 0; t < area.size(); ++t) area[t] = area_normal(mesh, static_cast<int>(t)).norm();
    std::partial_sum(area.begin(), area.end(), area.begin());
    const double longest = 2 * bounds(mesh).diagonal(), skin = 4 * queries.tolerance();
    const Random random(1);
    std::vector<Segment> inward;
    for (int i = 0; i < points && area.back() > 0; ++i) {
        const double chosen = (i + 0.5) / points * area.back();
        const auto t = std::lower_bound(area.begin(), area.end(), chosen) - area.begin();
        const Vec3 normal = area_normal(mesh, static_cast<int>(t)).normalized();
        const auto& [a, b, c] = mesh.triangles[static_cast<std::size_t>(t)];
        const auto count = static_cast<std::uint64_t>(i);
        double u = random.uniform(count, 0), v = random.uniform(count, 1);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const Vec3 x = mesh.points[a] + u * (mesh.points[b] - mesh.points[a]) + v * (mesh.points[c] - mesh.points[a]);
        inward.push_back({x - skin * normal, x - longest * normal});
    }
    std::vector<double> out;
    const auto hits = queries.segment_hits(inward);
    for (std::size_t i = 0; i < hits.size(); ++i)
        if (hits[i]) out.push_back(skin + hits[i]->t * (inward[i].b - inward[i].a).norm());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace tidelock
