#include "stage/body_stage.h"

#include <gtest/gtest.h>

#include "tank.h"

namespace tidelock {
namespace {

/// A tower of boxes on the floor, the upper ones `ratio` times as dense as those below them.
StepReport<2> rest_of_tower(int boxes, double ratio) {
    World<2> world = tank<2>(64);
    const double apart = 5e-5, edge = 0.06;
    double density = 1;
    for (int n = 0; n < boxes; ++n, density *= ratio)
        add<2>(world, std::make_shared<Box<2>>(Vec2(edge, edge)), density,
               Vec2(0.5 + 0.004 * (n % 2), apart + 0.5 * edge + n * (edge + apart)));
    for (auto& body : world.solids.bodies) body.friction = 0.5;
    Step<2> step(world, 0.01);
    const BodyStage<2> bodies(world, step.dt);
    bodies.move(step);
    bodies.add_forces(step);
    bodies.rest(step);
    return step.report;
}

// A solve for contact is in the report like any other, and says when it did not come to its end.
TEST(BodyStage, ReportsTheSolveOfContacts) {
    const auto easy = rest_of_tower(2, 1);
    EXPECT_EQ(easy.contacts, 2);
    ASSERT_EQ(easy.solves.size(), 1u);
    const NamedSolve& solve = easy.solves[0];
    EXPECT_EQ(solve.name, "contact");
    EXPECT_GE(solve.unknowns, 4);  // two corners of each box
    EXPECT_GT(solve.report.iterations, 0);
    EXPECT_LT(solve.report.residual, 0.01);  // of the largest change

    const auto hard = rest_of_tower(10, 10);
    ASSERT_EQ(hard.solves.size(), 1u);
    EXPECT_FALSE(hard.solves[0].report.converged()) << "heavy on light needs more sweeps than there are";
    EXPECT_GT(hard.solves[0].report.residual, 1e-7);
    EXPECT_EQ(hard.solves[0].report.iterations, ImpulseOptions{}.sweeps);
}

TEST(BodyStage, ReportsNoSolveWithoutContacts) {
    World<3> world = tank<3>(16);
    add<3>(world, std::make_shared<Sphere<3>>(0.1), 500, Vec3::Constant(0.5));
    Step<3> step(world, 0.01);
    const BodyStage<3> bodies(world, step.dt);
    bodies.move(step);
    bodies.add_forces(step);
    bodies.rest(step);
    EXPECT_TRUE(step.report.solves.empty());
    EXPECT_NEAR(world.solids.bodies[0].velocity[1], -0.0981, 1e-15);
    EXPECT_EQ(step.before.size(), 1u);
    EXPECT_TRUE(step.motion[0].isZero(0)) << "it was at rest while it moved";
}

}  // namespace
}  // namespace tidelock
