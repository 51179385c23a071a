#include "render/camera.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace tidelock {
namespace {

TEST(Camera, AutomaticSeesTheWholeBoxAndFillsThePicture) {
    const Vec3 sizes[] = {{1, 1, 1}, {1, 2, 1}, {4, 0.5, 1}, {0.1, 0.2, 3}};
    const Vec3 ups[] = {Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitX(), Vec3(1, 2, 0.5)};
    for (const Vec3& size : sizes)
        for (const Vec3& up : ups)
            for (const double aspect : {0.75, 1.0, 1.78}) {
                const Bounds<3> box{Vec3(5, -3, 2), Vec3(5, -3, 2) + size};
                const Camera camera = automatic_camera(box, aspect, up);
                const int height = 600, width = static_cast<int>(aspect * height);
                const View view(camera, width, height);
                EXPECT_GT((camera.position - camera.target).dot(up), 0) << "from above";
                double fill = 0;
                for (int c = 0; c < 8; ++c) {
                    Vec3 x;
                    for (int a = 0; a < 3; ++a) x[a] = ((c >> a) & 1) != 0 ? box.high[a] : box.low[a];
                    const Vec3 p = view.project(x);
                    EXPECT_GT(p[2], 0);
                    const double u = std::abs(2 * p[0] / width - 1), v = std::abs(2 * p[1] / height - 1);
                    EXPECT_LT(std::max(u, v), 0.9 + 2e-3);  // the width was rounded to pixels
                    fill = std::max({fill, u, v});
                }
                EXPECT_GT(fill, 0.9 - 2e-3);  // no farther than the margin asks
            }
}

TEST(Camera, UpIsUp) {
    const View view(automatic_camera({Vec3::Zero(), Vec3(1, 2, 1)}, 0.75), 300, 400);
    EXPECT_LT(view.project(Vec3(0.5, 2, 0.5))[1], view.project(Vec3(0.5, 0, 0.5))[1]);
}

TEST(Camera, ProjectionInvertsDirections) {
    const View view({Vec3(1, 2, 3), Vec3(-2, 0, 1), Vec3(0.1, 1, 0), 0.8}, 320, 200);
    for (const double x : {3.5, 160.0, 300.25})
        for (const double y : {0.5, 100.0, 177.0}) {
            const Vec3 p = view.project(view.position() + 7 * view.direction(x, y));
            EXPECT_NEAR(p[0], x, 1e-9);
            EXPECT_NEAR(p[1], y, 1e-9);
        }
}

TEST(Camera, RefusesBlindOnes) {
    EXPECT_THROW(View({Vec3::Zero(), Vec3::Zero(), Vec3::UnitY(), 0.5}, 10, 10), InputError);
    EXPECT_THROW(View({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitX(), 0.5}, 10, 10), InputError);
    EXPECT_THROW(View({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 3.2}, 10, 10), InputError);
    EXPECT_THROW((void)automatic_camera({}, 1), InputError);
}

}  // namespace
}  // namespace tidelock
