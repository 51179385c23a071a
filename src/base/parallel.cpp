#include "base/parallel.h"

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

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

void plain_parallel_for(std::ptrdiff_t n, const std::function<void(std::ptrdiff_t)>& f) {
    std::atomic<std::ptrdiff_t> next{0};
    std::exception_ptr first_error;
    std::mutex error_mutex;
    const auto work = [&] {
        try {
            for (auto i = next++; i < n; i = next++) f(i);
        } catch (...) {
            next = n;
            const std::scoped_lock lock(error_mutex);
            if (!first_error) first_error = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    const auto threads = std::min<std::ptrdiff_t>(thread_count(), n);
    for (std::ptrdiff_t t = 1; t < threads; ++t) others.emplace_back(work);
    work();
    for (auto& thread : others) thread.join();
    if (first_error) std::rethrow_exception(first_error);
}

}  // namespace tidelock
