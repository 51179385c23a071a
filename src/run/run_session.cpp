#include "run/run_session.h"

#include <fmt/format.h>

#include <set>

#include "run/step_record.h"
#include "run/worst_volume.h"

namespace tidelock {

namespace {

/// Lets each text through once, up to a thousand of them.
class Remarks {
  public:
    std::optional<Remark> let_through(const StepNote& note) {
        constexpr std::size_t most = 1000;
        if (texts_.size() >= most || !texts_.insert(note.text).second) return std::nullopt;
        return Remark{note.text, true, kinds_.insert(note.kind).second};
    }

  private:
    std::set<std::string> texts_, kinds_;
};

template <int D>
class Loop {
  public:
    Loop(Session<D>& session, const std::vector<Recorder<D>*>& recorders, const RunLimits& limits)
        : session_(session), recorders_(recorders), limits_(limits) {}

    Ending go() {
        for (auto* r : recorders_) r->begin(session_);
        saved_step_ = session_.resumed_step();
        tell_notes();
        if (session_.steps() == 0) end_frame();
        try {
            while (!session_.complete() && !reached_limit() && interrupted().empty()) take_step();
        } catch (const StepFailed&) {
            if (session_.retries() && saved_step_ != session_.steps()) save();  // the last good step
            throw;
        }
        return finish();
    }

  private:
    [[nodiscard]] bool reached_limit() const {
        return (limits_.steps && session_.steps() >= *limits_.steps) ||
               (limits_.frames && session_.frame() >= *limits_.frames);
    }
    [[nodiscard]] std::string interrupted() const { return limits_.interrupted ? limits_.interrupted() : ""; }

    void take_step() {
        const StepDone<D> done = session_.step_to_frame();
        const StepRecord record = make_record<D>(session_.world(), done);
        volume_.see(record);
        for (auto* r : recorders_) r->step(session_, done, record);
        for (const StepNote& note : done.report.notes) tell(note);
        for (const std::string& text : done.report.failures) tell({"failure", "used all the same: " + text});
        for (const NamedSolve& solve : done.report.solves) look_at(solve);
        if (!done.ends_frame) return;
        end_frame();
        if (limits_.save_every > 0 && session_.frame() % limits_.save_every == 0) save();
    }

    void look_at(const NamedSolve& solve) {
        const SolveReport& report = solve.report;
        if (report.converged()) return;
        tell({"solve " + solve.name,
              fmt::format("the solve '{}' stopped at its limit with a residual above the tolerance ({}): {}",
                          solve.name, solve.remedy, to_string(report.status))});
        tell(Remark{fmt::format("solve '{}': {} after {} iterations, residual {:.3g}", solve.name,
                                to_string(report.status), report.iterations, report.residual),
                    false});
    }

    void tell(const Remark& remark) {
        for (auto* r : recorders_) r->remark(session_, remark);
    }
    void tell(const StepNote& note) {
        if (const auto remark = remarks_.let_through(note)) tell(*remark);
    }
    void tell_notes() {
        for (const StepNote& note : session_.take_notes()) tell(note);
    }

    void end_frame() {
        for (auto* r : recorders_) r->frame(session_);
    }

    void save() {
        for (auto* r : recorders_) r->save(session_);
        saved_step_ = session_.steps();
    }

    Ending finish() {
        if (saved_step_ != session_.steps()) save();
        if (volume_.matters()) tell(Remark{fmt::format("the liquid's volume at its worst: {}", volume_.text())});
        const Ending ending{session_.complete(), interrupted()};
        for (auto* r : recorders_) {
            r->end(session_, ending);
            tell_notes();  // before the last words of the next
        }
        return ending;
    }

    Session<D>& session_;
    const std::vector<Recorder<D>*>& recorders_;
    const RunLimits& limits_;
    Remarks remarks_;
    WorstVolume volume_;
    std::int64_t saved_step_ = -1;
};

}  // namespace

template <int D>
Ending run_session(Session<D>& session, const std::vector<Recorder<D>*>& recorders, const RunLimits& limits) {
    try {
        return Loop<D>(session, recorders, limits).go();
    } catch (const std::exception& error) {
        for (auto* r : recorders) r->failed(error.what());
        throw;
    }
}

template <int D>
std::string ending_text(const Session<D>& session, const Ending& ending) {
    const std::string where = fmt::format("step {}, frame {} of {}, {:.4g} s", session.steps(), session.frame(),
                                          session.frames(), session.time());
    if (!ending.interrupted.empty()) return fmt::format("stopped by {} at {}", ending.interrupted, where);
    const std::string failed =
        session.failed_steps() == 0
            ? ""
            : fmt::format("; NOT RELIABLE: {} failed steps were used (coupling.on_failure)", session.failed_steps());
    return fmt::format("{} {}{}", ending.complete ? "done:" : "stopped as asked at", where, failed);
}

#define TIDELOCK_INSTANTIATE(D)                                                                          \
    template Ending run_session(Session<D>&, const std::vector<Recorder<D>*>&, const RunLimits& limits); \
    template std::string ending_text(const Session<D>&, const Ending&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
