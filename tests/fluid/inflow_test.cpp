#include "fluid/inflow.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tidelock {
namespace {

// Shadows in closed form. Rays miss an edge by half of a four-hundredth of the box at most, at random: a thousandth.
TEST(Inflow, ShapesAreSeenWithTheirArea) {
    const Pose<3> turned(Vec3(3, 4, 5),
                         Rotation<3>(Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()))));
    const Vec3 n = Vec3(0.3, -1, 0.4);
    EXPECT_NEAR(seen_area<3>(Sphere<3>(0.2), turned, n) / (std::numbers::pi * 0.04), 1, 1e-3);
    const Vec3 size(0.3, 0.1, 0.2), faces(size[1] * size[2], size[0] * size[2], size[0] * size[1]);
    const Vec3 own = turned.matrix.transpose() * n.normalized();
    EXPECT_NEAR(seen_area<3>(Box<3>(size), turned, n) / own.cwiseAbs().dot(faces), 1, 1e-3);
    EXPECT_NEAR(seen_area<2>(Sphere<2>(0.2), {}, Vec2(1, 2)), 0.4, 1e-4);
    EXPECT_NEAR(seen_area<2>(Box<2>(Vec2(0.3, 0.1)), {}, Vec2(1, 1)), 0.4 / std::sqrt(2.0), 1e-4);
}

TEST(Inflow, CellsBlowTheRateTogetherAndNoneInASolid) {
    Grid<3> grid;
    grid.cells = Coord3::Constant(32);
    grid.dx = 1.0 / 32;
    auto smoke = make_smoke<3>(grid, Sides<3>{}, 293);
    Mask<3> solid(smoke.set(), 0);
    SmokeSource<3> source;
    source.shape = std::make_shared<Sphere<3>>(0.2);
    source.pose = Pose<3>(Vec3(0.5, 0.5, 0.5), {});
    source.velocity = Vec3(0, 3, 0);
    const Inflow<3> inflow(grid, source);
    EXPECT_NEAR(inflow.rate(), 3 * std::numbers::pi * 0.04, 1e-3 * inflow.rate());
    const auto sum = [&] {
        double flux = 0;
        for (const InflowCell& cell : inflow.cells(solid)) flux += cell.flux;
        return flux;
    };
    EXPECT_NEAR(sum(), inflow.rate(), 1e-5 * inflow.rate());  // shares are float
    // Only at the back of the shape does its motion begin.
    for (const InflowCell& cell : inflow.cells(solid))
        EXPECT_LT(first_cell<3>(smoke.set()->brick(cell.slot))[1] + local_coord<3>(cell.local)[1], 17);
    for (int x = 16; x < 32; ++x)
        for (int y = 0; y < 32; ++y)
            for (int z = 0; z < 32; ++z) solid.ref(Coord3(x, y, z)) = 1;
    EXPECT_NEAR(sum(), 0.5 * inflow.rate(), 1e-5 * inflow.rate());  // the other half
}

}  // namespace
}  // namespace tidelock
