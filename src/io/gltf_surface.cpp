#include "io/gltf_surface.h"

#include <cmath>
#include <map>

namespace tidelock {
namespace {

std::array<float, 3> to_float(const Vec3& v) {
    // + 0 turns -0 into 0, so that equal vertices have equal bits.
    return {static_cast<float>(v[0]) + 0.0f, static_cast<float>(v[1]) + 0.0f, static_cast<float>(v[2]) + 0.0f};
}

}  // namespace

GltfSurface gltf_surface(const TriangleMesh& mesh, double crease) {
    const double smallest_cosine = std::cos(crease);
    std::vector<Vec3> normal(mesh.triangles.size());  // twice the area times the unit normal
    std::vector<std::vector<int>> around(mesh.points.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        normal[t] = area_normal(mesh, static_cast<int>(t));
        if (!(normal[t].norm() > 0)) continue;
        for (const int point : mesh.triangles[t])
            around[static_cast<std::size_t>(point)].push_back(static_cast<int>(t));
    }
    GltfSurface out;
    std::map<std::pair<int, std::array<float, 3>>, std::uint32_t> known;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!(normal[t].norm() > 0)) continue;
        const Vec3 own = normal[t].normalized();
        for (const int point : mesh.triangles[t]) {
            Vec3 sum = Vec3::Zero();
            for (const int other : around[static_cast<std::size_t>(point)]) {
                const Vec3& n = normal[static_cast<std::size_t>(other)];
                if (n.dot(own) >= smallest_cosine * n.norm()) sum += n;
            }
            // Rounding may leave even the triangle itself out of a crease of 0.
            const std::array<float, 3> corner = to_float(sum.norm() > 0 ? Vec3(sum.normalized()) : own);
            const auto [place, fresh] =
                known.try_emplace({point, corner}, static_cast<std::uint32_t>(out.positions.size()));
            if (fresh) {
                out.positions.push_back(to_float(mesh.points[static_cast<std::size_t>(point)]));
                out.normals.push_back(corner);
            }
            out.indices.push_back(place->second);
        }
    }
    return out;
}

}  // namespace tidelock
