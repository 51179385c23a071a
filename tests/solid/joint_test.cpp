#include "solid/joint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/dense.h"
#include "contact_testing.h"

namespace tidelock {
namespace {

/// A thin bar that hangs from its upper end and can turn about an axis through it.
template <int D>
struct Pendulum {
    static constexpr double length = 1;
    Play<D> play;
    double arm = 0, inertia = 0;  ///< from the axis to the centre; about the axis

    /// Turned by `angle` from where it hangs.
    Pendulum(double angle, double dt) {
        play.dt = dt;
        Vec<D> size = Vec<D>::Constant(0.1);
        size[1] = length;
        Vec<D> centre = Vec<D>::Zero();
        arm = 0.45 * length;
        centre[1] = -arm;
        play.bodies = {box<D>(size, centre)};
        play.joints = {
            make_joint<D>(JointKind::hinge, 0, -1, Vec<D>::Zero(), Vec<D>(Vec<D>::Unit(D - 1)), play.bodies)};
        auto& body = play.bodies[0];
        body.rotation = Rotation<D>().turned(about_z(angle));
        body.position = body.rotation.matrix() * centre;
        inertia = body.inertia(rotation_dof<D> - 1, rotation_dof<D> - 1) + body.mass * arm * arm;
    }
    static Spin<D> about_z(double angle) {
        Spin<D> turn = Spin<D>::Zero();
        turn[rotation_dof<D> - 1] = angle;
        return turn;
    }
    [[nodiscard]] double angle() const { return coordinate_of<D>(play.joints[0], play.bodies).value; }
    /// By the zeros of the angle over several swings, between steps by a straight line.
    [[nodiscard]] double period(int swings) {
        double first = 0, before = angle();
        for (int zeros = 0;;) {
            play.step();
            const double now = angle();
            if ((before > 0) != (now > 0)) {
                const double at = play.time - play.dt * now / (now - before);
                if (zeros == 0) first = at;
                if (zeros++ == 2 * swings) return (at - first) / swings;
            }
            before = now;
        }
    }
};

// 4 sqrt(I / (m g d)) K(sin(a / 2)), for small and large amplitudes.
template <int D>
void expect_period(double amplitude, double dt, double tolerance) {
    Pendulum<D> p(amplitude, dt);
    const double expected =
        4 * std::sqrt(p.inertia / (p.play.bodies[0].mass * g * p.arm)) * std::comp_ellint_1(std::sin(amplitude / 2));
    EXPECT_NEAR(p.period(3), expected, tolerance * expected) << amplitude;
}
TEST(Joint, APendulumSwingsWithItsPeriod) {
    for (const double amplitude : {0.01, 1.0, 2.5}) {
        expect_period<2>(amplitude, 0.005, 2e-4);
        expect_period<3>(amplitude, 0.01, 1e-3);
    }
}

// Second order: half the step, a quarter of the error.
TEST(Joint, ThePeriodIsOfSecondOrder) {
    const auto error = [](double dt) {
        Pendulum<2> p(1.0, dt);
        const double expected =
            4 * std::sqrt(p.inertia / (p.play.bodies[0].mass * g * p.arm)) * std::comp_ellint_1(std::sin(0.5));
        return std::abs(p.period(4) / expected - 1);
    };
    EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), 2, 0.2);
}

/// Kinetic energy less what gravity gave, the greatest over a time.
template <int D>
double worst_energy(Play<D> play, double seconds) {
    const double start = play.potential(), kinetic = play.kinetic();
    double worst = 0;
    while (play.time < seconds - 0.5 * play.dt) {
        play.step();
        worst = std::max(worst, std::abs(play.kinetic() - kinetic - play.given(start)));
    }
    return worst;
}

template <int D>
double joint_error(const Play<D>& play) {
    double worst = 0;
    for (const auto& row : rows_of<D>(play.joints, play.bodies)) worst = std::max(worst, std::abs(row.value));
    return worst;
}

