#include "solid/contact_motion.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/parallel.h"
#include "base/random.h"
#include "contact_testing.h"

namespace tidelock {
namespace {

/// A box on a half-space that is tilted by alpha, with the same friction for both.
template <int D>
Play<D> box_on_slope(double alpha, double mu) {
    Play<D> play;
    play.dt = 0.005;
    Vec<D> n = Vec<D>::Zero();
    n[0] = std::sin(alpha), n[1] = std::cos(alpha);
    auto slope = body_of<D>(std::make_shared<Plane<D>>(n), Vec<D>::Zero(), 1, BodyType::fixed);
    slope.friction = mu;
    Vec<D> size = Vec<D>::Constant(0.2);
    size[1] = 0.1;
    auto brick = box<D>(size, (0.05 + touching) * n, mu);
    Spin<D> turn = Spin<D>::Zero();
    turn[rotation_dof<D> - 1] = -alpha;
    brick.rotation = brick.rotation.turned(turn);
    play.bodies = {brick, slope};
    return play;
}

template <int D>
void expect_critical_friction() {
    const double alpha = 0.4, critical = std::tan(alpha);
    auto sticks = box_on_slope<D>(alpha, critical + 1e-3), slides = box_on_slope<D>(alpha, critical - 1e-3);
    const Vec<D> start = sticks.bodies[0].position;
    sticks.run(1);
    slides.run(1);
    EXPECT_LT((sticks.bodies[0].position - start).norm(), 1e-6);
    // 1/2 g cos(alpha) (tan(alpha) - mu) t^2 = 4.5 mm.
    const double expected = 0.5 * g * std::cos(alpha) * 1e-3;
    EXPECT_NEAR((slides.bodies[0].position - start).norm(), expected, 0.02 * expected);
}
TEST(ContactMotion, ABoxSlidesOnASlopeIfFrictionIsBelowTheTangent) {
    expect_critical_friction<2>();
    expect_critical_friction<3>();
}

// v^2 / (2 mu g).
TEST(ContactMotion, ASlidingBoxStopsAtItsDistance) {
    Play<3> play;
    play.walls = floor_only<3>();
    play.bodies = {box<3>({0.2, 0.1, 0.2}, {0, 0.05 + touching, 0}, 0.3)};
    play.bodies[0].velocity = Vec3(2, 0, 1);
    play.run(1);
    const double expected = 5 / (2 * 0.3 * g);
    EXPECT_NEAR(play.bodies[0].position[0] / 2 * std::sqrt(5.0), expected, 0.01 * expected);
    EXPECT_NEAR(play.bodies[0].position[2] * std::sqrt(5.0), expected, 0.01 * expected);
    EXPECT_LT(play.kinetic(), 1e-10);
}

// The tops of a bouncing ball's flights fall by e^2.
TEST(ContactMotion, BounceHeightsFallByTheSquareOfRestitution) {
    for (const double e : {0.5, 0.8, 1.0}) {
        Play<3> play;
        play.walls = floor_only<3>();
        play.dt = 5e-4;
        play.bodies = {ball<3>(0.1, {0, 1.1 + touching, 0})};
        play.bodies[0].restitution = e;
        double top = 0, last = 0;
        while (play.bodies[0].velocity[1] <= 0) play.step();
        while (play.bodies[0].velocity[1] > 0) {
            last = play.bodies[0].position[1] - 0.1 - touching;
            top = std::max(top, last);
            play.step();
        }
        EXPECT_NEAR(top, e * e, 0.01 * e * e) << e;
    }
}

// What rests does not bounce, whatever its restitution.
TEST(ContactMotion, ABouncyBoxComesToRest) {
    Play<2> play;
    play.walls = floor_only<2>();
    play.dt = 0.005;
    play.bodies = {box<2>({0.2, 0.1}, {0, 0.3}, 0.5)};
    play.bodies[0].restitution = 0.5;
    play.run(2);
    const double height = play.bodies[0].position[1];
    EXPECT_NEAR(height, 0.05 + touching, 0.05 * touching);
    play.run(0.5);
    EXPECT_NEAR(play.bodies[0].position[1], height, 1e-9);
}

// A sphere thrown along the floor without spin rolls with 5/7 of its speed, a disc with 2/3.
template <int D>
void expect_rolling(double share) {
    Play<D> play;
    play.walls = floor_only<D>();
    play.dt = 0.002;
    Vec<D> at = Vec<D>::Zero(), velocity = Vec<D>::Zero();
    at[1] = 0.1 + touching;
    velocity[0] = 1;
    play.bodies = {ball<D>(0.1, at, velocity)};
    play.bodies[0].friction = 0.3;
    play.run(1.5);
    const auto& b = play.bodies[0];
    EXPECT_NEAR(b.velocity[0], share, 0.01 * share);
    EXPECT_NEAR(b.velocity[0] + b.angular_velocity()[rotation_dof<D> - 1] * 0.1, 0, 0.01) << "no slip";
    EXPECT_NEAR(b.position[1], at[1], 0.01 * touching) << "a disc of points is round";
}
TEST(ContactMotion, ASlidingSphereEndsUpRolling) {
    expect_rolling<3>(5.0 / 7);
    expect_rolling<2>(2.0 / 3);
}

template <int D>
void expect_stack_rests(double seconds, double dt) {
    constexpr double edge = 0.1;
    Play<D> play;
    play.walls = floor_only<D>();
    play.dt = dt;
    for (int i = 0; i < 10; ++i) {
        Vec<D> at = Vec<D>::Zero();
        at[0] = 0.004 * (i % 3 - 1);  // not quite straight
        at[1] = edge / 2 + touching + i * (edge + touching);
        play.bodies.push_back(box<D>(Vec<D>::Constant(edge), at, 0.5));
    }
    const auto start = play.bodies;
    play.run(seconds);
    for (std::size_t i = 0; i < start.size(); ++i)
        EXPECT_LT((play.bodies[i].position - start[i].position).norm(), 0.01 * edge) << "box " << i;
    EXPECT_EQ(play.report.contacts, 10);
    EXPECT_EQ(play.deepest, 0);
    EXPECT_LT(play.kinetic(), 1e-8 * start[0].mass * g * edge);
}
TEST(ContactMotion, AStackOfTenBoxesRests) {
    expect_stack_rests<2>(10, 0.01);
    expect_stack_rests<3>(10, 0.01);
}

// Two long boxes cross edge over edge and press on each other.
TEST(ContactMotion, CrossingEdgesHold) {
    Play<3> play;
    play.dt = 0.005;
    const double half = std::sqrt(0.5) * 0.2;
    play.bodies = {box<3>({0.2, 0.2, 1}, {0, 2 * half + 0.02, 0}, 0.5),
                   box<3>({1, 0.2, 0.2}, {0, 0, 0}, 0.5, BodyType::fixed)};
    play.bodies[0].rotation = play.bodies[0].rotation.turned(Vec3(0, 0, std::numbers::pi / 4));
    play.bodies[1].rotation = play.bodies[1].rotation.turned(Vec3(std::numbers::pi / 4, 0, 0));
    for (int i = 0; i < 60; ++i) {
        play.step();
        ASSERT_GT(play.bodies[0].position[1], 2 * half) << "step " << i;
    }
    EXPECT_EQ(play.deepest, 0);
    EXPECT_NEAR(play.bodies[0].position[1], 2 * half + touching, 0.2 * touching) << "balanced on the edge";
}

// A body that moves many times the thickness of a plate, a shell or a wall in a step does not pass it.
TEST(ContactMotion, AFastBulletDoesNotPassThinSolids) {
    for (const double thickness : {1e-4, 1e-3, 0.02}) {
        Play<3> play;
        play.dt = 0.1;
        play.bodies = {ball<3>(0.02, {0.5, 0.8, 0.5}, {0.3, -40, 0}),
                       box<3>({2, thickness, 2}, {0.5, 0.5, 0.5}, 0, BodyType::fixed)};
        for (int i = 0; i < 5; ++i) {
            play.step();
            ASSERT_GT(play.bodies[0].position[1], 0.52 + 0.5 * thickness) << thickness << ", step " << i;
        }
    }
    Play<2> play;  // in a shell, shot about
    play.gravity.setZero();
    play.dt = 0.05;
    auto shell = body_of<2>(std::make_shared<Sphere<2>>(0.5), Vec2(0, 0), 1000, BodyType::rigid, 2e-4);
    play.bodies = {ball<2>(0.03, {0.1, 0.2}, {50, -31}), shell};
    play.bodies[0].restitution = 0.9;
    for (int i = 0; i < 40; ++i) {
        play.step();
        ASSERT_LT((play.bodies[0].position - play.bodies[1].position).norm(), 0.47) << "step " << i;
    }
}

TEST(ContactMotion, AKinematicBodyPushesAnother) {
    Play<3> play;
    play.gravity.setZero();
    play.dt = 0.02;
    play.bodies = {ball<3>(0.1, {0.3, 0.5, 0.5}), ball<3>(0.1, {0.55, 0.5, 0.5})};
    play.bodies[0].type = BodyType::kinematic;
    play.bodies[0].motion = SteadyMotion<3>{(Twist<3>() << 1, 0, 0, 0, 0, 0).finished()};
    play.run(0.2);
    EXPECT_NEAR(play.bodies[0].position[0], 0.5, 1e-14);
    EXPECT_GE(play.bodies[1].position[0], 0.7);
    EXPECT_NEAR(play.bodies[1].velocity[0], 1, 1e-9);
    EXPECT_EQ(play.deepest, 0);
}

TEST(ContactMotion, OpenSidesLetBodiesThrough) {
    Play<3> play;
    play.gravity.setZero();
    play.walls = walls_around<3>(Vec3::Zero(), Vec3::Ones());
    play.walls.closed[1][1] = false;
    play.dt = 0.5;
    play.bodies = {ball<3>(0.1, {0.5, 0.85, 0.5}, {0, 1, 0})};
    play.step();
    EXPECT_NEAR(play.bodies[0].position[1], 1.35, 1e-15);
    EXPECT_EQ(play.report.contacts, 0);
}

/// Spheres in layers above a bin, off the lattice by a little.
Play<3> pouring(int across, int layers) {
    constexpr double r = 0.05;
    const Random random(3);
    Play<3> play;
    play.dt = 0.005;
    const double width = across * 2.3 * r;
    play.walls = walls_around<3>(Vec3::Zero(), Vec3(width, 100, width));
    const auto sphere = ball<3>(r, Vec3::Zero());
    for (int k = 0; k < layers; ++k)
        for (int j = 0; j < across; ++j)
            for (int i = 0; i < across; ++i) {
                auto b = sphere;
                b.position = 2.3 * r * Vec3(i + 0.5, k + 0.6, j + 0.5) + 0.1 * r * random.point<3>(play.bodies.size());
                b.friction = 0.3;
                b.restitution = 0.2;
                play.bodies.push_back(b);
            }
    return play;
}

// No explosion: what moves has fallen for it.
TEST(ContactMotion, PouredSpheresSettle) {
    auto play = pouring(3, 5);
    const double start = play.potential();
    for (int i = 0; i < 160; ++i) {
        play.step();
        ASSERT_LE(play.kinetic(), play.given(start) + 1e-9 * start) << "step " << i;
    }
    EXPECT_LT(play.kinetic(), 0.01 * start);
    EXPECT_LT(play.deepest, 1e-4) << "of spheres of 0.05 m";
}

TEST(ContactMotion, TheSameBitsOnAnyNumberOfThreads) {
    const auto run = [](int threads) {
        const ThreadLimit limit(threads);
        auto play = pouring(3, 3);
        play.run(0.3);
        return play.bodies;
    };
    const auto one = run(1), two = run(2);
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].position, two[i].position);
        EXPECT_EQ(one[i].angular_momentum, two[i].angular_momentum);
    }
}

}  // namespace
}  // namespace tidelock
