/// A simulation that goes on step by step: a World, the method that moves it, and when its frames are.
///
/// Who steps through a Session needs no loop of its own around a method. What is done with the steps is the business of
/// recorders (run/recorder.h, run/run_session.h) or of a watcher (play).
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/checkpoint.h"
#include "methods/method.h"
#include "run/time_steps.h"

namespace tidelock {

/// A step that has been taken.
template <int D>
struct StepDone {
    StepReport<D> report;
    std::int64_t frame = 0;   ///< that it leads to
    bool ends_frame = false;  ///< it ended there
    double seconds = 0;       ///< that it took, by the clock on the wall
};

template <int D>
class Session {
  public:
    /// From the world as it is. `time` says when frames are, for who asks for them.
    Session(World<D> world, std::unique_ptr<Method<D>> method, const scene::Time& time = {},
            OnFailure on_failure = OnFailure::stop);

    /// The next step of those that lead to the end of the next frame (time_steps.h), or a part of it: one that fails is
    /// undone and tried with half the time, up to `most_halvings` times. Throws SimulationError, also when the flow is
    /// so fast that it has blown up; the world is then not to be used, but for a StepFailed of a session that retries:
    /// there it is that of the last good step.
    StepDone<D> step_to_frame();
    /// A step as long as the method likes, at most `longest` [s], whatever the frames.
    StepDone<D> step(double longest = std::numeric_limits<double>::infinity());

    /// Puts the world where the checkpoint left it: that of a session which began alike. Throws FileError for one that
    /// does not fit.
    void resume(const CheckpointReader& reader);
    /// The step of the checkpoint; -1: not resumed.
    [[nodiscard]] std::int64_t resumed_step() const { return resumed_step_; }

    [[nodiscard]] const World<D>& world() const { return world_; }
    [[nodiscard]] World<D>& world() { return world_; }
    [[nodiscard]] const std::vector<RigidBody<D>>& bodies_at_start() const { return bodies_at_start_; }
    [[nodiscard]] double time() const { return world_.clock.time; }  ///< [s]
    [[nodiscard]] std::int64_t steps() const {
        return world_.clock.step;
    }  ///< taken, those before a checkpoint included
    [[nodiscard]] std::int64_t frame() const { return world_.clock.frame; }  ///< frames finished; frame 0 is the start
    [[nodiscard]] std::int64_t frames() const { return frame_count(schedule_); }       ///< in all
    [[nodiscard]] double end_time() const { return frame_time(schedule_, frames()); }  ///< of the last frame [s]
    [[nodiscard]] bool complete() const { return frame() >= frames(); }

    static constexpr int most_halvings = 8;
    [[nodiscard]] bool retries() const { return on_failure_ == OnFailure::retry; }
    /// Steps whose failure was accepted (OnFailure::accept), those of `before` included.
    [[nodiscard]] std::int64_t failed_steps() const { return failed_steps_; }
    void count_failed_steps(std::int64_t before) { failed_steps_ += before; }

    /// Keeps something that the user should know until who runs the session asks for it.
    void note(StepNote note) { notes_.push_back(std::move(note)); }
    /// Those that have come since it was last asked.
    [[nodiscard]] std::vector<StepNote> take_notes() { return std::exchange(notes_, {}); }

  private:
    StepDone<D> advance(double dt);
    [[nodiscard]] StepReport<D> try_step(double dt);
    /// A solve can fail where something presses on the fluid or moves in it: else no copy is kept.
    [[nodiscard]] bool keeps_copy() const;

    World<D> world_;
    std::unique_ptr<Method<D>> method_;
    scene::Time schedule_;
    std::vector<RigidBody<D>> bodies_at_start_;
    std::vector<StepNote> notes_;
    OnFailure on_failure_;
    std::optional<World<D>> before_;  ///< of the step, if it may be tried again; kept for its memory
    std::string crushed_;             ///< who was crushed last, for who asks why later steps fail
    std::int64_t resumed_step_ = -1, failed_steps_ = 0;
};

/// Whether to go on after this step.
template <int D>
using StepWatcher = std::function<bool(const Session<D>&, const StepDone<D>&)>;

/// Steps as long as the method likes to `end` [s], or until `watch` says no; whatever the frames.
template <int D>
void play(Session<D>& session, double end, const StepWatcher<D>& watch);

}  // namespace tidelock
