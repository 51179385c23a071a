#include "run/previews.h"

#include <gtest/gtest.h>

namespace tidelock {
namespace {

// Frames of 1 s, with pictures of p seconds: all of them up to a third (a quarter of frame and picture together), then as
// many as fit. Whatever they take, they stay within their share once the first is paid for.
TEST(TimeShare, KeepsAnExpenseWithinItsShare) {
    const double share = 0.25;
    for (const double p : {0.01, 0.3, 1.0, 5.0}) {
        TimeShare pictures(share);
        double elapsed = 0;
        int drawn = 0;
        constexpr int frames = 1000;
        for (int k = 0; k <= frames; ++k) {
            if (k > 0) elapsed += 1;
            if (!pictures.allows(elapsed) && k > 0) continue;
            pictures.spend(p);
            elapsed += p;
            ++drawn;
            if (k > 0) {
                EXPECT_LE(pictures.spent(), share * elapsed * (1 + 1e-12)) << p << " s, frame " << k;
            }
        }
        // What fits: n p <= share (frames + n p).
        const double most = std::min<double>(frames + 1, share * frames / ((1 - share) * p));
        EXPECT_NEAR(drawn, most, 2) << p << " s";
    }
}

TEST(TimeShare, AllOfItIsNoLimit) {
    TimeShare pictures(1);
    pictures.spend(100);
    EXPECT_TRUE(pictures.allows(0));
}

}  // namespace
}  // namespace tidelock
