#include <gtest/gtest.h>

#include <limits>

#include "stage/measures.h"
#include "tank.h"

namespace tidelock {
namespace {

TEST(Step, NotesItsStages) {
    World<2> world = tank<2>(8);
    Step<2> step(world, 0.01);
    step.run("first", [] {});
    EXPECT_EQ(step.run("second", [] { return 7; }), 7);
    ASSERT_EQ(step.report.seconds.size(), 2u);
    EXPECT_EQ(step.report.seconds[0].first, "first");
    EXPECT_EQ(step.report.seconds[1].first, "second");
    EXPECT_GE(step.report.seconds[1].second, 0);
}

TEST(Step, RefusesStepsThatAreNotPositive) {
    World<2> world = tank<2>(8);
    for (const double dt : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(Step<2>(world, dt), SimulationError);
}

TEST(Step, ErrorsNameStepAndStage) {
    World<2> world = tank<2>(8);
    world.clock.step = 11;
    const Step<2> step(world, 0.01);
    try {
        step.fail("carry", "something broke");
        FAIL();
    } catch (const SimulationError& error) {
        EXPECT_STREQ(error.what(), "step 12, stage carry: something broke");
    }
}

TEST(Measures, TheCoupledSolveComesFirst) {
    World<2> world = tank<2>(8);
    Step<2> step(world, 0.01);
    NamedSolve coupled;
    coupled.name = "contact";
    step.report.solves.push_back(coupled);
    coupled.name = "coupled";
    coupled.report.incompatibility = 0.5;
    report_solve<2>(coupled, {}, step);
    EXPECT_EQ(step.report.solves[0].name, "coupled");
    ASSERT_EQ(step.report.notes.size(), 1u);
    EXPECT_EQ(step.report.notes[0].kind, "volume");
    coupled.report.status = SolveStatus::not_finite;
    EXPECT_THROW(report_solve<2>(coupled, {}, step), SimulationError);
}

// A residual that is no answer ends the step, or is written down: it never passes for a result.
TEST(Measures, ASolveWithoutAnAnswerFailsTheStep) {
    World<2> world = tank<2>(8);
    NamedSolve coupled;
    coupled.name = "coupled";
    coupled.report.status = SolveStatus::iteration_limit;
    for (const double residual : {0.5, 181.0, std::numeric_limits<double>::quiet_NaN()}) {
        coupled.report.residual = residual;
        Step<2> strict(world, 0.01);
        EXPECT_THROW(report_solve<2>(coupled, {}, strict), StepFailed) << residual;
        Step<2> lenient(world, 0.01, OnFailure::accept);
        report_solve<2>(coupled, {}, lenient);
        EXPECT_EQ(lenient.report.failures.size(), 1u) << residual;
    }
    Step<2> step(world, 0.01);
    coupled.report.residual = 1e-4;  // missed its tolerance by little
    report_solve<2>(coupled, {}, step);
    coupled.report.residual = 0.5;
    coupled.report.status = SolveStatus::time_limit;  // as the user wants it
    report_solve<2>(coupled, {}, step);
    EXPECT_TRUE(step.report.failures.empty());
}

TEST(Measures, LoadsAreThoseOfTheNextStepAndBodiesAreFinite) {
    World<3> world = tank<3>(8);
    auto& body = add<3>(world, std::make_shared<Sphere<3>>(0.2), 1, Vec3::Constant(0.5));
    Step<3> step(world, 0.01);
    Twist<3> load;
    load << 1, 2, 3, 4, 5, 6;
    report_loads<3>({load}, step);
    EXPECT_EQ(world.solids.loads[0], load);
    EXPECT_EQ(step.report.loads[0].force, Vec3(1, 2, 3));
    EXPECT_EQ(step.report.loads[0].torque, Vec3(4, 5, 6));
    body.position[1] = std::numeric_limits<double>::infinity();
    EXPECT_THROW(report_loads<3>({load}, step), SimulationError);
}

TEST(Measures, TheLargestSpeedIsThatOfFacesAndOfSurfaces) {
    World<2> world = tank<2>(16);
    FaceField<2, double> velocity(make_dense<2>(lattice_for_faces<2>(world.domain.grid.cells)), 0.0);
    velocity[1].ref(Coord2(3, 4)) = -2;
    EXPECT_EQ(largest_speed<2>(velocity, {}), 2);
    auto& body = add<2>(world, std::make_shared<Sphere<2>>(0.2), 1, Vec2(0.5, 0.5));
    body.set_twist(Twist<2>(3, 4, 10));
    EXPECT_NEAR(largest_speed<2>(velocity, world.solids.bodies), 5 + 0.2 * 10, 1e-12);
    body.type = BodyType::fixed;
    EXPECT_EQ(largest_speed<2>(velocity, world.solids.bodies), 2);
}

}  // namespace
}  // namespace tidelock
