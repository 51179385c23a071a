#include "solid/motion.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tidelock {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Motion, KeyframesRestOutsideAndAreLinearBetween) {
    Keyframes<3> keys;
    keys.keys = {{1.0, {Vec3(0, 0, 0), {}}},
                 {3.0, {Vec3(2, 4, 0), Rotation<3>(Eigen::Quaterniond(Eigen::AngleAxisd(pi / 2, Vec3::UnitZ())))}}};
    const Placement<3> start;
    EXPECT_EQ(place_at<3>(keys, start, 0.0).position, Vec3(0, 0, 0));
    EXPECT_EQ(place_at<3>(keys, start, 9.0).position, Vec3(2, 4, 0));
    const auto middle = place_at<3>(keys, start, 2.0);
    EXPECT_NEAR((middle.position - Vec3(1, 2, 0)).norm(), 0, 1e-15);
    EXPECT_NEAR((middle.rotation.matrix() * Vec3::UnitX() - Vec3(std::sqrt(0.5), std::sqrt(0.5), 0)).norm(), 0, 1e-14);
    keys.smooth = true;  // 3 t^2 - 2 t^3 at t = 1/4
    EXPECT_NEAR(place_at<3>(keys, start, 1.5).position[0], 2 * (3.0 / 16 - 2.0 / 64), 1e-15);
}

TEST(Motion, SpinTurnsInPlaceAndOscillationStartsWhereTheBodyIs) {
    const Placement<2> start{Vec2(1, 2), Rotation<2>(0.5)};
    const auto spun = place_at<2>(SpinMotion<2>{Spin<2>(3.0)}, start, 2.0);
    EXPECT_EQ(spun.position, start.position);
    EXPECT_DOUBLE_EQ(spun.rotation.angle(), 6.5);
    const Oscillation<2> swing{Vec2(0.5, 0), 2.0, pi / 2};
    EXPECT_NEAR((place_at<2>(swing, start, 0.0).position - start.position).norm(), 0, 1e-15);
    // A quarter period after the crest: from +A to 0.
    EXPECT_NEAR(place_at<2>(swing, start, 0.125).position[0], 1 - 0.5, 1e-12);
}

TEST(Rotation, VectorToIsTheInverseOfTurned) {
    const Rotation<3> from(Eigen::Quaterniond(Eigen::AngleAxisd(1.3, Vec3(1, -2, 0.5).normalized())));
    const Vec3 turn(0.4, -1.1, 2.0);
    EXPECT_NEAR((from.vector_to(from.turned(turn)) - turn).norm(), 0, 1e-13);
}

}  // namespace
}  // namespace tidelock
