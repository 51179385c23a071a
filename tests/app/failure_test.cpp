/// Runs that have no solution, as a user meets them: they end with a name, or say in every output that they went on.
#include <fstream>

#include "app/program.h"
#include "base/files_testing.h"
#include "io/checkpoint.h"
#include "io/step_log.h"

namespace tidelock {
namespace {

/// A box on the floor, and a plate that comes down on it.
std::string crush(const Folder& folder, const char* on_failure) {
    const auto file = folder / (std::string(on_failure) + ".json");
    std::ofstream(file) << R"({"tidelock":1,"dimension":2,"domain":{"size":[1,1],"cells":[16,16]},
        "output":{"preview":false,"vdb":false},"time":{"duration":0.5},"coupling":{"on_failure":")"
                        << on_failure << R"("},"solids":[
        {"name":"box","shape":{"type":"box","size":[0.3,0.3]},"position":[0.5,0.2],"density":2000},
        {"name":"plate","type":"kinematic","shape":{"type":"box","size":[0.5,0.2]},"position":[0.5,0.6],
         "velocity":[0,-1]}]})";
    return file.string();
}

TEST(Failure, ACrushedBodyStopsTheRunByNameAndTheRunCanBeRead) {
    const Folder folder;
    const std::string out = (folder / "a").string();
    const Outcome outcome = tidelock({"run", crush(folder, "retry"), "--out", out});
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    expect_contains(outcome.output, "'box' is crushed between 'plate' and the wall y-");
    const auto steps = read_step_log(folder / "a/steps.jsonl");
    ASSERT_FALSE(steps.empty());
    // The plate is at the box, and there is no room for one more step, however short.
    EXPECT_NEAR(steps.back().bodies[1].position[1], 0.3 + 0.1, 0.1);
    for (const auto& step : steps) {
        EXPECT_TRUE(step.failures.empty());
        for (const auto& solve : step.solves)
            EXPECT_TRUE(solve.name != "coupled" || solve.residual.back() < 1e-3) << step.step;
    }
    const auto checkpoints = list_checkpoints(folder / "a/checkpoint");
    ASSERT_FALSE(checkpoints.empty());
    EXPECT_EQ(CheckpointReader(checkpoints.front()).moment().step, steps.back().step) << "the last good step";
    // It ends there again, and nothing is lost.
    const Outcome again = tidelock({"run", out, "--resume"});
    EXPECT_EQ(again.code, 1);
    EXPECT_EQ(read_step_log(folder / "a/steps.jsonl").size(), steps.size());
    EXPECT_EQ(tidelock({"info", out}).code, 0);
}

TEST(Failure, StopEndsWithTheFirstFailure) {
    const Folder folder;
    const Outcome outcome = tidelock({"run", crush(folder, "stop"), "--out", (folder / "a").string()});
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    expect_contains(outcome.output, "is crushed between");
    for (const auto& step : read_step_log(folder / "a/steps.jsonl")) EXPECT_EQ(step.halvings, 0);
}

TEST(Failure, WhatIsAcceptedIsMarkedInEveryOutput) {
    const Folder folder;
    const std::string out = (folder / "a").string();
    const Outcome outcome = tidelock({"run", crush(folder, "accept"), "--out", out});
    EXPECT_EQ(outcome.code, 4) << outcome.output;
    expect_contains(outcome.output, "NOT RELIABLE");
    std::size_t failed = 0;
    for (const auto& step : read_step_log(folder / "a/steps.jsonl")) {
        failed += step.failures.empty() ? 0 : 1;
        EXPECT_GE(step.bodies[0].position[1], 0.1) << "inside the room";
    }
    EXPECT_GT(failed, 0u);
    expect_contains(bytes_of(folder / "a/run.log"), "used all the same");
    expect_contains(tidelock({"info", out}).output, "NOT RELIABLE");
    // A resumed run knows of the steps before.
    const Outcome resumed = tidelock({"run", out, "--resume"});
    EXPECT_EQ(resumed.code, 4);
    expect_contains(resumed.output, "NOT RELIABLE");
}

}  // namespace
}  // namespace tidelock
