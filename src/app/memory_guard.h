/// Ends a run that takes more memory than its user allows, while it can still be saved.
#pragma once

#include <optional>
#include <string>

namespace tidelock::app {

class MemoryGuard {
  public:
    /// `allowed` by --memory [bytes]; none: nothing is watched.
    explicit MemoryGuard(std::optional<double> allowed) : allowed_(allowed) {}

    /// "too little memory (...)" once the process has held more than it may; empty until then.
    [[nodiscard]] std::string exceeded() const;
    /// What stopped the run, and how it goes on. `run` is its folder.
    [[nodiscard]] static std::string remedy(const std::string& run);

  private:
    std::optional<double> allowed_;
};

}  // namespace tidelock::app
