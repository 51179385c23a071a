/// A hierarchical timer. Its labels are the labels of the parallel loops (base/parallel.h) and of the
/// scopes that a stage opens; nested scopes become a tree, printed by profile_table().
///
/// Contract: labels are string literals. Only the thread that calls start_profile() is timed; on any
/// other thread, and while no profile is running, a scope costs one thread-local load.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidelock {

/// One label under one parent.
struct ProfileEntry {
    std::string label;
    int depth = 0;           ///< 0 for the outermost scopes
    std::int64_t calls = 0;  ///< how often the scope was entered
    double seconds = 0;      ///< wall-clock time inside it, children included [s]
};

void start_profile();
/// Ends the profile of this thread and returns its tree in depth-first order.
std::vector<ProfileEntry> stop_profile();
/// The entries as an aligned table: label, calls, seconds, share of the whole.
std::string profile_table(const std::vector<ProfileEntry>& entries);

class ScopedTimer {
  public:
    explicit ScopedTimer(const char* label);
    ~ScopedTimer();
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

  private:
    bool active_;
};

/// Seconds on a monotonic clock.
double wall_seconds();

}  // namespace tidelock
