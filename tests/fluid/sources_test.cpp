#include "fluid/sources.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tidelock {
namespace {

// Filled once, a source holds its volume of smoke; applied again, nothing changes inside and edges keep filling up.
TEST(Sources, FillTheirVolume) {
    Grid<3> grid;
    grid.cells = Coord3::Constant(40);
    grid.dx = 1.0 / 40;
    auto smoke = make_smoke<3>(grid, Sides<3>{}, 293);
    const Mask<3> solid(smoke.set(), 0);
    SmokeSource<3> source;
    source.shape = std::make_shared<Sphere<3>>(0.21);
    source.pose = Pose<3>(Vec3(0.52, 0.47, 0.5), {});
    source.smoke = 2;
    source.temperature = 393;
    source.velocity = Vec3(1, 2, 3);
    FaceField<3, double> u(smoke.set(), 0.0);
    apply_source<3>(grid, source, solid, smoke, u);
    double sum = 0, heat = 0;
    for (double v : smoke.density.values()) sum += v;
    for (double v : smoke.temperature.values()) heat += v - 293;
    const double volume = 4.0 / 3 * std::numbers::pi * std::pow(0.21, 3);
    EXPECT_NEAR(sum * std::pow(grid.dx, 3), 2 * volume, 0.01 * volume);
    EXPECT_NEAR(heat * std::pow(grid.dx, 3), 100 * volume, 0.5 * volume);
    const Coord3 inside(20, 19, 20);
    EXPECT_EQ(u[0].at(inside), 1);
    EXPECT_EQ(u[1].at(inside), 2);
    EXPECT_EQ(u[2].at(inside), 3);
    EXPECT_EQ(u[0].at(Coord3(2, 2, 2)), 0);
    EXPECT_EQ(smoke.density.at(inside), 2);
}

// Only cells that held something count; around the solid nothing changes.
TEST(Sources, WhatSolidsFillIsTakenOut) {
    Grid<2> grid;
    grid.cells = Coord<2>::Constant(8);
    auto smoke = make_smoke<2>(grid, Sides<2>{}, 293);
    Mask<2> solid(smoke.set(), 0);
    for (const Coord<2>& cell : {Coord<2>(2, 2), Coord<2>(3, 2), Coord<2>(4, 2)}) solid.ref(cell) = 1;
    smoke.density.ref({2, 2}) = 0.5;
    smoke.temperature.ref({3, 2}) = 400;
    smoke.density.ref({2, 3}) = 0.5;
    EXPECT_EQ(clear_solids<2>(solid, smoke), 2);
    EXPECT_EQ(smoke.density.at({2, 2}), 0);
    EXPECT_EQ(smoke.temperature.at({3, 2}), 293);
    EXPECT_EQ(smoke.density.at({2, 3}), 0.5);
    EXPECT_EQ(clear_solids<2>(solid, smoke), 0);
}

TEST(Sources, RunFromStartToEnd) {
    SmokeSource<2> source;
    source.start = 0.5;
    source.end = 1.5;
    EXPECT_FALSE(source.active(0.4999));
    EXPECT_TRUE(source.active(0.5));
    EXPECT_FALSE(source.active(1.5));
}

}  // namespace
}  // namespace tidelock
