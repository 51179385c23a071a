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

// Bodies keep a distance of their own; where there is less, all of it gives way alike. So nobody is crushed before a fifth
// of the distances is all that is left, whatever the step, and until then contact has an answer.
template <int D>
void expect_yielding(double dt) {
    constexpr double wide = 0.03, film = 0.2 * wide, top = 0.2;
    Play<D> play = press<D>(0.29);
    play.distance = wide;
    play.dt = dt;
    play.bodies[0].position[1] = 0.1 + wide;
    double closest = 1;
    for (int n = 0; n < std::lround(0.04 / dt) && play.report.crushed.empty(); ++n) {
        play.step();
        if (!play.report.crushed.empty()) break;
        ASSERT_TRUE(play.report.solve.converged) << D << "D, step " << n << " of " << dt << " s";
        ASSERT_LT(play.bodies[0].twist().norm(), 1.5) << "step " << n << " of " << dt << " s";
        closest = std::min(closest, play.bodies[1].position[1] - 0.05 - top);
    }
    EXPECT_EQ(play.report.crushed, "'box' is crushed between 'plate' and the wall y-") << dt;
    EXPECT_NEAR(closest, 2 * film + dt, 1.001 * dt) << dt;  // the step that has no room begins before it is gone
}
TEST(Crush, ContactDistancesGiveWayFirst) {
    for (const double dt : {4e-3, 1e-3, 5e-5}) expect_yielding<2>(dt);
    expect_yielding<3>(1e-3);
}

// A disc between the floor and a plate at an angle b over it slips out with cos b / sin b of the plate's speed, unless
// friction holds it on both sides, which it does from tan (b / 2) on.
TEST(Crush, AWedgeHoldsByFrictionAlone) {
    const double b = 0.35;
    for (const double share : {0.5, 2.0}) {
        const double friction = share * std::tan(b / 2);
        Play<2> play;
        play.walls = floor_only<2>();
        play.gravity.setZero();
        play.bodies = {ball<2>(0.1, {0, 0.1 + touching}), box<2>({2, 0.1}, {0, 0}, friction, BodyType::kinematic)};
        RigidBody<2>& plate = play.bodies[1];
        play.bodies[0].friction = friction;
        play.bodies[0].name = "disc", plate.name = "plate";
        plate.start.rotation = plate.rotation = Rotation<2>(b);
        plate.start.position = plate.position =
            play.bodies[0].position + (0.1 + 0.05 + 1.5 * touching) * Vec2(-std::sin(b), std::cos(b));
        plate.motion = SteadyMotion<2>{Vec3(0, -1, 0)};
        for (int n = 0; n < 20 && play.report.crushed.empty(); ++n) play.step();
        if (share > 1) {
            EXPECT_EQ(play.report.crushed, "'disc' is crushed between 'plate' and the wall y-");
        } else {
            EXPECT_EQ(play.report.crushed, "");
            EXPECT_NEAR(std::abs(play.bodies[0].velocity[0]), std::cos(b) / std::sin(b), 1e-3);
        }
    }
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

// A motor far stronger than what it presses weighs: it stops, and presses with all it has. Sweeps alone add what stops the
// ram, a millionth of that, each time.
TEST(Crush, AMotorPressesWithAllItHas) {
    const double force = 1e5;
    Play<2> play;
    play.walls = floor_only<2>();
    play.bodies = {box<2>({0.2, 0.2}, {0, 0.1 + touching}), box<2>({0.3, 0.1}, {0, 0.26})};
    for (auto& body : play.bodies) body.mass *= 1e-6, body.inertia *= 1e-6;
    play.joints = {make_joint<2>(JointKind::slider, 1, -1, Vec2(0, 0.26), Vec2(0, -1), play.bodies)};
    play.joints[0].motor = SpeedMotor{1, force};
    for (int n = 0; n < 40; ++n) {
        play.step();
        ASSERT_EQ(play.report.crushed, "") << n;
        ASSERT_TRUE(play.report.solve.converged) << n << ": " << play.report.solve.change;
        ASSERT_LT(play.bodies[0].velocity.norm(), 1e-3) << n;
        ASSERT_LT(play.bodies[1].velocity.norm(), 1 + 1e-6) << n;
    }
    EXPECT_LT(play.bodies[1].velocity.norm(), 1e-3);
    EXPECT_NEAR(play.report.motors[0].impulse, force * play.dt, 1e-6 * force * play.dt);
    double floor_force = 0;
    for (const auto& m : play.memory)
        if (m.b < 0) floor_force += m.force[1];
    EXPECT_NEAR(floor_force, force, 1e-6 * force);
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
