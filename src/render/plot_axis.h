/// One axis of a plot: its range, its ticks, and where values lie along it.
///
/// An axis unit is the value itself, or its decimal logarithm on a log axis.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tidelock {

/// Multiples of step = digit 10^exponent, digit 1, 2 or 5.
struct LinearTicks {
    int digit = 1, exponent = 0;
    std::vector<double> values;
};

/// The finest step that puts at most `most` >= 1 ticks into [low, high]; none where high is
/// not larger than low.
[[nodiscard]] LinearTicks linear_ticks(double low, double high, int most);

/// digit 10^exponent.
struct LogTick {
    int digit = 1, exponent = 0;
    bool operator==(const LogTick&) const = default;
};

struct LogTicks {
    std::vector<LogTick> labelled, minor;
};

/// Ticks in [10^low, 10^high]. Labelled, at most `most`: the decades, or every 2nd, 5th, 10th ... if there are too
/// many; if there are fewer than three, also 2 and 5 times a decade, or every digit, where these fit. Minor: the other
/// decades or digits. Less than two labelled ones mean that the range is too small for a log axis's ticks.
[[nodiscard]] LogTicks log_ticks(double low, double high, int most);

/// A tick with its text: "2×10" and "−6" for 0.000002.
struct PlotTick {
    double at = 0;  ///< [axis units]
    std::string text, raised;
};

struct PlotTicks {
    std::vector<PlotTick> labelled;
    std::vector<double> minor;  ///< [axis units]
};

struct PlotAxis {
    bool log = false;
    double low = 0, high = 1;  ///< [axis units]
    double from = 0, to = 1;   ///< pixels of low and high

    [[nodiscard]] double pixel_of_unit(double unit) const;
    /// Of a value, > 0 on a log axis; cut where it is far outside the picture.
    [[nodiscard]] double pixel(double value) const;
    /// At most `most` labelled ticks, at least 2.
    [[nodiscard]] PlotTicks ticks(int most) const;
};

/// Sizes of numbers whose ticks can still be computed: larger ones are not drawn, smaller ones count as 0.
inline constexpr double plot_largest = 1e300, plot_smallest = 1e-280;
/// Whether a number is finite and not beyond plot_largest.
[[nodiscard]] bool drawable(double value);

/// A range for these values, with some room at both ends. Axes of values >= 0 begin at 0 unless most of the axis would
/// be empty. Equal values and no values get a range as well. Given ends are kept.
[[nodiscard]] PlotAxis axis_for(std::span<const double> values, bool log, std::optional<double> low,
                                std::optional<double> high);

}  // namespace tidelock
