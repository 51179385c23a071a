#include "run/worst_volume.h"

#include <gtest/gtest.h>

namespace tidelock {
namespace {

StepRecord step(double time, std::int64_t cells, double volume, double expected, double drained) {
    StepRecord record;
    record.time = time;
    record.fluid = FluidRecord{.cells = cells, .volume = volume, .momentum = {}};
    record.fluid->ledger = LedgerRecord{expected, 0, 0, drained};
    return record;
}

// Of all the liquid that there has been: what is left of a tank that was emptied may be off by many times itself.
TEST(WorstVolume, IsThatOfAllSteps) {
    WorstVolume worst;
    worst.see(StepRecord{});
    EXPECT_FALSE(worst.matters());
    worst.see(step(0.1, 1000, 1.02, 1.0, 0));
    EXPECT_FALSE(worst.matters()) << "2 %";
    worst.see(step(0.2, 900, 0.53, 1.0, 0));
    worst.see(step(0.3, 900, 0.03, 0.01, 0.99));
    EXPECT_TRUE(worst.matters());
    EXPECT_DOUBLE_EQ(worst.share(), -0.47);
    EXPECT_EQ(worst.text(), "47 % lost at 0.2 s, 2 % gained at the end");
}

TEST(WorstVolume, OfALittleLiquidIsNoMatter) {
    WorstVolume worst;
    worst.see(step(0.1, 30, 0.5, 1.0, 0));
    EXPECT_FALSE(worst.matters());
}

}  // namespace
}  // namespace tidelock
