#include "base/process_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>

namespace tidelock {
namespace {

TEST(ProcessMemory, ThePeakStaysAndBeginsAnew) {
    const double before = resident_memory();
    EXPECT_GT(before, 0);
    constexpr std::size_t bytes = 256u << 20;
    {
        const auto block = std::make_unique<char[]>(bytes);
        volatile char* touched = block.get();
        for (std::size_t i = 0; i < bytes; i += 4096) touched[i] = 1;
        EXPECT_GT(resident_memory(), before + 0.9 * bytes);
    }
    EXPECT_GT(peak_memory(), before + 0.9 * bytes);
    if (resident_memory() > before + 0.5 * bytes) GTEST_SKIP() << "the allocator keeps what was freed";
    if (!reset_peak_memory()) GTEST_SKIP() << "this system does not let a process reset its peak";
    EXPECT_LT(peak_memory(), before + 0.5 * bytes);
}

}  // namespace
}  // namespace tidelock
