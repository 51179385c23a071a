#include "base/parallel.h"

#include <oneapi/tbb/global_control.h>

#include "base/error.h"

namespace tidelock {

ThreadLimit::ThreadLimit(int threads) {
    if (threads < 1) throw InputError("threads", "must be at least 1, got {}", threads);
    control_ = new tbb::global_control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
}

ThreadLimit::~ThreadLimit() { delete static_cast<tbb::global_control*>(control_); }

int thread_count() {
    return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

}  // namespace tidelock
