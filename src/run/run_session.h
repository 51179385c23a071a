/// The loop over steps and frames.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "run/recorder.h"

namespace tidelock {

struct RunLimits {
    std::optional<std::int64_t> steps = {};   ///< stop once this many steps are done
    std::optional<std::int64_t> frames = {};  ///< stop once this many frames are done
    int save_every = 0;                       ///< frames; 0: only at the end
    /// Asked before each step, and once more after the last save: what wants the run to stop; empty: nothing.
    std::function<std::string()> interrupted = {};
};

/// Runs the session to its last frame or to a limit. Notes and solves that stop short are told to the recorders: each
/// text once, and no endless list of them.
template <int D>
Ending run_session(Session<D>& session, const std::vector<Recorder<D>*>& recorders, const RunLimits& limits = {});

/// Where the session stands at its end, in a line: "done: step 40, frame 12 of 12, 0.4 s".
template <int D>
[[nodiscard]] std::string ending_text(const Session<D>& session, const Ending& ending);

}  // namespace tidelock
