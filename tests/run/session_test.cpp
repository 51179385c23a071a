#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files_testing.h"
#include "base/hash.h"
#include "io/world_checkpoint.h"
#include "run/run_session.h"

namespace tidelock {
namespace {

/// Moves nothing but the time, by at most 0.04 s, and says what it is told to say.
class Clockwork final : public Method<2> {
  public:
    StepReport<2> advance(World<2>& world, double dt) override {
        world.clock.time += dt;
        ++world.clock.step;
        StepReport<2> report;
        report.dt = dt;
        if (world.clock.step == breaks_at) throw SimulationError("the spring broke");
        report.notes.push_back({"turn", fmt::format("turn {}", world.clock.step / 2)});
        report.solves.push_back({.name = "wheels", .solver = "none", .bodies = "", .report = {}});
        report.solves.back().report.status =
            world.clock.step == 3 ? SolveStatus::iteration_limit : SolveStatus::converged;
        return report;
    }
    [[nodiscard]] double largest_step(const World<2>& /*world*/) const override { return 0.04; }
    std::int64_t breaks_at = -1;
};

/// 4 frames of 3 steps.
scene::Time schedule() {
    scene::Time time;
    time.fps = 10;
    time.duration = 0.4;
    return time;
}

Session<2> clockwork(std::int64_t breaks_at = -1) {
    auto method = std::make_unique<Clockwork>();
    method->breaks_at = breaks_at;
    return {World<2>(), std::move(method), schedule()};
}

/// Writes down what it hears.
class Listener final : public Recorder<2> {
  public:
    void begin(Session<2>& /*session*/) override { heard += "begin "; }
    void step(const Session<2>& session, const StepDone<2>& /*done*/, const StepRecord& record) override {
        heard += fmt::format("step{} ", session.steps());
        EXPECT_EQ(record.step, session.steps());
        EXPECT_EQ(record.time, session.time());
        if (session.steps() == throws_at) throw FileError("a disk", "is full");
    }
    void remark(const Session<2>& /*session*/, const Remark& remark) override { remarks.push_back(remark); }
    void frame(const Session<2>& session) override { heard += fmt::format("frame{} ", session.frame()); }
    void save(const Session<2>& /*session*/) override { heard += "save "; }
    void end(Session<2>& /*session*/, const Ending& ending) override {
        heard += ending.complete ? "end" : "end early " + ending.interrupted;
    }
    void failed(std::string_view text) noexcept override { heard += text; }

    std::string heard;
    std::vector<Remark> remarks;
    std::int64_t throws_at = -1;
};

TEST(Session, StepsToFramesEndExactlyThere) {
    auto session = clockwork();
    EXPECT_EQ(session.frames(), 4);
    EXPECT_EQ(session.end_time(), 0.4);
    std::int64_t steps = 0;
    while (!session.complete()) {
        const std::int64_t frame = session.frame() + 1;
        StepDone<2> done;
        do {
            done = session.step_to_frame();
            EXPECT_EQ(done.frame, frame);
            ++steps;
        } while (!done.ends_frame);
        EXPECT_EQ(session.frame(), frame);
        EXPECT_EQ(session.time(), static_cast<double>(frame) / 10);
    }
    EXPECT_EQ(steps, 12);
    EXPECT_EQ(session.steps(), 12);
}

TEST(Session, PlayGoesToItsEndWhateverTheFrames) {
    auto session = clockwork();
    int steps = 0;
    play<2>(session, 0.1, [&](const auto&, const auto& done) { return ++steps, done.report.dt > 0; });
    EXPECT_EQ(steps, 3);  // 0.04, 0.04 and the rest
    EXPECT_NEAR(session.time(), 0.1, 1e-15);
    EXPECT_EQ(session.frame(), 0);
    play<2>(session, 1, [&](const auto&, const auto&) { return ++steps < 5; });
    EXPECT_EQ(steps, 5);
    session.step(0.01);
    EXPECT_NEAR(session.time(), 0.19, 1e-15);
}

TEST(Session, ResumesWhereACheckpointLeftIt) {
    const Folder folder;
    auto first = clockwork();
    for (int n = 0; n < 4; ++n) first.step_to_frame();
    const CheckpointIdentity identity{"clockwork", 1, "here"};
    const auto file = save_world<2>(first.world(), folder / ".", identity);
    auto second = clockwork();
    EXPECT_EQ(second.resumed_step(), -1);
    second.resume(CheckpointReader(file));
    EXPECT_EQ(second.resumed_step(), 4);
    EXPECT_EQ(second.frame(), 1);
    EXPECT_EQ(second.time(), first.time());
}

/// Succeeds with short steps only; a step that fails has moved the body already.
class Stubborn final : public Method<2> {
  public:
    explicit Stubborn(double longest) : longest_(longest) {}
    StepReport<2> advance(World<2>& world, double dt) override {
        world.solids.bodies[0].position[0] += dt;
        ++tries;
        if (dt > longest_) throw StepFailed("too long a way");
        world.clock.advance(dt);
        StepReport<2> report;
        report.dt = dt;
        report.loads.resize(1);
        return report;
    }
    [[nodiscard]] double largest_step(const World<2>& /*world*/) const override { return 0.1; }
    int tries = 0;

