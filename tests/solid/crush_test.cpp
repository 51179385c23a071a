#include "solid/crush.h"

#include <gtest/gtest.h>

#include "contact_testing.h"

namespace tidelock {
namespace {

/// A plate over a box on the floor, moving down by 1 m/s.
template <int D>
Play<D> press(double height) {
    Play<D> play;
    play.walls = floor_only<D>();
    Vec<D> size = Vec<D>::Constant(0.2), at = Vec<D>::Zero();
    at[1] = 0.1 + touching;
    play.bodies.push_back(box<D>(size, at));
    size[0] = 0.4, size[1] = 0.1;
    at[1] = height;
    play.bodies.push_back(box<D>(size, at, 0, BodyType::kinematic));
    play.bodies[0].name = "box", play.bodies[1].name = "plate";
    Twist<D> down = Twist<D>::Zero();
    down[1] = -1;
    play.bodies[1].motion = SteadyMotion<D>{down};
    return play;
}

template <int D>
void expect_crushed_in_time() {
    const double height = 0.3;
    Play<D> play = press<D>(height);
    for (int n = 0; n < 200 && play.report.crushed.empty(); ++n) play.step();
    EXPECT_EQ(play.report.crushed, "'box' is crushed between 'plate' and the wall y-");
    // There is room until the plate has come to the box: from 0.25 down to 0.2, but for two contact distances. A step
    // covers 0.001 m.
    EXPECT_NEAR(play.bodies[1].position[1] - 0.05, 0.2, 2 * touching + 2 * play.dt + 1e-12);
}
TEST(Crush, IsNamedWhenNoRoomIsLeft) {
    expect_crushed_in_time<2>();
    expect_crushed_in_time<3>();
}

TEST(Crush, WhoCanGetOutOfTheWayIsNotCrushed) {
    Play<2> play = press<2>(0.3);
    play.bodies[0].position[1] += 10;  // in mid-air, below the plate
    play.bodies[1].position[1] += 10;
    play.bodies[1].start.position = play.bodies[1].position;
    for (int n = 0; n < 200; ++n) {
        play.step();
        ASSERT_EQ(play.report.crushed, "") << n;
    }
    // A heavy one that lies on a light one presses, and nobody is crushed.
    Play<2> tower;
    tower.walls = floor_only<2>();
    tower.bodies = {box<2>({0.2, 0.2}, {0, 0.1 + touching}), box<2>({0.2, 0.2}, {0, 0.3 + 2 * touching})};
    tower.bodies[1].mass *= 1000, tower.bodies[1].inertia *= 1000;
    for (int n = 0; n < 200; ++n) {
        tower.step();
        ASSERT_EQ(tower.report.crushed, "") << n;
    }
}

// Whoever goes on with a crushed body: it stays in the room.
TEST(Crush, WallsAreTheLastWord) {
    Play<2> play = press<2>(0.3);
    double lowest = 1;
    for (int n = 0; n < 400; ++n) {
        play.step();
        for (const Vec2& point : play.bodies[0].samples->points())
            lowest = std::min(lowest, play.bodies[0].pose().to_world(point)[1]);
    }
    EXPECT_GE(lowest, -1e-12);
    std::vector<RigidBody<2>> outside{box<2>({0.2, 0.2}, {0, -3})};
    outside[0].velocity = {2, -5};
    keep_inside<2>(floor_only<2>(), outside);
    EXPECT_NEAR(outside[0].position[1], 0.1, 1e-15);
    EXPECT_EQ(outside[0].velocity, Vec2(2, 0));
}

}  // namespace
}  // namespace tidelock