// A top on a ball joint, spinning and swinging in space: ten thousand steps.
TEST(Joint, JointsDoNotComeApartAndEnergyDoesNotGrow) {
    Play<3> play;
    play.dt = 0.002;
    play.bodies = {box<3>({0.1, 0.6, 0.2}, {0.2, -0.3, 0.1})};
    play.joints = {make_joint<3>(JointKind::ball, 0, -1, Vec3::Zero(), Vec3::Zero(), play.bodies)};
    play.bodies[0].set_twist((Twist<3>() << 0, 0, 0, 2, 5, -3).finished());
    const double start = play.potential(), scale = play.bodies[0].mass * g * 0.4;
    double early = 0, late = 0, apart = 0, kinetic = 0;
    for (int i = 0; i < 10000; ++i) {
        play.step();
        if (i == 0) kinetic = play.kinetic() - play.given(start);
        const double error = std::abs(play.kinetic() - kinetic - play.given(start));
        (i < 2000 ? early : late) = std::max(i < 2000 ? early : late, error);
        apart = std::max(apart, joint_error(play));
    }
    EXPECT_LT(apart, 1e-10);
    EXPECT_LT(early, 2e-3 * scale);
    EXPECT_LT(late, 1.5 * early) << "bounded, not drifting";
}

// The same in one coordinate: two bars, hinge on hinge. The step is symplectic, so that its energy differs from the
// exact one by a bounded amount of second order once velocities are taken back to the positions' time.
TEST(Joint, ADoublePendulumKeepsItsEnergy) {
    const auto error = [](double dt) {
        Play<2> play;
        play.dt = dt;
        play.bodies = {box<2>({0.5, 0.05}, {0.25, 0}), box<2>({0.5, 0.05}, {0.75, 0})};
        play.joints = {make_joint<2>(JointKind::hinge, 0, -1, Vec2(0, 0), Vec2::Zero(), play.bodies),
                       make_joint<2>(JointKind::hinge, 0, 1, Vec2(0.5, 0), Vec2::Zero(), play.bodies)};
        const double scale = 2 * play.bodies[0].mass * g * 0.5;
        return worst_energy(play, 3.0) / scale;
    };
    const double coarse = error(0.004), fine = error(0.002);
    EXPECT_LT(fine, 2e-3);
    EXPECT_GT(coarse / fine, 3) << "second order";
}

// s = 1/2 g sin(alpha) t^2, exactly: steps are of second order.
template <int D>
void expect_sliding() {
    constexpr double alpha = 0.5;
    Play<D> play;
    play.dt = 0.01;
    Vec<D> axis = Vec<D>::Zero(), at = Vec<D>::Constant(0.3);
    axis[0] = std::cos(alpha), axis[1] = -std::sin(alpha);
    play.bodies = {box<D>(Vec<D>::Constant(0.2), at)};
    play.joints = {make_joint<D>(JointKind::slider, 0, -1, Vec<D>(at + Vec<D>::Constant(0.3)), axis, play.bodies)};
    play.run(1);
    const double way = g * std::sin(alpha) * 0.5;
    EXPECT_LT((play.bodies[0].position - at - way * axis).norm(), 1e-10);
    EXPECT_NEAR(coordinate_of<D>(play.joints[0], play.bodies).value, way, 1e-10);
    EXPECT_LT(play.bodies[0].angular_velocity().norm(), 1e-12);
}
TEST(Joint, ASliderFallsAlongItsAxis) {
    expect_sliding<2>();
    expect_sliding<3>();
}

