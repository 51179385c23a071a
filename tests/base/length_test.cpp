#include "base/length.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <new>

namespace tidelock {
namespace {

TEST(Length, LengthsNeitherOverflowNorVanish) {
    EXPECT_DOUBLE_EQ(length_of<3>(Vec3(2, 3, 6)), 7);
    EXPECT_DOUBLE_EQ(length_of<3>(Vec3(2e-200, 3e-200, -6e-200)), 7e-200);
    EXPECT_DOUBLE_EQ(length_of<2>(Vec2(3e200, -4e200)), 5e200);
    EXPECT_EQ(length_of<2>(Vec2(0, 0)), 0);
    EXPECT_TRUE(std::isinf(length_of<2>(Vec2(1, -std::numeric_limits<double>::infinity()))));
    EXPECT_TRUE(std::isnan(length_of<2>(Vec2(std::nan(""), std::nan("")))));
}

// The same bits wherever the vector lies.
TEST(Length, LengthsDoNotDependOnAddresses) {
    alignas(64) std::array<double, 12> room{};
    for (int n = 0; n < 100; ++n) {
        const Vec3 x(std::sin(n), std::sin(2.1 * n), 1e-3 * std::sin(3.3 * n));
        for (std::size_t at = 0; at < 9; ++at) {
            const Vec3* there = new (&room[at]) Vec3(x);
            EXPECT_EQ(length_of<3>(*there), length_of<3>(x)) << at;
        }
    }
}

}  // namespace
}  // namespace tidelock
