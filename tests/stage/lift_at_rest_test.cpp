#include "stage/lift_at_rest.h"

#include <gtest/gtest.h>

#include "tank.h"

namespace tidelock {
namespace {

constexpr double water = 1000, g = 9.81;

/// Lift over the weight of what the body would displace.
template <int D>
double lift(double density_ratio, double level) {
    World<D> world = tank<D>(32);
    const auto& body = add<D>(world, std::make_shared<Sphere<D>>(0.2), density_ratio * water, Vec<D>::Constant(0.5));
    Step<D> step(world, 0.01);
    expect_rest<D>(
        water, [&](const Vec<D>& x) { return x[1] < level; }, step);
    return world.solids.loads[0][1] / (water * g * body.volume);
}

// What is heavier than water gets the weight of what it displaces: all of it, or the half under the surface. What is
// lighter gets what leaves it the acceleration with which a ball sets off.
template <int D>
void expect_archimedes() {
    EXPECT_NEAR(lift<D>(2, 1), 1, 1e-12);
    EXPECT_NEAR(lift<D>(2, 0.5), 0.5, 0.01);
    EXPECT_EQ(lift<D>(2, 0.2), 0);
    const double added = 1.0 / (D - 1), ratio = 0.1;
    EXPECT_NEAR(lift<D>(ratio, 1) / ratio - 1, (1 - ratio) / (ratio + added), 1e-12);
}
TEST(LiftAtRest, IsThatOfArchimedes) {
    expect_archimedes<2>();
    expect_archimedes<3>();
}

TEST(LiftAtRest, IsExpectedInTheFirstStepOnly) {
    World<2> world = tank<2>(16);
    add<2>(world, std::make_shared<Sphere<2>>(0.2), water, Vec2(0.5, 0.5));
    world.solids.loads[0].setConstant(7);
    world.clock.advance(0.01);
    Step<2> step(world, 0.01);
    expect_rest<2>(
        water, [](const Vec2&) { return true; }, step);
    EXPECT_EQ(world.solids.loads[0], Twist<2>(Twist<2>::Constant(7)));
}

}  // namespace
}  // namespace tidelock
