#include "render/surface_normals.h"

#include <cmath>

#include "base/parallel.h"

namespace tidelock {

std::vector<Eigen::Vector3f> corner_normals(const TriangleMesh& mesh, double crease) {
    const std::size_t count = mesh.triangles.size();
    std::vector<Eigen::Vector3f> face(count);
    for (std::size_t t = 0; t < count; ++t) face[t] = area_normal(mesh, static_cast<int>(t)).cast<float>();
    // Triangles around each point, as one list cut by `first`.
    std::vector<std::size_t> first(mesh.points.size() + 1, 0);
    for (const auto& triangle : mesh.triangles)
        for (const int p : triangle) ++first[static_cast<std::size_t>(p) + 1];
    for (std::size_t p = 0; p < mesh.points.size(); ++p) first[p + 1] += first[p];
    std::vector<std::size_t> around(3 * count), fill(first.begin(), first.end() - 1);
    for (std::size_t t = 0; t < count; ++t)
        for (const int p : mesh.triangles[t]) around[fill[static_cast<std::size_t>(p)]++] = t;

    const auto limit = static_cast<float>(std::cos(crease));
    std::vector<Eigen::Vector3f> normals(3 * count, Eigen::Vector3f::Zero());
    constexpr std::size_t block = 1024;
    parallel_for("corner normals", static_cast<std::ptrdiff_t>((count + block - 1) / block), [&](std::ptrdiff_t b) {
        const std::size_t begin = static_cast<std::size_t>(b) * block, end = std::min(begin + block, count);
        for (std::size_t t = begin; t < end; ++t) {
            const float length = face[t].norm();
            if (!(length > 0)) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                const auto p = static_cast<std::size_t>(mesh.triangles[t][k]);
                Eigen::Vector3f sum = Eigen::Vector3f::Zero();
                for (std::size_t n = first[p]; n < first[p + 1]; ++n) {
                    const Eigen::Vector3f& other = face[around[n]];
                    if (other.dot(face[t]) > limit * length * other.norm()) sum += other;
                }
                const float size = sum.norm();
                normals[3 * t + k] = size > 0 ? Eigen::Vector3f(sum / size) : Eigen::Vector3f(face[t] / length);
            }
        }
    });
    return normals;
}

}  // namespace tidelock
