#include "base/timer.h"

#include <gtest/gtest.h>

#include "base/parallel.h"

namespace tidelock {

TEST(Timer, BuildsATreeWithLoopLabels) {
    start_profile();
    for (int step = 0; step < 3; ++step) {
        const ScopedTimer stage("solve");
        parallel_for("apply stencil", 100, [](std::ptrdiff_t) {});
        parallel_for("apply stencil", 100, [](std::ptrdiff_t) {});
    }
    parallel_for("apply stencil", 100, [](std::ptrdiff_t) {});
    const auto entries = stop_profile();
    ASSERT_EQ(entries.size(), 4u);
    EXPECT_EQ(entries[0].label, "total");
    EXPECT_EQ(entries[1].label, "solve");
    EXPECT_EQ(entries[1].calls, 3);
    EXPECT_EQ(entries[2].label, "apply stencil");
    EXPECT_EQ(entries[2].depth, 2);
    EXPECT_EQ(entries[2].calls, 6);
    EXPECT_EQ(entries[3].depth, 1);
    EXPECT_EQ(entries[3].calls, 1);
    EXPECT_GE(entries[1].seconds, entries[2].seconds);
    EXPECT_GE(entries[0].seconds, entries[1].seconds);
    EXPECT_NE(profile_table(entries).find("    apply stencil"), std::string::npos);
}

TEST(Timer, CostsNothingWhenNoProfileRuns) {
    { const ScopedTimer stage("unseen"); }
    EXPECT_TRUE(stop_profile().empty());
}

}  // namespace tidelock
