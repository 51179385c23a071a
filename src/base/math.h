/// Elementary functions with the same bits on every machine: the C library chooses its own variants by processor.
///
/// Method   Reduction to a small argument and a power series, in double, without contraction (-ffp-contract=off). What
///          IEEE 754 rounds correctly, sqrt above all, is taken from the standard library elsewhere.
/// Promise  Within 2 units in the last place of the true value (tests/base/math_test.cpp); special values as in
/// <cmath>. Limits   Sines and cosines lose digits beyond 1e6 radians.
#pragma once

namespace tidelock {

[[nodiscard]] double sine(double x);
[[nodiscard]] double cosine(double x);
[[nodiscard]] double exponential(double x);
/// Natural; of a negative number it is not a number.
[[nodiscard]] double logarithm(double x);
/// Of the point (x, y), in [-pi, pi].
[[nodiscard]] double angle_of(double y, double x);
[[nodiscard]] double cube_root(double x);

/// x to the power n, n >= 0, by repeated multiplication from the left.
[[nodiscard]] constexpr double power(double x, int n) {
    double out = 1;
    for (int i = 0; i < n; ++i) out *= x;
    return out;
}

}  // namespace tidelock
