/// Motors that hold a speed, in a fluid much heavier than what they turn.
#include <gtest/gtest.h>

#include "methods/schur/schur.h"
#include "methods/trial.h"

namespace tidelock {
namespace {

/// A paddle on a hinge at its middle, of a thousandth of the fluid's density, with a motor.
template <int D>
struct Paddle {
    Trial<D> run{D == 2 ? 32 : 16, D == 2 ? 1.0 / 32 : 1.0 / 16};
    std::unique_ptr<Schur<D>> schur;

    Paddle(double speed, double torque) {
        Vec<D> size = Vec<D>::Constant(0.2);
        size[0] = 0.6;
        run.add(std::make_shared<Box<D>>(size), 1, Vec<D>::Constant(0.5));
        auto& joints = run.world.solids.joints;
        joints = {make_joint<D>(JointKind::hinge, 0, -1, Vec<D>::Constant(0.5), Vec<D>(Vec<D>::Unit(D - 1)),
                                run.world.solids.bodies)};
        joints[0].name = "hinge";
        joints[0].motor = SpeedMotor{speed, torque};
        schur = std::make_unique<Schur<D>>(run.setup(), SchurSettings{});
    }
    StepReport<D> step() { return schur->advance(run.world, 0.01); }
    [[nodiscard]] double speed() const { return run.world.solids.bodies[0].angular_velocity()[rotation_dof<D> - 1]; }
    [[nodiscard]] double angle() const {
        return coordinate_of<D>(run.world.solids.joints[0], run.world.solids.bodies).value;
    }
};

template <int D>
void expect_speed_whatever_the_fluid() {
    Paddle<D> paddle(1.5, 1e9);
    for (int n = 0; n < 20; ++n) {
        const auto report = paddle.step();
        ASSERT_TRUE(report.solves[0].report.converged()) << n;
        ASSERT_NEAR(paddle.speed(), 1.5, 1e-6) << n;  // the motor's speed is found to 1e-7 of it
    }
    EXPECT_NEAR(paddle.angle(), 19 * 0.01 * 1.5, 1e-6);  // in the first step it still stood
}
TEST(Motor, HoldsItsSpeedWhateverTheFluidWeighs) {
    expect_speed_whatever_the_fluid<2>();
    expect_speed_whatever_the_fluid<3>();
}

// What it has is what it gives: the fluid and the paddle turn as fast as that torque makes them, and the user hears it.
TEST(Motor, SaysWhenItsTorqueDoesNotDo) {
    const double torque = 5;
    Paddle<2> weak(50, torque), driven(50, 0);
    driven.run.world.solids.joints[0].motor.reset();
    driven.run.world.solids.joints[0].torque = torque;
    bool said = false;
    for (int n = 0; n < 5; ++n) {
        const auto report = weak.step();
        (void)driven.step();
        for (const auto& note : report.notes) said = said || note.kind == "motor hinge";
        // The same impulse by other ways: the solves stop at 1e-6.
        ASSERT_NEAR(weak.speed(), driven.speed(), 1e-4 * driven.speed()) << n;
    }
    EXPECT_TRUE(said);
    EXPECT_GT(driven.speed(), 0.01);
}

}  // namespace
}  // namespace tidelock
