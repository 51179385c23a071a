// What rolls and slides, against closed forms (numerics/cases 10). Steps are of second order and round bodies are round,
// so that the figures hold at any step; what is left is the contact distance, a thousandth of a radius here.
#include <gtest/gtest.h>

#include <numbers>

#include "contact_testing.h"

namespace tidelock {
namespace {

constexpr double radius = 0.1, slope = 20 * std::numbers::pi / 180;
constexpr double hover = 1e-3 * radius;

enum class Ground { plane, box };

/// A body on a slope, at rest, touching it.
template <int D>
Play<D> on_slope(std::shared_ptr<const Shape<D>> shape, double friction, Ground ground) {
    Play<D> play;
    play.distance = hover;
    Vec<D> n = Vec<D>::Zero(), along = Vec<D>::Zero();
    n[0] = std::sin(slope), n[1] = std::cos(slope);
    along[0] = std::cos(slope), along[1] = -std::sin(slope);
    Spin<D> turn = Spin<D>::Zero();
    turn[rotation_dof<D> - 1] = -slope;
    if (ground == Ground::plane) {
        play.bodies.push_back(body_of<D>(std::make_shared<Plane<D>>(n), Vec<D>::Zero(), 1, BodyType::fixed));
    } else {
        Vec<D> size = Vec<D>::Constant(1);
        size[0] = 3, size[1] = 0.1;
        play.bodies.push_back(box<D>(size, -0.05 * n + 0.7 * along, 0, BodyType::fixed));
        play.bodies.back().rotation = play.bodies.back().rotation.turned(turn);
    }
    play.bodies.push_back(body_of<D>(std::move(shape), (radius + hover) * n));
    play.bodies.back().rotation = play.bodies.back().rotation.turned(turn);
    for (auto& body : play.bodies) body.friction = friction;
    return play;
}

/// The way down the slope and how far it should be: `share` of g sin(slope) t^2 / 2.
template <int D>
void expect_way(Play<D> play, double share, const char* what) {
    const Vec<D> start = play.bodies[1].position;
    for (const double dt : {0.001, 0.01}) {
        Play<D> run = play;
        run.dt = dt;
        run.run(0.5);
        const auto& body = run.bodies[1];
        const Vec<D> way = body.position - start;
        const double expected = 0.5 * g * std::sin(slope) * share * 0.25;
        EXPECT_NEAR(way.norm(), expected, 5e-3 * expected) << what << ", dt " << dt;
        EXPECT_NEAR(way[0] * std::sin(slope) + way[1] * std::cos(slope), 0, 3 * hover) << what << " stays on it";
        if (body.friction == 0) {
            EXPECT_LT(body.angular_velocity().norm(), 1e-6) << what << ", dt " << dt;
        }
    }
}

template <int D>
void expect_slides_and_rolls(std::shared_ptr<const Shape<D>> shape, double rolling, const char* what) {
    for (const Ground ground : {Ground::plane, Ground::box}) {
        expect_way<D>(on_slope<D>(shape, 0, ground), 1, what);
        if (rolling > 0) expect_way<D>(on_slope<D>(shape, 0.5, ground), rolling, what);
    }
}

// Round bodies roll with 1 / (1 + I / m r^2) of g sin(slope), or slide without turning.
TEST(Rolling, RoundBodiesOnASlopeComeAsFarAsTheyShould) {
    expect_slides_and_rolls<2>(std::make_shared<Sphere<2>>(radius), 2.0 / 3, "disc");
    expect_slides_and_rolls<3>(std::make_shared<Sphere<3>>(radius), 5.0 / 7, "sphere");
}

// Lying across the slope: a cylinder rolls on its rims, a capsule on its side.
TEST(Rolling, CylindersAndCapsulesLieAndRoll) {
    const auto across = [](const std::shared_ptr<const Shape<3>>& shape, double share, double friction) {
        for (const Ground ground : {Ground::plane, Ground::box}) {
            auto play = on_slope<3>(shape, friction, ground);
            play.bodies[1].rotation = Rotation<3>().turned(Vec3(std::numbers::pi / 2, 0, 0));
            expect_way<3>(play, share, friction > 0 ? "rolls" : "slides");
        }
    };
    const auto share_of = [](const Shape<3>& shape) {
        const auto mass = shape.mass_properties();
        return 1 / (1 + mass.inertia(1, 1) / (mass.volume * radius * radius));
    };
    const auto cylinder = std::make_shared<Cylinder>(radius, 0.3);
    const auto capsule = std::make_shared<Capsule<3>>(radius, 0.2);
    EXPECT_NEAR(share_of(*cylinder), 2.0 / 3, 1e-12);
    across(cylinder, share_of(*cylinder), 0.5);
    across(capsule, share_of(*capsule), 0.5);
    across(cylinder, 1, 0);
    across(capsule, 1, 0);
    // A wheel stands on its tube.
    const auto torus = std::make_shared<Torus>(0.07, 0.03);
    across(torus, share_of(*torus), 0.5);
}

// Points of the rim beside the lowest one are no contacts, however large the distance that bodies keep.
TEST(Rolling, AWheelDoesNotStumbleOverItsRim) {
    auto play = on_slope<3>(std::make_shared<Cylinder>(radius, 0.3), 0.5, Ground::plane);
    play.bodies[1].rotation = Rotation<3>().turned(Vec3(std::numbers::pi / 2, 0, 0));
    play.bodies[1].position *= (1.03 * radius) / (radius + hover);
    play.distance = 0.03 * radius;
    play.dt = 0.01;
    const Vec3 start = play.bodies[1].position;
    play.run(0.5);
    const double expected = 0.5 * g * std::sin(slope) * (2.0 / 3) * 0.25;
    EXPECT_NEAR((play.bodies[1].position - start).norm(), expected, 2e-3 * expected);
}

// A box slides with g (sin - mu cos).
TEST(Rolling, ABoxSlidesAsFarAsFrictionLetsIt) {
    const double mu = 0.1, share = 1 - mu / std::tan(slope);
    for (const Ground ground : {Ground::plane, Ground::box}) {
        expect_way<2>(on_slope<2>(std::make_shared<Box<2>>(Vec2(0.3, 2 * radius)), mu, ground), share, "box");
        expect_way<3>(on_slope<3>(std::make_shared<Box<3>>(Vec3(0.3, 2 * radius, 0.2)), mu, ground), share, "box");
    }
}

// Offset by half a radius, an elastic disc leaves along the line of centres with the share of the speed along it.
TEST(Rolling, ElasticDiscsPartAlongTheLineOfTheirCentres) {
    const double offset = 0.05, sine = offset / (2 * radius), cosine = std::sqrt(1 - sine * sine);
    for (const double dt : {0.001, 0.01}) {
        Play<2> play;
        play.gravity.setZero();
        play.distance = hover;
        play.dt = dt;
        play.bodies = {ball<2>(radius, {0, offset}, {1, 0}), ball<2>(radius, {0.4, 0})};
        for (auto& body : play.bodies) body.restitution = 1;
        play.run(0.5);
        // The hit takes effect at the beginning of a step, up to dt before they meet: the line is known to that.
        const double tolerance = 1e-3 + 0.25 * dt / radius;
        EXPECT_NEAR(play.bodies[1].velocity[0], cosine * cosine, tolerance) << dt;
        EXPECT_NEAR(play.bodies[1].velocity[1], -cosine * sine, tolerance) << dt;
        EXPECT_LT(std::abs(play.bodies[1].angular_momentum[0]), 1e-12);
    }
}

// 2 pi sqrt(7 (R - r) / (5 g)), at an amplitude of 0.1 rad (longer by 0.06 %).
TEST(Rolling, ABallInABowlSwings) {
    constexpr double bowl = 0.5, skin = 0.02, distance = bowl - 0.5 * skin - radius - hover;
    const double period = 2 * std::numbers::pi * std::sqrt(7 * distance / (5 * g));
    for (const double dt : {0.001, 0.01}) {
        Play<3> play;
        play.distance = hover;
        play.dt = dt;
        play.bodies = {body_of<3>(std::make_shared<Sphere<3>>(bowl), Vec3::Zero(), 1000, BodyType::fixed, skin),
                       ball<3>(radius, distance * Vec3(std::sin(0.1), -std::cos(0.1), 0))};
        for (auto& body : play.bodies) body.friction = 1;
        // From the first to the fifth passage of the bottom, between steps.
        std::vector<double> passages;
        double before = play.bodies[1].position[0];
        while (passages.size() < 5 && play.time < 10) {
            play.step();
            const double now = play.bodies[1].position[0];
            if ((now < 0) != (before < 0)) passages.push_back(play.time - dt * now / (now - before));
            before = now;
        }
        ASSERT_EQ(passages.size(), 5U) << dt;
        EXPECT_NEAR((passages[4] - passages[0]) / 2, period, 0.01 * period) << dt;
        EXPECT_LT(play.deepest, hover) << dt;
    }
}

// A fast top, its axis level, goes around its pivot with m g l / (I3 w).
TEST(Rolling, ATopPrecesses) {
    const double length = 0.15, spin = 200;
    RigidBody<3> disc = body_of<3>(std::make_shared<Cylinder>(radius, 0.04), Vec3(length, 0, 0));
    const double rate = disc.mass * g * length / (disc.inertia(1, 1) * spin);
    for (const double dt : {0.001, 0.01}) {
        Play<3> play;
        play.dt = dt;
        RigidBody<3> top = disc;
        top.rotation = top.rotation.turned(Vec3(0, 0, -std::numbers::pi / 2));  // its axis along x
        Twist<3> twist;
        twist << Vec3(0, rate, 0).cross(Vec3(length, 0, 0)), Vec3(spin, rate, 0);
        top.set_twist(twist);
        play.bodies = {top};
        play.joints = {make_joint<3>(JointKind::ball, 0, -1, Vec3::Zero(), Vec3::UnitY(), play.bodies)};
        play.run(1);
        const Vec3 at = play.bodies[0].position;
        EXPECT_NEAR(std::atan2(-at[2], at[0]), rate, 0.02 * rate) << dt;
        EXPECT_LT(std::abs(at[1]), 0.02 * length) << dt << ": it does not fall";
    }
}

// A free fall is exact at any step.
TEST(Rolling, WhatFallsHasComeAsFarAsItShould) {
    Play<3> play;
    play.dt = 0.01;
    play.bodies = {ball<3>(radius, {0, 0, 0}, {0.3, 1, 0})};
    play.run(0.5);
    EXPECT_NEAR(play.bodies[0].position[1], 0.5 - 0.125 * g, 1e-12);
    EXPECT_NEAR(play.bodies[0].velocity[1], 1 - 0.5 * g, 1e-12);
}

}  // namespace
}  // namespace tidelock
