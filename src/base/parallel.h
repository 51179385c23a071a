/// The one parallel loop and the one reduction of tidelock, on oneTBB.
///
/// parallel_for(label, n, f)       calls f(i) once for each i in [0, n), in any order, on any thread, and
///                                 returns when all are done. f must not write what another i reads or writes.
/// ordered_sum<T>(label, n, f)     sum of f(i), each i computed anywhere, added up in the order of i: the same
///                                 bits on any number of threads. f returns T by value; T starts at T zero.
///
/// An item should be worth at least a microsecond (a brick of cells, a block of particles). Exceptions thrown by
/// f reach the caller. The label is the profiler's name for the loop (base/timer.h).
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "base/timer.h"

// The thread sanitizer cannot see into the system's TBB, which is not built for it, and would report every loop. In
// such a build our loops run on plain threads instead, so that what it reports is ours.
#if defined(__SANITIZE_THREAD__)
#define TIDELOCK_PLAIN_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TIDELOCK_PLAIN_THREADS 1
#endif
#endif

namespace tidelock {

/// parallel_for without TBB: starts threads, shares out the indices one by one, joins. Slow; for the thread sanitizer.
void plain_parallel_for(std::ptrdiff_t n, const std::function<void(std::ptrdiff_t)>& f);

template <class F>
void parallel_for(const char* label, std::ptrdiff_t n, F&& f) {
    const ScopedTimer timer(label);
    if (n <= 0) return;
    if (n == 1) {
        f(std::ptrdiff_t{0});
        return;
    }
#if defined(TIDELOCK_PLAIN_THREADS)
    plain_parallel_for(n, std::ref(f));
#else
    tbb::parallel_for(tbb::blocked_range<std::ptrdiff_t>(0, n), [&f](const tbb::blocked_range<std::ptrdiff_t>& range) {
        for (std::ptrdiff_t i = range.begin(); i != range.end(); ++i) f(i);
    });
#endif
}

template <class T, class F>
[[nodiscard]] T ordered_sum(const char* label, std::ptrdiff_t n, const T& zero, F&& f) {
    std::vector<T> parts(static_cast<std::size_t>(n > 0 ? n : 0), zero);
    parallel_for(label, n, [&](std::ptrdiff_t i) { parts[static_cast<std::size_t>(i)] = f(i); });
    T sum = zero;
    for (const T& part : parts) sum += part;
    return sum;
}

/// Caps the number of threads for as long as it lives. Results never depend on it.
class ThreadLimit {
  public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

  private:
    void* control_ = nullptr;
};

/// Threads that a loop started now may use.
int thread_count();

}  // namespace tidelock
