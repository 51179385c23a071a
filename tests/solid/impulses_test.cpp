#include "solid/impulses.h"

#include <gtest/gtest.h>

#include "contact_testing.h"

namespace tidelock {
namespace {

/// Collides two bodies that fly apart or together without weight until they are done.
template <int D>
Play<D> collided(RigidBody<D> a, RigidBody<D> b, double seconds = 0.3) {
    Play<D> play;
    play.gravity.setZero();
    play.bodies = {std::move(a), std::move(b)};
    play.run(seconds);
    return play;
}

// v_a' = (m_a v_a + m_b v_b + m_b e (v_b - v_a)) / (m_a + m_b)
TEST(Impulses, HeadOnCollisionsFollowNewton) {
    for (const double e : {0.0, 0.3, 1.0}) {
        auto a = ball<3>(0.1, {-0.2, 0, 0}, {2, 0, 0}, 1000), b = ball<3>(0.1, {0.2, 0, 0}, {-1, 0, 0}, 3000);
        a.restitution = e;
        const double sum = a.mass * 2 - b.mass * 1, total = a.mass + b.mass;
        const auto play = collided<3>(a, b);
        EXPECT_NEAR(play.bodies[0].velocity[0], (sum - b.mass * e * 3) / total, 1e-9) << e;
        EXPECT_NEAR(play.bodies[1].velocity[0], (sum + a.mass * e * 3) / total, 1e-9) << e;
        EXPECT_EQ(play.deepest, 0);
    }
}

// Without friction the impulse is along the line of centres; equal masses with e = 1 exchange that component.
TEST(Impulses, ObliqueCollisionOfEqualSpheresExchangesTheNormalComponents) {
    auto a = ball<2>(0.1, {-0.3, 0.1}, {2, 0}), b = ball<2>(0.1, {0, 0});
    a.restitution = 1;
    const auto play = collided<2>(a, b);
    // Contact is made one step before the surfaces are at their distance: the normal is off by that way.
    const double sine = 0.1 / (0.2 + touching), angle = std::asin(sine);
    const Vec2 n(-std::cos(angle), std::sin(angle));
    const Vec2 expected_b = Vec2(2, 0).dot(n) * n;
    EXPECT_NEAR((play.bodies[1].velocity - expected_b).norm(), 0, 0.02 * 2);
    EXPECT_NEAR(play.bodies[0].velocity.dot(play.bodies[1].velocity), 0, 1e-6) << "they part at a right angle";
    EXPECT_NEAR(play.kinetic(), 0.5 * play.bodies[0].mass * 4, 1e-6);
}

// A sphere that hits a wall at an angle: sliding if mu is small, else rolling off with 5/7 of its tangential speed.
TEST(Impulses, ObliqueImpactWithFrictionFollowsCoulomb) {
    for (const double mu : {0.05, 1.0}) {
        Play<3> play;
        play.gravity.setZero();
        play.walls = floor_only<3>();
        play.bodies = {ball<3>(0.1, {0, 0.15, 0}, {1, -2, 0})};
        play.bodies[0].friction = mu;
        play.bodies[0].restitution = 0.5;
        play.run(0.1);
        const auto& b = play.bodies[0];
        EXPECT_NEAR(b.velocity[1], 1.0, 1e-9);
        // The contact distance adds half of itself to the arm: 1e-3 / 2 of 0.1 m.
        const double slide = 1 - mu * (1 + 0.5) * 2, roll = 5.0 / 7;
        EXPECT_NEAR(b.velocity[0], std::max(slide, roll), 0.01) << mu;
        EXPECT_LT(b.angular_velocity()[2], 0) << "it turns forward";
    }
}

template <int D>
void expect_momentum_kept() {
    Play<D> play;
    play.gravity.setZero();
    Vec<D> apart = Vec<D>::Unit(0);
    play.bodies = {box<D>(Vec<D>::Constant(0.3), -0.4 * apart + 0.07 * Vec<D>::Unit(1), 0.6),
                   box<D>(Vec<D>::Constant(0.2), 0.3 * apart, 0.6)};
    play.bodies[0].velocity = 2.0 * apart;
    play.bodies[1].velocity = -1.5 * apart + 0.3 * Vec<D>::Unit(D - 1);
    play.bodies[0].rotation = play.bodies[0].rotation.turned(0.4 * Spin<D>::Ones());
    play.bodies[1].angular_momentum = 2.0 * Spin<D>::Ones();
    for (auto& b : play.bodies) b.restitution = 0.4;
    const Vec<D> p = play.momentum();
    const Spin<D> l = play.angular_momentum();
    const double energy = play.kinetic();
    const Vec<D> start = play.bodies[1].velocity;
    play.run(0.4);
    EXPECT_GT((play.bodies[1].velocity - start).norm(), 0.5) << "they did collide";
    // About 400 steps of sums of numbers of order 100: rounding.
    EXPECT_NEAR((play.momentum() - p).norm() / p.norm(), 0, 1e-12);
    EXPECT_NEAR((play.angular_momentum() - l).norm() / l.norm(), 0, 1e-12);
    EXPECT_LT(play.kinetic(), energy);
    EXPECT_LT(play.deepest, 1e-12);
}
TEST(Impulses, MomentumAndAngularMomentumOfTwoFreeBodiesAreKept) {
    expect_momentum_kept<2>();
    expect_momentum_kept<3>();
}

TEST(Impulses, AContactIsRememberedByItsIdOrTakenOverInItsPair) {
    const std::vector<RigidBody<2>> bodies{box<2>({1, 1}, {0, 1 + touching}), box<2>({4, 1}, {0, 0})};
    auto contacts = find_contacts<2>(bodies, no_walls<2>(), {touching, touching}, {0, 0});
    ASSERT_EQ(contacts.size(), 2U);
    const std::vector<Vec2> impulses{{3, 1}, {5, -2}};
    const auto memory = remember<2>(contacts, impulses, 0.1);
    const auto same = remembered<2>(contacts, memory, 0.1);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR((same[i] - impulses[i]).norm(), 0, 1e-14);
    contacts[1].id += 2;  // its neighbour on the surface now carries
    EXPECT_NEAR((remembered<2>(contacts, memory, 0.1)[1] - impulses[1]).norm(), 0, 1e-14);
    contacts[1].a = 7;
    EXPECT_EQ(remembered<2>(contacts, memory, 0.1)[1], Vec2::Zero()) << "another pair starts from nothing";
}

// The second step of a stack that rests starts with its answer.
TEST(Impulses, WarmStartEndsTheSweepsAtOnce) {
    Play<2> play;
    play.walls = floor_only<2>();
    play.dt = 0.01;
    for (int i = 0; i < 10; ++i)
        play.bodies.push_back(box<2>({0.1, 0.1}, {0, 0.05 + touching + i * (0.1 + touching)}, 0.5));
    play.step();
    const int cold = play.report.solve.sweeps;
    for (int i = 0; i < 20; ++i) play.step();
    EXPECT_GT(cold, 10);
    EXPECT_LE(play.report.solve.sweeps, 5);
}

}  // namespace
}  // namespace tidelock