// torque / (I + m d^2) about an upright axis: gravity has no part in it.
TEST(Joint, AMotorTurnsAHingeWithItsTorque) {
    Play<3> play;
    play.dt = 0.01;
    play.bodies = {box<3>({0.6, 0.1, 0.1}, {0.3, 0, 0})};
    play.joints = {make_joint<3>(JointKind::hinge, 0, -1, Vec3::Zero(), Vec3(0, 2, 0), play.bodies)};
    play.joints[0].torque = 2;
    const auto& body = play.bodies[0];
    const double inertia = body.inertia(1, 1) + body.mass * 0.09;
    play.run(0.5);
    EXPECT_NEAR(body.angular_velocity()[1], 2 / inertia * 0.5, 1e-4 * 2 / inertia * 0.5);
    EXPECT_NEAR(coordinate_of<3>(play.joints[0], play.bodies).value, 0.5 * 2 / inertia * 0.5 * 0.49,
                1e-3 * 0.25 / inertia);
}

// A motor that holds a speed: with the torque that it has, until the speed is there.
TEST(Joint, AMotorReachesItsSpeedAndHoldsIt) {
    Play<2> play;
    play.dt = 0.005;
    play.gravity.setZero();
    play.bodies = {box<2>({0.6, 0.1}, {0.3, 0})};
    play.joints = {make_joint<2>(JointKind::hinge, 0, -1, Vec2::Zero(), Vec2::Zero(), play.bodies)};
    const double inertia = play.bodies[0].inertia(0, 0) + play.bodies[0].mass * 0.09;
    play.joints[0].motor = SpeedMotor{3, 3 * inertia / 0.4};  // there after 0.4 s
    play.run(0.2);
    EXPECT_NEAR(play.bodies[0].angular_velocity()[0], 1.5, 1e-3);
    play.run(0.4);
    EXPECT_NEAR(play.bodies[0].angular_velocity()[0], 3, 1e-4);
}

TEST(Joint, LimitsStopAHingeAndASlider) {
    Play<2> play;
    play.dt = 0.005;
    play.bodies = {box<2>({0.6, 0.1}, {0.3, 0}), box<2>({0.1, 0.1}, {2, 0})};
    play.joints = {make_joint<2>(JointKind::hinge, 0, -1, Vec2::Zero(), Vec2::Zero(), play.bodies),
                   make_joint<2>(JointKind::slider, 1, -1, Vec2(2, 0), Vec2(0, 1), play.bodies)};
    play.joints[0].limits = {-0.4, 0.2};
    play.joints[1].limits = {-0.3, 0.1};
    for (int i = 0; i < 200; ++i) {
        play.step();
        ASSERT_GT(coordinate_of<2>(play.joints[0], play.bodies).value, -0.4 - 1e-5) << "step " << i;
        ASSERT_GT(coordinate_of<2>(play.joints[1], play.bodies).value, -0.3 - 1e-9) << "step " << i;
    }
    EXPECT_NEAR(coordinate_of<2>(play.joints[0], play.bodies).value, -0.4, 1e-5);
    EXPECT_NEAR(coordinate_of<2>(play.joints[1], play.bodies).value, -0.3, 1e-9);
    EXPECT_LT(play.kinetic(), 1e-8);
}

// Two boxes, fixed to each other, against one body of both: thrown, tumbling.
TEST(Joint, AFixedJointMakesOneBodyOfTwo) {
    const auto difference = [](double dt) {
        Play<3> two, one;
        two.dt = one.dt = dt;
        one.bodies = {box<3>({0.4, 0.1, 0.15}, {0, 0, 0})};
        two.bodies = {box<3>({0.2, 0.1, 0.15}, {-0.1, 0, 0}), box<3>({0.2, 0.1, 0.15}, {0.1, 0, 0})};
        two.joints = {make_joint<3>(JointKind::fixed, 0, 1, Vec3(0.02, 0.03, 0), Vec3::Zero(), two.bodies)};
        const Twist<3> twist = (Twist<3>() << 1, 2, 0, 1, 2, 4).finished();
        one.bodies[0].set_twist(twist);
        for (auto& b : two.bodies) {
            b.set_twist(twist);
            b.velocity = velocity_at<3>(twist, b.position);
        }
        one.run(0.6);
        two.run(0.6);
        EXPECT_LT(joint_error(two), 1e-11);
        EXPECT_LT((two.bodies[0].rotation.vector_to(two.bodies[1].rotation)).norm(), 1e-10);
        const Vec3 corner(0.2, 0.05, 0.075);
        return (one.bodies[0].pose().to_world(corner) - two.bodies[1].pose().to_world(corner - Vec3(0.1, 0, 0))).norm();
    };
    const double coarse = difference(0.004), fine = difference(0.002);
    EXPECT_LT(fine, 1e-4);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << "second order";
}

