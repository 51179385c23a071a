/// What a run shows of itself: on a terminal one live line, in a pipe a line a frame, messages in between. A pipe that
/// nobody reads any more does not end a run (stop_signal.h ignores SIGPIPE for it).
#pragma once

#include <cstdint>
#include <string>

#include "io/step_log.h"

namespace tidelock::app {

class Progress {
  public:
    /// `frames` in all, `end` of the simulated time [s].
    Progress(bool quiet, std::int64_t frames, double end);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// The session goes on from this simulated time [s].
    void begin(double start);
    void step(const StepRecord& record);
    /// After the files of the frame are written.
    void frame(std::int64_t number);
    /// A line that stays.
    void say(const std::string& text);
    /// The same to the standard error output.
    void warn(const std::string& text);

  private:
    [[nodiscard]] std::string line(std::int64_t frame) const;
    void wipe();

    bool quiet_;
    int columns_;  ///< of the terminal; 0: a pipe
    std::int64_t frames_;
    double end_, start_ = 0, begun_;
    StepRecord last_;
    bool live_ = false;  ///< a line stands on the terminal that the next one replaces
};

/// "1:05:09", "2:03" or "17 s".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace tidelock::app
