/// When a run's liquid had least or most of its volume: what a user wants to know in the end, and not of each step.
#pragma once

#include <string>

#include "io/step_log.h"

namespace tidelock {

class WorstVolume {
  public:
    void see(const StepRecord& step);
    /// What is missing or too much at worst, over all the liquid that there has been [-]; 0 while none was seen.
    [[nodiscard]] double share() const { return share_; }
    /// Whether a user should be told: a tenth and more, unless there never was but a little liquid.
    [[nodiscard]] bool matters() const;
    /// "47 % lost at 1.2 s, 12 % at the end".
    [[nodiscard]] std::string text() const;

  private:
    double share_ = 0, time_ = 0, last_ = 0;
    std::int64_t cells_ = 0;  ///< most that were liquid
};

}  // namespace tidelock
