#include "geometry/mesh_thickness.h"

#include <numeric>

#include "geometry/shape.h"
#include "geometry/testing.h"

namespace tidelock {

// The closed forms: a ball is as thick as its diameter everywhere, a box across its faces as their distance, by area.
TEST(WallThickness, OfBallsAndBoxes) {
    const auto ball = wall_thickness(MeshQueries(Sphere<3>(0.5).surface_mesh(48)), 400);
    ASSERT_EQ(ball.size(), 400u);
    EXPECT_NEAR(ball.front(), 1, 0.01);  // facets: 1 - cos of half of 7.5 degrees, twice
    EXPECT_NEAR(ball.back(), 1, 0.01);
    const auto box = wall_thickness(MeshQueries(Box<3>({1, 2, 0.1}).surface_mesh(8)), 1000);
    const auto thin = std::count_if(box.begin(), box.end(), [](double t) { return std::abs(t - 0.1) < 1e-4; });
    EXPECT_NEAR(static_cast<double>(thin) / 1000, 4 / (4 + 0.4 + 0.2), 0.01);
    EXPECT_NEAR(box.back(), 2, 1e-4);
}

// A hollow ball is as thick as its wall: what its bounding box does not tell.
TEST(WallThickness, OfAHollowBall) {
    TriangleMesh shell = Sphere<3>(0.5).surface_mesh(48), hole = Sphere<3>(0.45).surface_mesh(48);
    flip(hole);
    const int first = static_cast<int>(shell.points.size());
    shell.points.insert(shell.points.end(), hole.points.begin(), hole.points.end());
    for (const auto& [a, b, c] : hole.triangles) shell.triangles.push_back({a + first, b + first, c + first});
    const auto wall = wall_thickness(MeshQueries(shell), 400);
    EXPECT_NEAR(wall[wall.size() / 2], 0.05, 0.002);  // facets of 48 around: 1 - cos(3.75 degrees) of the radius
}

}  // namespace tidelock
