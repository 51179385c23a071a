/// What is done with a simulation as it goes: files, a screen, a live view, a test.
///
/// run_session() (run/run_session.h) calls the recorders in their order: begin, frame 0 if the session is at its start,
/// then step after each step, frame after the last step of a frame, save now and then, end. What a recorder throws ends
/// the run; all hear of it.
#pragma once

#include <string>
#include <string_view>

#include "io/step_log.h"
#include "run/session.h"

namespace tidelock {

/// Something that is said about a run.
struct Remark {
    std::string text;
    bool note = true;   ///< the user should know; else for the log only
    bool first = true;  ///< of its kind: others have only other numbers
};

/// How a run ended.
struct Ending {
    bool complete = false;    ///< all frames are there
    std::string interrupted;  ///< by what; empty: by nothing
};

template <int D>
class Recorder {
  public:
    Recorder() = default;
    virtual ~Recorder() = default;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// The one moment at which a recorder may change where the session is: to resume.
    virtual void begin(Session<D>&) {}
    virtual void step(const Session<D>&, const StepDone<D>&, const StepRecord&) {}
    virtual void remark(const Session<D>&, const Remark&) {}
    /// The session stands at the end of a frame.
    virtual void frame(const Session<D>&) {}
    /// What has come so far must not be lost: every few frames, and before the end.
    virtual void save(const Session<D>&) {}
    /// May add notes.
    virtual void end(Session<D>&, const Ending&) {}
    /// The run ends with an exception, which goes on after this; does not throw.
    virtual void failed(std::string_view) noexcept {}
};

}  // namespace tidelock
