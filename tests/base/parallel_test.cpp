#include "base/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/error.h"

namespace tidelock {

TEST(ParallelFor, VisitsEachIndexOnce) {
    std::vector<int> visits(10007, 0);
    parallel_for("visit", 10007, [&](std::ptrdiff_t i) { ++visits[static_cast<std::size_t>(i)]; });
    for (const int v : visits) ASSERT_EQ(v, 1);
}

TEST(ParallelFor, PassesExceptionsOn) {
    EXPECT_THROW(parallel_for("throw", 100,
                              [](std::ptrdiff_t i) {
                                  if (i == 63) throw std::logic_error("x");
                              }),
                 std::logic_error);
}

TEST(PlainParallelFor, VisitsEachIndexOnceAndPassesExceptionsOn) {
    std::vector<int> visits(10007, 0);
    plain_parallel_for(10007, [&](std::ptrdiff_t i) { ++visits[static_cast<std::size_t>(i)]; });
    for (const int v : visits) ASSERT_EQ(v, 1);
    plain_parallel_for(0, [&](std::ptrdiff_t) { FAIL(); });
    const auto thrower = [](std::ptrdiff_t i) {
        if (i == 63) throw std::logic_error("x");
    };
    EXPECT_THROW(plain_parallel_for(100, thrower), std::logic_error);
}

TEST(OrderedSum, SameBitsOnAnyNumberOfThreads) {
    // Terms of very different size: any other order of addition changes the last bits.
    const auto term = [](std::ptrdiff_t i) {
        return std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 17) - 8);
    };
    std::vector<double> terms;  // stored, so that the compiler cannot fuse product and sum
    for (std::ptrdiff_t i = 0; i < 5000; ++i) terms.push_back(term(i));
    double serial = 0, reversed = 0;
    for (std::size_t i = 0; i < 5000; ++i) serial += terms[i], reversed += terms[4999 - i];
    ASSERT_NE(serial, reversed);
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(ordered_sum("sum", 5000, 0.0, term), serial);
    }
}

TEST(ThreadLimit, CapsAndRestores) {
    const int before = thread_count();
    {
        const ThreadLimit limit(1);
        EXPECT_EQ(thread_count(), 1);
    }
    EXPECT_EQ(thread_count(), before);
    EXPECT_THROW(ThreadLimit(0), InputError);
}

}  // namespace tidelock
