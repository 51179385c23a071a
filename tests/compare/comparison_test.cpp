#include "compare/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/files_testing.h"
#include "compare/comparison_plots.h"
#include "compare/comparison_report.h"

namespace tidelock::compare {
namespace {

/// A run of ten frames a second with steps of dt, whose one body falls with g and is `off` times t too far to the side.
MethodRun falling(const std::string& label, double dt, int steps, double off = 0) {
    MethodRun run{label};
    for (int n = 1; n <= steps; ++n) {
        StepRecord r;
        r.step = n;
        r.time = n * dt;
        r.dt = dt;
        r.frame = static_cast<std::int64_t>(std::ceil(r.time / 0.1 - 1e-6));
        SolveRecord solve{
            .name = "pressure", .iterations = n % 2 == 0 ? 4 : 6, .residual = {1, 1e-7}, .converged = true};
        r.solves = {solve, solve, {.name = "rounds", .iterations = 2, .residual = {1, 0.1}, .converged = n != 3}};
        r.seconds = {{"total", 0.5}, {"solve", 0.25}};
        r.fluid = FluidRecord{.cells = 100,
                              .volume = 1,
                              .momentum = {0, 0},
                              .max_speed = 0.1 * n,
                              .max_divergence = n == 2 ? 1e-3 : 1e-6,
                              .momentum_error = n == 4 ? 1e-9 : 0.0};
        r.bodies = {{.name = "ball",
                     .position = {0.5 + off * r.time, -0.5 * 9.81 * r.time * r.time},
                     .rotation = {off * r.time},
                     .velocity = {0, 0},
                     .angular_velocity = {0},
                     .force = {0, 0},
                     .torque = {0}},
                    {.name = "floor",
                     .position = {0, -1},
                     .rotation = {0.0},
                     .velocity = {0, 0},
                     .angular_velocity = {0},
                     .force = {0, 0},
                     .torque = {0}}};
        run.steps.push_back(r);
    }
    return run;
}

Comparison compared(MethodRun other) { return {{falling("schur", 0.05, 10), std::move(other)}, {{0.5, 0}, {0, -1}}}; }

TEST(Comparison, CountsWhatStepsCost) {
    const MethodFigures f = compared(falling("weak", 0.05, 10)).figures(1);
    EXPECT_EQ(f.steps, 10u);
    EXPECT_DOUBLE_EQ(f.time, 0.5);
    EXPECT_DOUBLE_EQ(f.solves, 2);  // what comes after them is none of the fluid's
    EXPECT_DOUBLE_EQ(f.iterations, 10);
    EXPECT_EQ(f.most_iterations, 12);
    EXPECT_DOUBLE_EQ(f.seconds, 0.5);
    EXPECT_DOUBLE_EQ(f.solve_seconds, 0.25);
    EXPECT_EQ(f.unconverged, 1u);
    EXPECT_DOUBLE_EQ(f.divergence, 1e-3);
    EXPECT_DOUBLE_EQ(f.momentum_error.value(), 1e-9);
    EXPECT_DOUBLE_EQ(f.max_speed, 1.0);
}

// The two are looked at when both are at the end of a frame, whatever their steps.
TEST(Comparison, PathsAreComparedAtTheEndsOfFrames) {
    for (const double dt : {0.05, 0.025, 0.1}) {
        const Comparison both = compared(falling("weak", dt, static_cast<int>(std::lround(0.5 / dt)), 0.02));
        const PathFigures p = both.path(1, 0);
        EXPECT_NEAR(p.way, 0.5 * 9.81 * 0.25, 1e-12);
        EXPECT_NEAR(p.apart, 0.01, 1e-12);
        EXPECT_NEAR(p.turned, 0.01, 1e-12);
        EXPECT_NEAR(p.compared, 0.5, 1e-12);
        EXPECT_NEAR(p.share().value(), 0.01 / (0.5 * 9.81 * 0.25), 1e-12);
        EXPECT_EQ(both.path(1, 1).way, 0);
        EXPECT_FALSE(both.path(1, 1).share());
    }
}

TEST(Comparison, OneThatFailedIsComparedAsFarAsItCame) {
    MethodRun run = falling("weak", 0.05, 5, 0.02);
    run.failure = "step 6: the velocity is not finite";
    EXPECT_NEAR(compared(run).path(1, 0).compared, 0.2, 1e-12);
    run.steps.clear();
    const Comparison none = compared(run);
    EXPECT_EQ(none.path(1, 0).compared, 0);
    EXPECT_EQ(none.figures(1).steps, 0u);
    EXPECT_FALSE(comparison_plots(none).empty());
}

TEST(Comparison, TheReportHasItAll) {
    const Folder folder;
    std::string said;
    MethodRun run = falling("weak", 0.05, 5, 0.02);
    run.failure = "step 6: the velocity is not finite";
    const Comparison both = compared(run);
    write_report(both, {.scene = "drop", .command = "tidelock compare drop"},
                 {folder.path(), [&](const std::string& line) { said += line; }});
    const std::string text = read_file(folder.path() / "comparison.md");
    for (const char* part :
         {"# 'drop' by several methods", "`schur`", "**failed** after 0.25 s", "tidelock compare drop",
          "the velocity is not finite", "path-0.svg", "iterations.svg", "| ball | `weak` |"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
    EXPECT_EQ(text.find("| floor |"), std::string::npos) << "it stands";
    EXPECT_NE(said.find("`weak`"), std::string::npos);
    const auto json = nlohmann::json::parse(read_file(folder.path() / "comparison.json"));
    EXPECT_EQ(json["methods"][1]["failure"], run.failure);
    EXPECT_TRUE(json["methods"][0]["failure"].is_null());
    EXPECT_EQ(json["methods"][1]["bodies"][0]["position"].size(), 6u);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "divergence.png"));
}

// A body that is thrown away does not make the others' paths a line at the bottom.
TEST(Comparison, PlotsShowTheFirstRun) {
    MethodRun wild = falling("weak", 0.05, 10);
    wild.steps.back().bodies[0].position[1] = 1e6;
    for (const NamedPlot& p : comparison_plots(compared(wild)))
        if (p.name == "path-0") {
            EXPECT_NEAR(p.plot.y_max.value(), 0.5 * 1.22625, 1e-6);
            EXPECT_FALSE(p.plot.y_min);
        }
}

}  // namespace
}  // namespace tidelock::compare
