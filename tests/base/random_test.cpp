#include "base/random.h"

#include <gtest/gtest.h>

namespace tidelock {

// Known answers published with the generator (Random123's kat_vectors, philox4x32 10).
TEST(Philox, KnownAnswers) {
    EXPECT_EQ(philox({0, 0, 0, 0}, 0),
              (std::array<std::uint32_t, 4>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
    EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, ~std::uint64_t{0}),
              (std::array<std::uint32_t, 4>{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
}

TEST(Random, MomentsOfUniformAndNormal) {
    const Random random(7);
    constexpr int n = 100000;
    double mean = 0, square = 0, normal_mean = 0, normal_square = 0;
    for (int i = 0; i < n; ++i) {
        const double u = random.uniform(i), g = random.normal(i);
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        mean += u / n, square += u * u / n, normal_mean += g / n, normal_square += g * g / n;
    }
    // Five standard errors of each mean at n = 1e5.
    EXPECT_NEAR(mean, 0.5, 5 * 0.2887 / std::sqrt(n));
    EXPECT_NEAR(square, 1.0 / 3, 5 * 0.2981 / std::sqrt(n));
    EXPECT_NEAR(normal_mean, 0.0, 5 * 1.0 / std::sqrt(n));
    EXPECT_NEAR(normal_square, 1.0, 5 * 1.4142 / std::sqrt(n));
}

TEST(Random, DependsOnSeedIndexAndLaneOnly) {
    const Random a(1), b(1), c(2);
    (void)a.uniform(5);
    EXPECT_EQ(a.uniform(17), b.uniform(17));
    EXPECT_NE(a.uniform(17), c.uniform(17));
    EXPECT_NE(a.uniform(17, 0), a.uniform(17, 1));
    EXPECT_NE(a.uniform(17), a.uniform(18));
}

}  // namespace tidelock