// Impulses at joints are equal and opposite at one point.
// Two plates on one keel stand closer than contact distance: they cannot move against each other, so that no impulse
// between them does anything, and none may be asked for.
TEST(Joint, LockedBodiesThatTouchAreLeftAlone) {
    Play<3> play;
    play.bodies = {box<3>(Vec3(1, 0.1, 1), Vec3(0, 5, 0)), box<3>(Vec3(0.1, 0.4, 1), Vec3(-0.0501, 5.25001, 0)),
                   box<3>(Vec3(0.1, 0.4, 1), Vec3(0.0501, 5.25001, 0))};
    for (int plate : {1, 2})
        play.joints.push_back(make_joint<3>(JointKind::fixed, 0, plate, Vec3(0, 5.05, 0), Vec3::UnitY(), play.bodies));
    for (int n = 0; n < 20; ++n) play.step();
    for (const auto& body : play.bodies) {
        ASSERT_TRUE(body.twist().allFinite());
        EXPECT_NEAR(body.velocity[1], play.bodies[0].velocity[1], 1e-9);
    }
    EXPECT_NEAR((play.bodies[2].position - play.bodies[1].position).norm(), 0.1002, 1e-9);
}

// A cup of boxes that are fixed to its floor: its walls, which touch or overlap by rounding, are no contacts, and neither
// are two bodies that hang in the world. A lid on a hinge meets all but the wall that it hangs on.
TEST(JointGroups, PartsOfOneBodyDoNotCollide) {
    std::vector<RigidBody<2>> bodies;
    for (int i = 0; i < 7; ++i) bodies.push_back(box<2>(Vec2(1, 1), Vec2(i, 0)));
    const auto joint = [&](JointKind kind, int a, int b) {
        return make_joint<2>(kind, a, b, Vec2::Zero(), Vec2::UnitX(), bodies);
    };
    const std::vector<Joint<2>> joints = {joint(JointKind::fixed, 1, 0), joint(JointKind::fixed, 2, 0),
                                          joint(JointKind::hinge, 3, 2), joint(JointKind::fixed, 4, -1),
                                          joint(JointKind::fixed, 5, -1)};
    const std::vector<std::pair<int, int>> expected = {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {4, 5}};
    EXPECT_EQ(JointGroups<2>(joints, bodies).joined(), expected);
}

TEST(Joint, FreeJointedBodiesKeepTheirMomenta) {
    for (const JointKind kind : {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::fixed}) {
        Play<3> play;
        play.gravity.setZero();
        play.dt = 0.01;
        play.bodies = {box<3>({0.4, 0.1, 0.2}, {-0.25, 0, 0}), box<3>({0.3, 0.2, 0.1}, {0.25, 0.1, 0})};
        play.joints = {make_joint<3>(kind, 0, 1, Vec3(0, 0.05, 0.02), Vec3(1, 2, 0.5), play.bodies)};
        play.bodies[0].set_twist((Twist<3>() << 1, 0, 2, 3, -1, 2).finished());
        const Vec3 p = play.momentum(), l = play.angular_momentum();
        play.run(1);
        EXPECT_LT((play.momentum() - p).norm(), 1e-12 * p.norm());
        EXPECT_LT((play.angular_momentum() - l).norm(), 1e-10 * l.norm()) << static_cast<int>(kind);
        EXPECT_LT(joint_error(play), 1e-11);
    }
}

