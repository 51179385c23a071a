#include "render/plot_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace tidelock {
namespace {

using Values = std::vector<double>;

std::vector<std::string> texts(const PlotTicks& ticks) {
    std::vector<std::string> out;
    for (const PlotTick& t : ticks.labelled) out.push_back(t.raised.empty() ? t.text : t.text + "^" + t.raised);
    return out;
}

TEST(LinearTicks, AreTheMultiplesOfOneTwoOrFive) {
    EXPECT_EQ(linear_ticks(0, 10, 11).values, (Values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    EXPECT_EQ(linear_ticks(0, 10, 10).values, (Values{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(linear_ticks(0, 10, 5).values, (Values{0, 5, 10}));
    EXPECT_EQ(linear_ticks(3, 17, 4).values, (Values{5, 10, 15}));
    EXPECT_EQ(linear_ticks(-0.31, 0.35, 8).values, (Values{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}));  // to the last bit
    EXPECT_EQ(linear_ticks(-4.2e7, 9e6, 6).values, (Values{-4e7, -3e7, -2e7, -1e7, 0}));
    EXPECT_EQ(linear_ticks(0.1 + 0.2, 0.9, 4).values, (Values{0.4, 0.6, 0.8}));
    EXPECT_EQ(linear_ticks(0.1 + 0.2, 0.9, 7).values, (Values{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}));  // 0.1 + 0.2 > 0.3
    EXPECT_EQ(linear_ticks(1e9, 1e9 + 1, 3).values, (Values{1e9, 1e9 + 0.5, 1e9 + 1}));
}

TEST(LinearTicks, AreNoneInAnEmptyRange) {
    EXPECT_TRUE(linear_ticks(1, 1, 5).values.empty());
    EXPECT_TRUE(linear_ticks(2, 1, 5).values.empty());
    EXPECT_TRUE(linear_ticks(0, std::nan(""), 5).values.empty());
    EXPECT_TRUE(linear_ticks(0, 1e-320, 5).values.empty());
    EXPECT_TRUE(linear_ticks(0, std::numeric_limits<double>::infinity(), 5).values.empty());
}

TEST(LinearTicks, AreAsManyAsAllowedAndInside) {
    const Random random(4);
    for (std::uint64_t n = 0; n < 2000; ++n) {
        const double size = std::pow(10.0, random.uniform(n, 0, -200, 200));
        const double low = size * random.uniform(n, 1, -1, 1), high = low + size * random.uniform(n, 2, 1e-3, 1);
        const int most = 2 + static_cast<int>(random.uniform(n, 3, 0, 12));
        const LinearTicks ticks = linear_ticks(low, high, most);
        const double step = ticks.digit * std::pow(10.0, ticks.exponent);
        EXPECT_TRUE(ticks.digit == 1 || ticks.digit == 2 || ticks.digit == 5);
        EXPECT_LE(ticks.values.size(), static_cast<std::size_t>(most));
        // The next finer step would be too many: k spans of it hold at most k + 1 multiples.
        const double finer = step / (ticks.digit == 5 ? 2.5 : 2);
        EXPECT_GE((high - low) / finer + 1e-6, most);
        for (const double v : ticks.values) {
            EXPECT_GE(v, low - 1e-8 * (high - low));
            EXPECT_LE(v, high + 1e-8 * (high - low));
        }
    }
}

TEST(LogTicks, AreDecadesWithDigitsBetween) {
    const LogTicks wide = log_ticks(-2.1, 1.2, 8);
    EXPECT_EQ(wide.labelled, (std::vector<LogTick>{{1, -2}, {1, -1}, {1, 0}, {1, 1}}));
    // 8 and 9 thousandths, and 2 to 9 in each of three decades; up to 15.8 there are no more.
    EXPECT_EQ(wide.minor.size(), 2u + 3 * 8u);
    EXPECT_EQ(wide.minor.front(), (LogTick{8, -3}));
    EXPECT_EQ(wide.minor.back(), (LogTick{9, 0}));
}

TEST(LogTicks, SkipDecadesWhenThereAreMany) {
    const LogTicks ticks = log_ticks(-12, 1, 8);
    EXPECT_EQ(ticks.labelled, (std::vector<LogTick>{{1, -12}, {1, -10}, {1, -8}, {1, -6}, {1, -4}, {1, -2}, {1, 0}}));
    EXPECT_EQ(ticks.minor, (std::vector<LogTick>{{1, -11}, {1, -9}, {1, -7}, {1, -5}, {1, -3}, {1, -1}, {1, 1}}));
    const LogTicks huge = log_ticks(-250, 250, 6);
    EXPECT_EQ(huge.labelled, (std::vector<LogTick>{{1, -200}, {1, -100}, {1, 0}, {1, 100}, {1, 200}}));
}

TEST(LogTicks, TakeDigitsWhenDecadesAreFew) {
    // 8 to 300.
    EXPECT_EQ(log_ticks(std::log10(8), std::log10(300), 8).labelled,
              (std::vector<LogTick>{{1, 1}, {2, 1}, {5, 1}, {1, 2}, {2, 2}}));
    // 30 to 90: of 1, 2 and 5 only 50.
    EXPECT_EQ(log_ticks(std::log10(30), std::log10(90), 8).labelled,
              (std::vector<LogTick>{{3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 1}}));
    // 31 to 39 has none; then the axis takes linear ticks, at their logarithms.
    PlotAxis axis;
    axis.log = true, axis.low = std::log10(31), axis.high = std::log10(39);
    EXPECT_TRUE(log_ticks(axis.low, axis.high, 8).labelled.empty());
    const PlotTicks ticks = axis.ticks(5);
    EXPECT_EQ(texts(ticks), (std::vector<std::string>{"32", "34", "36", "38"}));
    EXPECT_DOUBLE_EQ(ticks.labelled[1].at, std::log10(34));
}

TEST(PlotTicks, HaveReadableNumbers) {
    const auto linear = [](double low, double high) {
        PlotAxis axis;
        axis.low = low, axis.high = high;
        return texts(axis.ticks(4));
    };
    using Texts = std::vector<std::string>;
    EXPECT_EQ(linear(-0.5, 1), (Texts{"−0.5", "0", "0.5", "1.0"}));
    EXPECT_EQ(linear(0, 300000), (Texts{"0", "100000", "200000", "300000"}));
    EXPECT_EQ(linear(0, 3e6), (Texts{"0", "1×10^6", "2×10^6", "3×10^6"}));
    EXPECT_EQ(linear(-1.5e-15, 0), (Texts{"−1.5×10^−15", "−1.0×10^−15", "−0.5×10^−15", "0"}));
    EXPECT_EQ(linear(0, 0.003), (Texts{"0", "0.001", "0.002", "0.003"}));
    const auto log = [](double low, double high) {
        PlotAxis axis;
        axis.log = true, axis.low = low, axis.high = high;
        return texts(axis.ticks(9));
    };
    EXPECT_EQ(log(0, 3), (Texts{"1", "10", "100", "1000"}));
    EXPECT_EQ(log(-3, 0), (Texts{"0.001", "0.01", "0.1", "1"}));
    EXPECT_EQ(log(-6, -3), (Texts{"10^−6", "10^−5", "10^−4", "10^−3"}));
    EXPECT_EQ(log(-6, -5), (Texts{"10^−6", "2×10^−6", "5×10^−6", "10^−5"}));
}

TEST(PlotAxis, RangeHoldsTheValuesWithRoom) {
    const auto range = [](const Values& v, bool log = false, std::optional<double> low = {},
                          std::optional<double> high = {}) {
        const PlotAxis axis = axis_for(v, log, low, high);
        return std::pair(axis.low, axis.high);
    };
    using Range = std::pair<double, double>;
    EXPECT_EQ(range({20, 30, 25}), Range(20 - 0.4, 30 + 0.4));
    EXPECT_EQ(range({2, 10}), Range(0, 10 + 0.04 * 8));  // 0 is near enough to be shown
    EXPECT_EQ(range({1e-6, 1}, true), Range(-6.24, 0.24));
    EXPECT_EQ(range({20, 30}, false, 0.0, 25.0), Range(0, 25));
    EXPECT_EQ(range({20, 30}, true, 10.0, 100.0), Range(1, 2));
    // One value, equal values, values equal but for rounding, none.
    EXPECT_EQ(range({4}), Range(2, 6));
    EXPECT_EQ(range({-4, -4}), Range(-6, -2));
    EXPECT_EQ(range({0, 0, 0}), Range(-1, 1));
    EXPECT_EQ(range({100, 100}, true), Range(1.5, 2.5));
    EXPECT_EQ(range({}), Range(0, 1.04));
    const auto [low, high] = range({1, 1 + 1e-15});
    EXPECT_LT(low, 0.6);
    EXPECT_GT(high, 1.4);
    // A given end beyond all values.
    EXPECT_EQ(range({1, 2}, false, 5.0), Range(5, 7.5));
    EXPECT_EQ(range({1, 2}, true, {}, 0.1), Range(-1.5, -1));
}

TEST(PlotAxis, ExtremeNumbersStillHaveTicks) {
    for (const Values& v : {Values{-1e300, 1e300}, Values{0, 1e-310}, Values{1e-279, 3e-279}, Values{1e299, 1e300}}) {
        const PlotAxis axis = axis_for(v, false, {}, {});
        ASSERT_LT(axis.low, axis.high);
        const PlotTicks ticks = axis.ticks(6);
        EXPECT_GE(ticks.labelled.size(), 2u);
        for (const PlotTick& t : ticks.labelled) EXPECT_TRUE(std::isfinite(t.at));
    }
    PlotAxis axis;
    axis.from = 100, axis.to = 0;
    EXPECT_EQ(axis.pixel(0.25), 75);
    EXPECT_EQ(axis.pixel(1e300), -1e7);
}

}  // namespace
}  // namespace tidelock
