/// SIGINT and SIGTERM ask a run to stop after its step and to save; a second one of them ends it at once. SIGPIPE is
/// ignored: a run does not depend on who reads its progress.
#pragma once

#include <string>

namespace tidelock::app {

/// Catches the signals for as long as it lives. Files stay whole even if the second signal comes: they are renamed into
/// place when they are complete. ffmpeg is told to end by the first one, and is ended by the second.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// Number of the signal that came, or 0.
    [[nodiscard]] static int received();
    /// Its name, "INT", or nothing.
    [[nodiscard]] static std::string name();
};

}  // namespace tidelock::app
