#include "render/surface_normals.h"

#include <gtest/gtest.h>

#include "geometry/shape.h"

namespace tidelock {
namespace {

TEST(CornerNormals, AreFlatOnABox) {
    const TriangleMesh box = Box<3>(Vec3(1, 2, 3)).surface_mesh(8);
    const auto normals = corner_normals(box);
    for (std::size_t t = 0; t < box.triangles.size(); ++t) {
        const Vec3 face = area_normal(box, static_cast<int>(t)).normalized();
        for (std::size_t k = 0; k < 3; ++k) EXPECT_LT((normals[3 * t + k].cast<double>() - face).norm(), 1e-6);
    }
}

TEST(CornerNormals, AreRadialOnASphere) {
    const TriangleMesh ball = Sphere<3>(0.5).surface_mesh(64);
    const auto normals = corner_normals(ball);
    for (std::size_t t = 0; t < ball.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 radial = ball.points[static_cast<std::size_t>(ball.triangles[t][k])].normalized();
            EXPECT_GT(normals[3 * t + k].cast<double>().dot(radial), 0.999);  // a step of the mesh is 0.1 rad
        }
}

}  // namespace
}  // namespace tidelock