  private:
    double longest_;
};

Session<2> stubborn(double longest, OnFailure on_failure) {
    World<2> world;
    RigidBody<2> body;
    body.name = "mule";
    body.type = BodyType::kinematic;
    world.solids.add(body);
    return {std::move(world), std::make_unique<Stubborn>(longest), schedule(), on_failure};
}

// A step that fails is undone and taken in halves; each part is a step of its own, so that a resumed run has them too.
TEST(Session, AFailedStepIsUndoneAndTakenInHalves) {
    auto session = stubborn(0.03, OnFailure::retry);
    const auto done = session.step_to_frame();
    EXPECT_EQ(done.report.halvings, 2);
    EXPECT_FALSE(done.ends_frame) << "a quarter of the frame";
    EXPECT_EQ(session.time(), 0.025);
    EXPECT_EQ(session.world().solids.bodies[0].position[0], 0.025) << "as if the others had never been";
    ASSERT_EQ(done.report.notes.size(), 1u);
    EXPECT_EQ(done.report.notes[0].kind, "retry");
    while (!session.complete()) session.step_to_frame();
    EXPECT_EQ(session.time(), 0.4);
    EXPECT_NEAR(session.world().solids.bodies[0].position[0], 0.4, 1e-15);
}

TEST(Session, AStepThatFailsHoweverShortEndsAtTheLastGoodOne) {
    auto session = stubborn(0.1 / 512, OnFailure::retry);
    EXPECT_THROW(session.step_to_frame(), StepFailed);
    EXPECT_EQ(session.steps(), 0);
    EXPECT_EQ(session.world().solids.bodies[0].position[0], 0);
    auto enough = stubborn(0.1 / 256, OnFailure::retry);
    EXPECT_EQ(enough.step_to_frame().report.halvings, Session<2>::most_halvings);
    auto stopping = stubborn(0.03, OnFailure::stop);
    EXPECT_THROW(stopping.step_to_frame(), StepFailed);
}

TEST(RunSession, ARunThatEndsByAFailureKeepsItsLastGoodStep) {
    auto session = stubborn(0.1 / 512, OnFailure::retry);
    Listener listener;
    EXPECT_THROW(run_session<2>(session, {&listener}), StepFailed);
    EXPECT_EQ(listener.heard.find("begin frame0 save too long a way"), 0u) << listener.heard;
}

TEST(RunSession, RecordersHearEverythingInOrder) {
    auto session = clockwork();
    Listener listener;
    const Ending ending = run_session<2>(session, {&listener}, {.frames = 2, .save_every = 1});
    EXPECT_FALSE(ending.complete);
    EXPECT_EQ(listener.heard, "begin frame0 step1 step2 step3 frame1 save step4 step5 step6 frame2 save end early ");
    // On from there; the end is saved although no save is due.
    listener.heard.clear();
    EXPECT_TRUE(run_session<2>(session, {&listener}).complete);
    EXPECT_EQ(listener.heard, "begin step7 step8 step9 frame3 step10 step11 step12 frame4 save end");
    EXPECT_EQ(ending_text(session, {.complete = true, .interrupted = {}}), "done: step 12, frame 4 of 4, 0.4 s");
}

TEST(RunSession, LimitsAndInterruptionsEndItAfterAStep) {
    auto session = clockwork();
    Listener listener;
    run_session<2>(session, {&listener}, {.steps = 2});
    EXPECT_EQ(listener.heard, "begin frame0 step1 step2 save end early ");
    listener.heard.clear();
    int asked = 0;
    const Ending ending =
        run_session<2>(session, {&listener}, {.interrupted = [&] { return ++asked < 3 ? "" : "hunger"; }});
    EXPECT_EQ(ending.interrupted, "hunger");
    EXPECT_EQ(listener.heard, "begin step3 frame1 step4 save end early hunger");
    EXPECT_EQ(ending_text(session, ending), "stopped by hunger at step 4, frame 1 of 4, 0.1333 s");
}

TEST(RunSession, EachTextIsToldOnceAndKindsKnowTheirFirst) {
    auto session = clockwork();
    session.note({"scene", "from the start"});
    Listener listener;
    run_session<2>(session, {&listener}, {.steps = 5});
    std::string told;
    for (const Remark& r : listener.remarks)
        told += fmt::format("{}{}{}\n", r.note ? "" : "log: ", r.text, r.first ? "" : " (again)");
    EXPECT_EQ(told,
              "from the start\n"
              "turn 0\n"
              "turn 1 (again)\n"
              "the solve 'wheels' stopped at its limit with a residual above the tolerance (coupling.solver): "
              "iteration_limit\n"
              "log: solve 'wheels': iteration_limit after 0 iterations, residual 0\n"
              "turn 2 (again)\n");
}

TEST(RunSession, WhatIsThrownGoesOnAndAllHearOfIt) {
    auto broken = clockwork(2);
    Listener first, second;
    EXPECT_THROW(run_session<2>(broken, {&first, &second}), SimulationError);
    EXPECT_EQ(first.heard, "begin frame0 step1 the spring broke");
    EXPECT_EQ(second.heard, first.heard);
    auto session = clockwork();
    Listener full;
    full.throws_at = 1;
    EXPECT_THROW(run_session<2>(session, {&full}), FileError);
    EXPECT_EQ(full.heard, "begin frame0 step1 a disk: is full");
}

}  // namespace
}  // namespace tidelock
