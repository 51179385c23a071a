#include <gtest/gtest.h>

#include "cap.h"

namespace tidelock {
namespace {

// numerics/cases 8: 15 %. The finer grids are in docs/validation.md.
template <int D>
void expect_steady_rise(int across) {
    const auto rise = validation::rise_of_cap<D>(across);
    EXPECT_NEAR(rise.mean_froude / validation::closed_form<D>, 1, 0.15) << D << " dimensions, " << across << " cells";
    EXPECT_LT(rise.volume_error, 0.005);
}

TEST(CapBubble, RisesWithTheSpeedOfItsCap) {
    for (const int across : {8, 12, 16}) expect_steady_rise<2>(across);
    expect_steady_rise<3>(5);
}

}  // namespace
}  // namespace tidelock
