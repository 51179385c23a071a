#include "run/worst_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidelock {

namespace {

constexpr double tolerable = 0.1;
constexpr std::int64_t few_cells = 300;  ///< less liquid than this is not worth a word

std::string words(double share) {
    return fmt::format("{:.2g} % {}", 100 * std::abs(share), share < 0 ? "lost" : "gained");
}

}  // namespace

void WorstVolume::see(const StepRecord& step) {
    if (!step.fluid || !step.fluid->ledger) return;
    const LedgerRecord& ledger = *step.fluid->ledger;
    const double all = ledger.expected + ledger.drained;
    cells_ = std::max(cells_, step.fluid->cells);
    last_ = all > 0 ? (step.fluid->volume - ledger.expected) / all : 0;
    if (std::abs(last_) > std::abs(share_)) share_ = last_, time_ = step.time;
}

bool WorstVolume::matters() const { return std::abs(share_) > tolerable && cells_ >= few_cells; }

std::string WorstVolume::text() const {
    return fmt::format("{} at {:.4g} s, {} at the end", words(share_), time_, words(last_));
}

}  // namespace tidelock