// N is symmetric, obeys the joints, and is the inverse of M on what they allow: N M N = N.
TEST(JointGroups, AnswerIsTheConstrainedInverse) {
    std::vector<RigidBody<3>> bodies{box<3>({0.4, 0.1, 0.2}, {-0.25, 0, 0}), box<3>({0.3, 0.2, 0.1}, {0.25, 0.1, 0}),
                                     box<3>({0.1, 0.2, 0.1}, {0.5, 0.1, 0}), box<3>({0.1, 0.1, 0.1}, {3, 0, 0})};
    // A loop: what the last joint says is known in part.
    const std::vector<Joint<3>> joints{make_joint<3>(JointKind::ball, 0, 1, Vec3(0, 0, 0.1), Vec3::Zero(), bodies),
                                       make_joint<3>(JointKind::hinge, 1, 2, Vec3(0.4, 0, 0), Vec3(0, 0, 1), bodies),
                                       make_joint<3>(JointKind::fixed, 2, -1, Vec3(0.5, 0, 0), Vec3::Zero(), bodies),
                                       make_joint<3>(JointKind::ball, 2, -1, Vec3(0.6, 0, 0), Vec3::Zero(), bodies)};
    const JointGroups<3> groups(joints, bodies);
    ASSERT_EQ(groups.groups().size(), 1u);
    EXPECT_EQ(groups.groups()[0].members, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(groups.group_of(3), -1);
    const Eigen::MatrixXd n = groups.answer(groups.groups()[0], bodies);
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(18, 18), h(0, 18);
    for (int i = 0; i < 3; ++i) mass.block<6, 6>(6 * i, 6 * i) = bodies[static_cast<std::size_t>(i)].mass_matrix();
    for (const auto& row : rows_of<3>(joints, bodies)) {
        h.conservativeResize(h.rows() + 1, 18);
        h.bottomRows(1).setZero();
        h.block<1, 6>(h.rows() - 1, 6 * row.a) += row.row.a.transpose();
        if (row.b >= 0) h.block<1, 6>(h.rows() - 1, 6 * row.b) += row.row.b.transpose();
    }
    EXPECT_LT(product(h, n).norm(), 1e-10 * n.norm());
    EXPECT_LT((product(product(n, mass), n) - n).norm(), 1e-10 * n.norm());
    // 18 less 3 of the ball, 5 of the hinge, 6 of what is fixed.
    EXPECT_NEAR(product(n, mass).trace(), 4, 1e-8);
}

// A swinging bar hits a post: the joint holds, nothing overlaps, and what is left of the swing ends at the post.
TEST(Joint, APendulumStopsAtAPost) {
    Pendulum<3> p(1.2, 0.005);
    p.play.bodies.push_back(box<3>({0.1, 0.1, 1}, {-0.1 - 2 * touching, -0.8, 0}, 0, BodyType::fixed));
    for (int i = 0; i < 400; ++i) {
        p.play.step();
        ASSERT_LT(joint_error(p.play), 1e-10) << "step " << i;
    }
    EXPECT_EQ(p.play.deepest, 0);
    EXPECT_NEAR(p.angle(), 0, 0.01);
    EXPECT_LT(p.play.kinetic(), 1e-6 * p.play.bodies[0].mass);
}

TEST(Joint, ABodyFollowsWhatItHangsFrom) {
    Play<2> play;
    play.dt = 0.01;
    play.bodies = {box<2>({0.2, 0.2}, {0, 0}, 0, BodyType::kinematic), box<2>({0.1, 0.4}, {0, -0.4})};
    play.bodies[0].motion = SteadyMotion<2>{Twist<2>(0.5, 0, 0.3)};
    play.joints = {make_joint<2>(JointKind::hinge, 1, 0, Vec2(0, -0.15), Vec2::Zero(), play.bodies)};
    for (int i = 0; i < 200; ++i) {
        play.step();
        ASSERT_LT(joint_error(play), 1e-11) << "step " << i;
    }
    EXPECT_NEAR(play.bodies[0].position[0], 1, 1e-12);
    EXPECT_NEAR(play.bodies[1].position[0], 1, 0.5);
}

}  // namespace
}  // namespace tidelock
