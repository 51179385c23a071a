#include "solid/rigid_body.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/error.h"

namespace tidelock {
namespace {

template <int D>
RigidBody<D> make_body(std::shared_ptr<const Shape<D>> shape, double density, const Placement<D>& place = {}) {
    RigidBody<D> body;
    body.name = "body";
    set_shape<D>(body, std::move(shape), density, 0, place, "body");
    return body;
}

TEST(RigidBody, MassAndInertiaAreTheShapesTimesDensity) {
    const auto box = make_body<3>(std::make_shared<Box<3>>(Vec3(1, 2, 3)), 5);
    EXPECT_NEAR(box.mass, 30, 1e-12);
    EXPECT_NEAR(box.inertia(0, 0), 30 * (4 + 9) / 12.0, 1e-12);
    const auto disc = make_body<2>(std::make_shared<Sphere<2>>(2.0), 3);
    EXPECT_NEAR(disc.mass, 3 * std::numbers::pi * 4, 1e-10);
    EXPECT_NEAR(disc.inertia(0, 0), 0.5 * disc.mass * 4, 1e-10);
}

TEST(RigidBody, AnUnboundedBodyCannotBeRigid) {
    EXPECT_THROW(make_body<3>(std::make_shared<Plane<3>>(Vec3::UnitY()), 5), InputError);
}

// numerics/cases 9: an asymmetric top without torque, started near its unstable axis so that it flips over.
TEST(RigidBody, FreeRotationKeepsMomentumAndEnergyOverTenTurns) {
    auto body = make_body<3>(std::make_shared<Box<3>>(Vec3(1, 2, 3.5)), 2);
    Twist<3> twist = Twist<3>::Zero();
    twist.tail<3>() = Vec3(0.01, 2.0, 0.02);
    body.set_twist(twist);
    const Vec3 momentum = body.angular_momentum;
    const double energy = body.kinetic_energy();
    const double dt = 1.0 / 60;
    bool flipped = false;
    const int steps = static_cast<int>(10 * 2 * std::numbers::pi / 2.0 / dt);
    for (int i = 0; i < steps; ++i) {
        move<3>(body, i * dt, dt);
        flipped = flipped || body.rotation.matrix().transpose().row(1).dot(momentum) < 0;
        ASSERT_NEAR(body.kinetic_energy() / energy, 1, 1e-6) << "step " << i;
    }
    EXPECT_EQ(body.angular_momentum, momentum);
    EXPECT_NEAR(body.rotation.quaternion().norm(), 1, 1e-14);
    EXPECT_TRUE(flipped) << "the test should pass through the flip, where energy is hardest to keep";
}

// A symmetric top precesses about its momentum at L / I_perpendicular: the axis comes back after 2 pi I / L.
TEST(RigidBody, SymmetricTopPrecessesAtItsRate) {
    auto body = make_body<3>(std::make_shared<Box<3>>(Vec3(1, 3, 1)), 1);
    Twist<3> twist = Twist<3>::Zero();
    twist.tail<3>() = Vec3(0.7, 1.9, 0);
    body.set_twist(twist);
    const double rate = body.angular_momentum.norm() / body.inertia(0, 0);
    const int steps = 400;
    const double dt = 2 * std::numbers::pi / rate / steps;
    for (int i = 0; i < steps; ++i) move<3>(body, i * dt, dt);
    EXPECT_NEAR((body.rotation.matrix() * Vec3::UnitY() - Vec3::UnitY()).norm(), 0, 1e-6);
}

TEST(RigidBody, KinematicMotionSetsTheVelocityOfTheWayCovered) {
    auto body = make_body<3>(std::make_shared<Sphere<3>>(0.1), 1);
    body.type = BodyType::kinematic;
    body.motion = Oscillation<3>{Vec3(0, 0.3, 0), 1.0, 0};
    double way = 0;
    for (int i = 0; i < 7; ++i) {
        move<3>(body, 0.05 * i, 0.05);
        way += 0.05 * body.velocity[1];
    }
    EXPECT_NEAR(body.position[1], 0.3 * std::sin(2 * std::numbers::pi * 0.35), 1e-14);
    EXPECT_NEAR(way, body.position[1], 1e-14);
}

TEST(RigidBody, VelocityRowReadsTheVelocityField) {
    Twist<3> twist;
    twist << 1, 2, 3, -0.4, 0.5, 0.6;
    const Vec3 r(0.3, -0.7, 0.2);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(velocity_row<3>(a, r).dot(twist), velocity_at<3>(twist, r)[a], 1e-15);
    // docs/conventions.md: in 2D a u-face reads [1, 0, -r_y], a v-face [0, 1, r_x].
    EXPECT_EQ((velocity_row<2>(0, Vec2(3, 5))), (Twist<2>(1, 0, -5)));
    EXPECT_EQ((velocity_row<2>(1, Vec2(3, 5))), (Twist<2>(0, 1, 3)));
}

}  // namespace
}  // namespace tidelock
