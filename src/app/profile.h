/// Where the time of a run went.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/timer.h"

namespace tidelock::app {

/// Memory or disk traffic that is countable, by the label of its stage.
struct Traffic {
    double bytes = 0;
    double seconds = 0;  ///< in which they were moved; 0: those of the stage [s]
};

/// Label, calls, seconds, share and, where countable, bytes and GB/s; stages deeper than `depth` are left out, and
/// those below a thousandth of the whole. Times do not add up to 100 %: children are part of their parents.
[[nodiscard]] std::string stage_table(const std::vector<ProfileEntry>& entries,
                                      const std::map<std::string, Traffic>& traffic, int depth);

}  // namespace tidelock::app
