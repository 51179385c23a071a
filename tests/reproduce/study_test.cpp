#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "reproduce/budget_study.h"
#include "reproduce/density_study.h"
#include "reproduce/study_run.h"

namespace tidelock::reproduce {
namespace {

const Say silent = [](const std::string&) {};

scene::Scene small_lift(double duration) {
    auto scene = library_scene("box-lift-2d", {"domain.cells=[32,64]", "coupling.interface=constraint"});
    scene.time.duration = duration;
    return scene;
}

TEST(Study, UnknownScenesAndWrongValuesAreRefused) {
    EXPECT_THROW((void)library_scene("no-such-scene", {}), InputError);
    EXPECT_THROW((void)library_scene("box-lift", {"domain.cells=-3"}), InputError);
}

TEST(Study, RunsForTheSceneDurationOrUntilTold) {
    double end = 0;
    int steps = 0;
    run_study<2>(
        small_lift(0.2), [](MethodSetup<2>&) {},
        [&](const Session<2>& session, const StepDone<2>&) {
            end = session.time();
            ++steps;
            return true;
        });
    EXPECT_NEAR(end, 0.2, 1e-12);
    EXPECT_GT(steps, 1);
    steps = 0;
    run_study<2>(
        small_lift(0.2), [](MethodSetup<2>&) {}, [&](const Session<2>&, const StepDone<2>&) { return ++steps < 2; });
    EXPECT_EQ(steps, 2);
}

// The order of the paper's tables, and ours below all of them.
TEST(Study, ComparesSolversOnTheSameSystems) {
    const SolverStudy study = study_solvers(
        small_lift(0.3), {.solvers = {"cg-full", "cg-schur", "icpcg", "p0", "p1", "p2", "p3", "auto"}, .samples = 3},
        silent);
    ASSERT_EQ(study.times.size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_GE(study.times[k] + 1e-12, 0.1 * static_cast<double>(k));
    EXPECT_EQ(study.bodies, 1);
    for (std::size_t s = 0; s < study.solvers.size(); ++s) {
        const SolverResult& r = study.solvers[s];
        EXPECT_TRUE(r.converged) << r.name;
        if (s > 0) {
            EXPECT_LT(r.iterations, study.solvers[s - 1].iterations) << r.name;
        }
        ASSERT_FALSE(r.history.empty()) << r.name;
        EXPECT_LE(r.history.back(), 1e-6) << r.name;
        EXPECT_EQ(r.history.size(), r.history_time.size());
        EXPECT_TRUE(std::is_sorted(r.history_time.begin(), r.history_time.end()));
        EXPECT_GT(r.bytes_per_cell, 0);
    }
    EXPECT_LE(study.of("auto").iterations, 12);
    EXPECT_EQ(study.of("auto").bodies, "in-cycle");
    EXPECT_THROW((void)study.of("p4"), InputError);
}

TEST(Study, IterationLimitIsReportedAsNotConverged) {
    const SolverStudy study =
        study_solvers(small_lift(0.1), {.solvers = {"cg-schur"}, .samples = 1, .max_iterations = 5}, silent);
    EXPECT_FALSE(study.of("cg-schur").converged);
    EXPECT_EQ(study.of("cg-schur").iterations, 5);
}

// Figure 10: counts of our own solver hardly depend on the density, with one body and with eight.
TEST(Study, DensityHardlyMatters) {
    for (const int boxes : {1, 8}) {
        auto scene = density_scene(2, boxes, 32);
        EXPECT_EQ(scene.solids.size(), static_cast<std::size_t>(boxes));
        const DensityStudy study =
            study_densities(scene, {1e-4, 1e-1, 1, 1e4}, {.solvers = {"auto"}, .samples = 1}, silent);
        EXPECT_LE(study.spread("auto"), 1.4) << boxes << " bodies";
    }
}

TEST(Study, PathErrorIsTheLargestDistanceOverTheBlock) {
    BudgetStudy study;
    study.box = 0.5;
    BudgetRun exact, other;
    exact.time = {0, 1, 2};
    exact.x = {0, 0, 0};
    exact.y = {0, 1, 4};
    other.time = {0, 0.5, 2};  // other steps: compared with the straight line between
    other.x = {0, 0, 0.3};
    other.y = {0, 0.5, 4.4};
    study.runs = {exact, other};
    EXPECT_NEAR(study.path_error(study.runs[1]), 0.5 / 0.5, 1e-12);
    EXPECT_EQ(study.path_error(study.runs[0]), 0);
}

// Momentum is exact however early a solve stops.
TEST(Study, BudgetsLeaveMomentumExact) {
    const BudgetStudy study = study_budgets(16, 0.1, {1}, silent);
    ASSERT_EQ(study.runs.size(), 4u);
    EXPECT_EQ(study.runs.front().converged_share, 1);
    EXPECT_GT(study.runs.front().y.back(), study.runs.front().y.front());  // it is light
    for (const BudgetRun& run : study.runs) {
        EXPECT_FALSE(run.blew_up) << run.solver;
        EXPECT_LT(run.momentum_error, 1e-12) << run.solver;
        EXPECT_NEAR(run.time.back(), 0.6, 1e-12);
    }
}

}  // namespace
}  // namespace tidelock::reproduce
