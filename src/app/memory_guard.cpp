#include "app/memory_guard.h"

#include <fmt/format.h>

#include <cmath>

#include "base/process_memory.h"
#include "scene/memory_estimate.h"

namespace tidelock::app {

std::string MemoryGuard::exceeded() const {
    // The peak: a step takes more than what is left of it at its end.
    if (!allowed_ || peak_memory() <= *allowed_) return {};
    return fmt::format("--memory: {} were in use, {} may be", scene::size_text(peak_memory()),
                       scene::size_text(*allowed_));
}

std::string MemoryGuard::remedy(const std::string& run) {
    const double wanted = 1.5 * peak_memory() / (1 << 20);
    return fmt::format(
        "the run takes more memory than --memory allows; it is saved. Go on with: tidelock run {} "
        "--resume --memory {:.0f}MB, or take fewer cells (domain.cells)",
        run, std::ceil(wanted));
}

}  // namespace tidelock::app
