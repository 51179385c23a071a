#include "geometry/mesh_pockets.h"

#include <algorithm>

namespace tidelock {

double pocket_volume(const MeshQueries& queries, int points) {
    constexpr int directions = 6, least = 5;
    const Bounds<3> box = bounds(queries.mesh());
    const Vec3 step = box.size() / points;
    const double far = 2 * box.diagonal();
    std::vector<Segment> ways;
    for (int i = 0; i < points * points * points; ++i) {
        const Coord3 cell(i % points, i / points % points, i / (points * points));
        const Vec3 at = cell.cast<double>() + Vec3::Constant(0.5);
        const Vec3 x = box.low + step.cwiseProduct(at);
        for (int a = 0; a < 3; ++a)
            for (const double side : {-1.0, 1.0}) ways.push_back({x, x + side * far * Vec3::Unit(a)});
    }
    const auto hits = queries.segment_hits(ways);
    int held = 0;
    for (std::size_t first = 0; first < hits.size(); first += directions) {
        const auto begin = hits.begin() + static_cast<std::ptrdiff_t>(first);
        const auto seen = std::count_if(begin, begin + directions, [](const auto& hit) { return hit.has_value(); });
        if (seen >= least && !queries.inside(ways[first].a)) ++held;
    }
    return held * step.prod();
}

}  // namespace tidelock
