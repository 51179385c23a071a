#include "run/time_steps.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace tidelock {
namespace {

scene::Time times(double duration, double fps) {
    scene::Time time;
    time.duration = duration;
    time.fps = fps;
    return time;
}

/// Steps until the frame, as the run takes them.
std::vector<double> steps_to(const scene::Time& time, double end, double largest) {
    std::vector<double> steps;
    double now = 0;
    for (NextStep next; !next.last; now += next.dt) {
        next = next_step(time, now, end, largest);
        steps.push_back(next.dt);
    }
    return steps;
}

TEST(TimeSteps, FramesAreWholeAndTheLastIsNotBeyondTheDuration) {
    EXPECT_EQ(frame_count(times(4, 30)), 120);
    EXPECT_EQ(frame_count(times(0.1, 30)), 3);  // 0.1 * 30 is below 3 in floating point
    EXPECT_EQ(frame_count(times(0.11, 30)), 3);
    EXPECT_EQ(frame_count(times(0.01, 30)), 1);
    EXPECT_DOUBLE_EQ(frame_time(times(4, 30), 30), 1);
    EXPECT_DOUBLE_EQ(frame_time(times(0.01, 30), 1), 0.01);
}

TEST(TimeSteps, CflCutsAFrameIntoTheFewestEqualSteps) {
    const auto steps = steps_to(times(1, 1), 1, 0.3);
    ASSERT_EQ(steps.size(), 4u);
    for (const double dt : steps) EXPECT_NEAR(dt, 0.25, 1e-15);
    EXPECT_EQ(steps_to(times(1, 1), 1, std::numeric_limits<double>::infinity()).size(), 1u);
}

TEST(TimeSteps, AFixedStepThatDividesTheFrameIsKeptToTheEnd) {
    auto time = times(1, 30);
    time.step = 1.0 / 300;
    const auto steps = steps_to(time, 1.0 / 30, 1e-9);
    ASSERT_EQ(steps.size(), 10u);
    for (const double dt : steps) EXPECT_NEAR(dt, 1.0 / 300, 1e-15);
}

TEST(TimeSteps, AFixedStepThatDoesNotDivideTheFrameLeavesAShorterLastOne) {
    auto time = times(1, 1);
    time.step = 0.4;
    const auto steps = steps_to(time, 1, 1e-9);
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_NEAR(steps[2], 0.2, 1e-15);
    time.step = 5;
    EXPECT_EQ(steps_to(time, 1, 1).size(), 1u);
}

TEST(TimeSteps, AFlowThatHasBlownUpIsAnError) {
    EXPECT_THROW(static_cast<void>(next_step(times(1, 1), 0, 1, 1e-9)), SimulationError);
    EXPECT_THROW(static_cast<void>(next_step(times(1, 1), 0, 1, 0)), SimulationError);
    EXPECT_THROW(static_cast<void>(next_step(times(1, 1), 0, 1, std::numeric_limits<double>::quiet_NaN())),
                 SimulationError);
}

}  // namespace
}  // namespace tidelock
