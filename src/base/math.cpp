#include "base/math.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace tidelock {
namespace {

/// pi / 2 in three parts of 33 bits and the rest: multiples up to 2^20 of the first two are exact.
constexpr double half_pi_1 = 0x1.921fb544p+0, half_pi_2 = 0x1.0b4611a6p-34, half_pi_3 = 0x1.3198a2e037073p-69;
/// ln 2 in two parts: multiples up to 2^11 of the first are exact.
constexpr double ln2_1 = 0x1.62e42fefa38p-1, ln2_2 = 0x1.ef35793c7673p-45;

/// sum of c[i] x^i.
template <std::size_t n>
double horner(const std::array<double, n>& c, double x) {
    double sum = c[n - 1];
    for (std::size_t i = n - 1; i-- > 0;) sum = sum * x + c[i];
    return sum;
}

/// 1 / k! with alternating signs, for k = first, first + 2, ...
template <std::size_t n>
constexpr std::array<double, n> alternating_factorials(int first) {
    std::array<double, n> c{};
    double factorial = 1;
    for (int k = 2; k <= first; ++k) factorial *= k;
    int k = first;
    for (std::size_t i = 0; i < n; ++i) {
        c[i] = (i % 2 == 0 ? 1 : -1) / factorial;
        factorial *= (k + 1) * (k + 2);
        k += 2;
    }
    return c;
}

/// An angle as r + rest + quarter pi / 2, |r| <= pi / 4.
struct Reduced {
    double r = 0, rest = 0;
    int quarter = 0;
};

Reduced reduce(double x) {
    constexpr double large = 1.6e6;  // multiples of pi / 2 have more than 20 bits
    if (std::abs(x) > large) x = std::fmod(x, 4 * (half_pi_1 + half_pi_2));
    const double n = std::nearbyint(x * (2 / std::numbers::pi));
    const double first = x - n * half_pi_1, second = n * half_pi_2;
    const double high = first - second;
    const double low = ((first - high) - second) - n * half_pi_3;
    const double r = high + low;
    return {r, (high - r) + low, static_cast<int>(std::fmod(n, 4)) & 3};
}

/// sin(r + rest) and cos(r + rest).
double small_sine(double r, double rest) {
    static constexpr auto c = alternating_factorials<8>(3);  // 1/3!, -1/5!, ...
    const double s = r * r;
    return r + (rest * (1 - 0.5 * s) - r * s * horner(c, s));
}
double small_cosine(double r, double rest) {
    static constexpr auto c = alternating_factorials<8>(4);  // 1/4!, -1/6!, ...
    const double s = r * r, half = 0.5 * s, whole = 1 - half;
    return whole + ((1 - whole) - half + (s * s * horner(c, s) - r * rest));
}

double turned_sine(const Reduced& a, int quarter) {
    switch (quarter & 3) {
        case 0:
            return small_sine(a.r, a.rest);
        case 1:
            return small_cosine(a.r, a.rest);
        case 2:
            return -small_sine(a.r, a.rest);
        default:
            return -small_cosine(a.r, a.rest);
    }
}

/// atan(x) for 0 <= x <= 1, less the nearest of five known angles.
double small_angle(double x) {
    // atan(k / 4), high and low.
    static constexpr std::array<std::array<double, 2>, 5> known{{{0, 0},
                                                                 {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                                                 {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}};
    // x = tan(a): a = known + atan((x - t) / (1 + x t)), whose argument is at most 1/8.
    static constexpr std::array<double, 9> c{-1.0 / 3, 1.0 / 5,   -1.0 / 7, 1.0 / 9,  -1.0 / 11,
                                             1.0 / 13, -1.0 / 15, 1.0 / 17, -1.0 / 19};
    const auto k = static_cast<std::size_t>(std::nearbyint(4 * x));
    const double t = 0.25 * static_cast<double>(k), d = (x - t) / (1 + x * t), s = d * d;
    return known[k][0] + (known[k][1] + (d + d * s * horner(c, s)));
}

}  // namespace

double sine(double x) {
    if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
    if (x == 0) return x;
    const Reduced a = reduce(x);
    return turned_sine(a, a.quarter);
}

double cosine(double x) {
    if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
    const Reduced a = reduce(x);
    return turned_sine(a, a.quarter + 1);
}

double exponential(double x) {
    if (std::isnan(x)) return x;
    if (x > 709.79) return std::numeric_limits<double>::infinity();
    if (x < -745.2) return 0;
    static constexpr auto c = [] {  // 1/2!, 1/3!, ...
        std::array<double, 13> out{};
        double factorial = 1;
        for (std::size_t k = 0; k < out.size(); ++k) {
            factorial *= static_cast<double>(k + 2);
            out[k] = 1 / factorial;
        }
        return out;
    }();
    const double n = std::nearbyint(x / std::numbers::ln2);
    const double high = x - n * ln2_1, low = n * ln2_2, r = high - low;
    const double rest = (high - r) - low;
    const double e = 1 + (r + (rest + r * r * horner(c, r)));
    return std::ldexp(e, static_cast<int>(n));
}

double logarithm(double x) {
    if (std::isnan(x) || x < 0) return std::numeric_limits<double>::quiet_NaN();
    if (x == 0) return -std::numeric_limits<double>::infinity();
    if (std::isinf(x)) return x;
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < std::numbers::sqrt2 / 2) m *= 2, --exponent;
    // log m = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.172; f - f^2/2 + s (f^2/2 + R) keeps the digits of f = m - 1.
    static constexpr auto c = [] {  // 2/3, 2/5, ...
        std::array<double, 10> out{};
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = 2 / static_cast<double>(2 * k + 3);
        return out;
    }();
    const double f = m - 1, s = f / (2 + f), square = s * s;
    const double half = 0.5 * f * f, series = square * horner(c, square);
    const double n = exponent;
    return n * ln2_1 - ((half - (s * (half + series) + n * ln2_2)) - f);
}

double angle_of(double y, double x) {
    if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
    const double a = std::abs(x), b = std::abs(y);
    double angle = 0;
    if (std::isinf(a) && std::isinf(b))
        angle = std::numbers::pi / 4;
    else if (a > b)
        angle = small_angle(b / a);
    else if (b > 0)
        angle = (half_pi_1 + half_pi_2) - (small_angle(a / b) - half_pi_3);
    if (std::signbit(x)) angle = 2 * (half_pi_1 + half_pi_2) - (angle - 2 * half_pi_3);
    return std::copysign(angle, y);
}

double cube_root(double x) {
    if (x == 0 || !std::isfinite(x)) return x;
    int exponent = 0;
    const double m = std::frexp(std::abs(x), &exponent);
    const int third = (exponent + 3000) / 3 - 1000, rest = exponent - 3 * third;
    const double a = std::ldexp(m, rest);  // in [1/2, 4)
    double r = 0.6 + 0.4 * a - 0.035 * a * a;
    for (int i = 0; i < 6; ++i) r -= (r * r * r - a) / (3 * r * r);
    return std::copysign(std::ldexp(r, third), x);
}

}  // namespace tidelock
