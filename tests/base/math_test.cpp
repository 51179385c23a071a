#include "base/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/random.h"

namespace tidelock {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The error in units of the true value's last place; the reference has 11 bits more on x86-64, 60 on arm64.
double ulps(double value, long double truth) {
    const double near = std::abs(static_cast<double>(truth));
    const double unit = std::nextafter(near, infinity) - near;
    return static_cast<double>(std::abs(static_cast<long double>(value) - truth)) / unit;
}

/// Random numbers of all sizes from 2^low to 2^high, of both signs.
double some_number(std::uint64_t n, int low, int high) {
    const Random random(7);
    const int exponent = low + static_cast<int>((high - low) * random.uniform(n, 1));
    const double size = std::ldexp(1 + random.uniform(n, 0), exponent);
    return random.uniform(n, 2) < 0.5 ? -size : size;
}

TEST(Math, IsWithinTwoUnitsOfTheLastPlace) {
    for (std::uint64_t n = 0; n < 200000; ++n) {
        const double x = some_number(n, -40, 20);
        ASSERT_LE(ulps(sine(x), std::sin(static_cast<long double>(x))), 2) << x;
        ASSERT_LE(ulps(cosine(x), std::cos(static_cast<long double>(x))), 2) << x;
        const double e = some_number(n, -40, 9);
        ASSERT_LE(ulps(exponential(e), std::exp(static_cast<long double>(e))), 2) << e;
        const double positive = std::abs(some_number(n, -1000, 1000));
        ASSERT_LE(ulps(logarithm(positive), std::log(static_cast<long double>(positive))), 2) << positive;
        ASSERT_LE(ulps(cube_root(positive), std::cbrt(static_cast<long double>(positive))), 2) << positive;
        const double y = some_number(n + 1000000, -40, 20);
        ASSERT_LE(ulps(angle_of(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))), 2)
            << y << ", " << x;
    }
    // Near 1 the logarithm is small, near multiples of pi / 2 sines and cosines are.
    for (int n = 1; n < 2000; ++n) {
        const double x = 1 + n * 1e-6, near = n * (std::numbers::pi / 2);
        ASSERT_LE(ulps(logarithm(x), std::log(static_cast<long double>(x))), 2) << x;
        ASSERT_LE(ulps(logarithm(2 - x), std::log(static_cast<long double>(2 - x))), 2) << 2 - x;
        if (n % 2 == 0) {
            // The reference's own pi has 64 bits: some of its digits are gone there.
            EXPECT_NEAR(sine(near), static_cast<double>(std::sin(static_cast<long double>(near))), 1e-18 * near)
                << near;
        } else {
            EXPECT_NEAR(cosine(near), static_cast<double>(std::cos(static_cast<long double>(near))), 1e-18 * near)
                << near;
        }
    }
}

TEST(Math, KnowsSpecialValues) {
    EXPECT_EQ(sine(0.0), 0);
    EXPECT_EQ(cosine(0.0), 1);
    EXPECT_EQ(exponential(0.0), 1);
    EXPECT_EQ(exponential(-infinity), 0);
    EXPECT_EQ(exponential(1000.0), infinity);
    EXPECT_EQ(exponential(-1000.0), 0);
    EXPECT_EQ(logarithm(1.0), 0);
    EXPECT_EQ(logarithm(0.0), -infinity);
    EXPECT_EQ(logarithm(infinity), infinity);
    EXPECT_TRUE(std::isnan(logarithm(-1.0)));
    EXPECT_TRUE(std::isnan(sine(infinity)));
    EXPECT_EQ(cube_root(-27.0), -3);
    EXPECT_EQ(cube_root(0.0), 0);
    EXPECT_EQ(angle_of(0.0, 1.0), 0);
    EXPECT_EQ(angle_of(0.0, -1.0), std::numbers::pi);
    EXPECT_EQ(angle_of(-0.0, -1.0), -std::numbers::pi);
    EXPECT_EQ(angle_of(1.0, 0.0), std::numbers::pi / 2);
    EXPECT_EQ(angle_of(0.0, 0.0), 0);
    EXPECT_EQ(angle_of(infinity, infinity), std::numbers::pi / 4);
    EXPECT_EQ(angle_of(infinity, 1.0), std::numbers::pi / 2);
    EXPECT_EQ(power(3.0, 0), 1);
    EXPECT_EQ(power(3.0, 3), 27);
}

}  // namespace
}  // namespace tidelock
