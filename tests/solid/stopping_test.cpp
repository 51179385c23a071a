#include "solid/stopping.h"

#include <gtest/gtest.h>

namespace tidelock {
namespace {

WallBox<3> closed_box() {
    WallBox<3> walls;
    walls.box.low = Vec3::Zero();
    walls.box.high = Vec3::Ones();
    for (auto& axis : walls.closed) axis = {true, true};
    return walls;
}

RigidBody<3> ball(const Vec3& at, const Vec3& velocity, double density = 1) {
    RigidBody<3> body;
    body.name = "ball";
    set_shape<3>(body, std::make_shared<Sphere<3>>(0.1), density, 0, {at, {}}, "ball");
    body.velocity = velocity;
    return body;
}

TEST(Stopping, ABodyStopsAtAWallAndSlidesAlongIt) {
    std::vector<RigidBody<3>> bodies{ball({0.5, 0.5, 0.5}, {0.1, -1, 0})};
    StopReport report;
    for (int i = 0; i < 20; ++i) {
        report = move_apart<3>(bodies, closed_box(), {1e-3, 1e-3}, 0.05 * i, 0.05);
        ASSERT_GE(bodies[0].position[1], 0.1) << "step " << i;
        ASSERT_EQ(report.max_penetration, 0);
    }
    EXPECT_LT(bodies[0].position[1], 0.16) << "the way to the wall is used up to the last step";
    EXPECT_NEAR(bodies[0].velocity[1], 0, 1e-12);
    EXPECT_NEAR(bodies[0].position[0], 0.6, 1e-12) << "without friction it goes on sideways";
}

TEST(Stopping, TwoBodiesKeepTheirMomentum) {
    std::vector<RigidBody<3>> bodies{ball({0.3, 0.5, 0.5}, {1, 0.2, 0}, 1), ball({0.7, 0.53, 0.5}, {-0.5, 0, 0}, 3)};
    const auto momentum = [&] {
        return Vec3(bodies[0].mass * bodies[0].velocity + bodies[1].mass * bodies[1].velocity);
    };
    const Vec3 before = momentum();
    int touched = 0;
    for (int i = 0; i < 10; ++i) {
        touched += move_apart<3>(bodies, closed_box(), {1e-3, 1e-3}, 0.02 * i, 0.02).contacts;
        ASSERT_GE((bodies[0].position - bodies[1].position).norm(), 0.2 - 1e-3);
    }
    EXPECT_GT(touched, 0);
    EXPECT_NEAR((momentum() - before).norm(), 0, 1e-14);
    EXPECT_NEAR(bodies[0].velocity[0], bodies[1].velocity[0], 0.15) << "they go on together";
}

TEST(Stopping, OpenSidesLetBodiesThrough) {
    auto walls = closed_box();
    walls.closed[1][1] = false;
    std::vector<RigidBody<3>> bodies{ball({0.5, 0.85, 0.5}, {0, 1, 0})};
    EXPECT_EQ(move_apart<3>(bodies, walls, {1e-3, 1e-3}, 0, 0.5).contacts, 0);
    EXPECT_NEAR(bodies[0].position[1], 1.35, 1e-15);
}

// A ball that moves many times the thickness of a plate in a step does not pass it.
TEST(Stopping, AThinPlateStopsAFastBall) {
    for (const double thickness : {1e-3, 0.02, 0.1}) {
        std::vector<RigidBody<3>> bodies{ball({0.5, 0.8, 0.5}, {0.3, -4, 0}), ball({0.5, 0.5, 0.5}, {0, 0, 0})};
        bodies[1].type = BodyType::fixed;
        set_shape<3>(bodies[1], std::make_shared<Box<3>>(Vec3(2, thickness, 2)), 1, 0, {Vec3(0.5, 0.5, 0.5), {}},
                     "plate");
        for (int i = 0; i < 5; ++i) {
            const auto report = move_apart<3>(bodies, closed_box(), {1e-3, 1e-3}, 0.1 * i, 0.1);
            ASSERT_GT(bodies[0].position[1], 0.6 + 0.5 * thickness - 1e-3) << thickness << ", step " << i;
            ASSERT_EQ(report.max_penetration, 0);
        }
    }
}

TEST(Stopping, AKinematicBodyPushesAnother) {
    std::vector<RigidBody<3>> bodies{ball({0.3, 0.5, 0.5}, {0, 0, 0}), ball({0.55, 0.5, 0.5}, {0, 0, 0})};
    bodies[0].type = BodyType::kinematic;
    bodies[0].motion = SteadyMotion<3>{(Twist<3>() << 1, 0, 0, 0, 0, 0).finished()};
    for (int i = 0; i < 10; ++i) {
        const auto report = move_apart<3>(bodies, closed_box(), {1e-3, 1e-3}, 0.02 * i, 0.02);
        ASSERT_EQ(report.max_penetration, 0) << "step " << i;
    }
    EXPECT_NEAR(bodies[0].position[0], 0.5, 1e-14);
    EXPECT_GE(bodies[1].position[0], 0.7 - 1e-3);
}

}  // namespace
}  // namespace tidelock
