#include "run/session.h"

#include <algorithm>

#include "base/timer.h"
#include "io/world_checkpoint.h"
#include "state/world_copy.h"

namespace tidelock {

template <int D>
Session<D>::Session(World<D> world, std::unique_ptr<Method<D>> method, const scene::Time& time, OnFailure on_failure)
    : world_(std::move(world)),
      method_(std::move(method)),
      schedule_(time),
      bodies_at_start_(world_.solids.bodies),
      on_failure_(on_failure) {}

template <int D>
bool Session<D>::keeps_copy() const {
    const auto& bodies = world_.solids.bodies;
    return retries() && std::any_of(bodies.begin(), bodies.end(),
                                    [](const RigidBody<D>& body) { return body.type != BodyType::fixed; });
}

template <int D>
StepReport<D> Session<D>::try_step(double dt) {
    if (!keeps_copy()) return method_->advance(world_, dt);
    if (before_)
        copy_state<D>(world_, *before_);
    else
        before_.emplace(clone(world_));
    std::vector<StepNote> causes;
    for (int halvings = 0;; ++halvings, dt /= 2) {
        try {
            StepReport<D> report = method_->advance(world_, dt);
            report.halvings = halvings;
            report.notes.insert(report.notes.begin(), causes.begin(), causes.end());
            return report;
        } catch (const StepFailed& failure) {
            copy_state<D>(*before_, world_);
            if (failure.halvings() < most_halvings) crushed_ = failure.what();
            if (halvings >= std::min(most_halvings, failure.halvings())) {
                std::string text = fmt::format("{}. Tried with {:.3g} s at last", failure.what(), dt);
                if (!crushed_.empty() && crushed_ != failure.what()) text += fmt::format("; before that {}", crushed_);
                throw StepFailed(text);
            }
            if (halvings == 0) causes.push_back({"retry", fmt::format("tried with less time: {}", failure.what())});
        }
    }
}

template <int D>
StepDone<D> Session<D>::advance(double dt) {
    StepDone<D> done;
    const double begun = wall_seconds();
    const ScopedTimer timer("step");
    done.report = try_step(dt);
    if (!done.report.failures.empty()) ++failed_steps_;
    done.frame = world_.clock.frame + 1;
    done.seconds = wall_seconds() - begun;
    return done;
}

template <int D>
StepDone<D> Session<D>::step_to_frame() {
    const double frame_end = frame_time(schedule_, world_.clock.frame + 1);
    const NextStep next = next_step(schedule_, world_.clock.time, frame_end, method_->largest_step(world_));
    StepDone<D> done = advance(next.dt);
    if (!next.last || done.report.halvings > 0) return done;
    world_.clock.time = frame_end;  // not the sum of its steps: no rounding adds up
    world_.clock.frame = done.frame;
    done.ends_frame = true;
    return done;
}

template <int D>
StepDone<D> Session<D>::step(double longest) {
    return advance(std::min(method_->largest_step(world_), longest));
}

template <int D>
void Session<D>::resume(const CheckpointReader& reader) {
    load_world<D>(reader, world_);
    resumed_step_ = world_.clock.step;
}

template <int D>
void play(Session<D>& session, double end, const StepWatcher<D>& watch) {
    constexpr double rounding = 1e-12;  // what the sum of the steps may miss the end by
    while (session.time() < end * (1 - rounding)) {
        const StepDone<D> done = session.step(end - session.time());
        if (!watch(session, done)) return;
    }
}

#define TIDELOCK_INSTANTIATE(D) \
    template class Session<D>;  \
    template void play(Session<D>&, double, const StepWatcher<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
