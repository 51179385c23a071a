#include "render/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidelock {
namespace {

// Ends of a range are ticks even if rounding has put them a little outside.
constexpr double slack = 1e-9;

/// count digit 10^exponent, rounded once: 0.3 instead of 3 times 0.1.
double multiple(long long count, int digit, int exponent) {
    const auto whole = static_cast<double>(count * digit);
    return exponent < 0 ? whole / std::pow(10.0, -exponent) : whole * std::pow(10.0, exponent);
}

std::string with_minus_sign(std::string number) {
    if (number.starts_with('-')) number.replace(0, 1, "−");
    return number;
}

/// Plain numbers, or all with the same power of ten if they are large or small.
std::vector<PlotTick> label(const LinearTicks& ticks) {
    double most = 0;
    for (const double v : ticks.values) most = std::max(most, std::abs(v));
    const bool plain = most == 0 || (most < 1e6 * (1 - slack) && most > 1e-3 * (1 - slack));
    const int power = plain ? 0 : static_cast<int>(std::floor(std::log10(most) + slack));
    const int decimals = std::max(0, power - ticks.exponent);
    std::vector<PlotTick> out;
    for (const double v : ticks.values) {
        PlotTick tick{v, "0", ""};
        if (v != 0) tick.text = with_minus_sign(fmt::format("{:.{}f}", v / std::pow(10.0, power), decimals));
        if (v != 0 && !plain) tick.text += "×10", tick.raised = with_minus_sign(fmt::format("{}", power));
        out.push_back(std::move(tick));
    }
    return out;
}

std::vector<PlotTick> label(const std::vector<LogTick>& ticks) {
    const bool plain =
        std::all_of(ticks.begin(), ticks.end(), [](const LogTick& t) { return t.exponent >= -3 && t.exponent <= 4; });
    std::vector<PlotTick> out;
    for (const LogTick& t : ticks) {
        PlotTick tick{t.exponent + std::log10(t.digit), "10", with_minus_sign(fmt::format("{}", t.exponent))};
        if (t.digit != 1) tick.text = fmt::format("{}×10", t.digit);
        if (plain) {
            tick.text = fmt::format("{:.{}f}", multiple(1, t.digit, t.exponent), std::max(0, -t.exponent));
            tick.raised.clear();
        }
        out.push_back(std::move(tick));
    }
    return out;
}

/// Digits times the decades of a range.
std::vector<LogTick> digits_within(double low, double high, std::initializer_list<int> digits) {
    std::vector<LogTick> out;
    const double more = slack * (high - low);
    for (int e = static_cast<int>(std::floor(low)); e <= static_cast<int>(std::ceil(high)); ++e)
        for (const int digit : digits) {
            const double at = e + std::log10(digit);
            if (at >= low - more && at <= high + more) out.push_back({digit, e});
        }
    return out;
}

}  // namespace

LinearTicks linear_ticks(double low, double high, int most) {
    const double span = high - low;
    if (!(span > plot_smallest && span <= 4 * plot_largest)) return {};
    // A step of a tenth of the mean distance is too fine for sure.
    for (int e = static_cast<int>(std::floor(std::log10(span / most))) - 1;; ++e)
        for (const int digit : {1, 2, 5}) {
            const double step = multiple(1, digit, e), more = slack * span;
            const auto first = static_cast<long long>(std::ceil((low - more) / step));
            const auto last = static_cast<long long>(std::floor((high + more) / step));
            if (last - first + 1 > most) continue;
            LinearTicks ticks{digit, e, {}};
            for (long long n = first; n <= last; ++n) ticks.values.push_back(multiple(n, digit, e));
            return ticks;
        }
}

LogTicks log_ticks(double low, double high, int most) {
    LogTicks ticks;
    const std::vector<LogTick> decades = digits_within(low, high, {1});
    const auto fits = [&](const std::vector<LogTick>& t) { return t.size() <= static_cast<std::size_t>(most); };
    if (decades.size() < 3) {
        const std::vector<LogTick> all = digits_within(low, high, {1, 2, 3, 4, 5, 6, 7, 8, 9});
        const std::vector<LogTick> some = digits_within(low, high, {1, 2, 5});
        // Every digit only where 1, 2 and 5 are too few: their labels crowd towards 9.
        ticks.labelled = some.size() < 3 && fits(all) ? all : fits(some) ? some : decades;
    } else {
        int every = 1;
        for (const int step : {1, 2, 5, 10, 20, 50, 100, 200, 500}) {
            every = step;
            ticks.labelled.clear();
            for (const LogTick& t : decades)
                if (t.exponent % every == 0) ticks.labelled.push_back(t);
            if (fits(ticks.labelled)) break;
        }
        if (every > 1) ticks.minor = decades;
    }
    if (ticks.minor.empty()) ticks.minor = digits_within(low, high, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    std::erase_if(ticks.minor, [&](const LogTick& t) {
        return std::find(ticks.labelled.begin(), ticks.labelled.end(), t) != ticks.labelled.end();
    });
    return ticks;
}

double PlotAxis::pixel_of_unit(double unit) const { return from + (unit - low) / (high - low) * (to - from); }

double PlotAxis::pixel(double value) const {
    return std::clamp(pixel_of_unit(log ? std::log10(value) : value), -1e7, 1e7);
}

PlotTicks PlotAxis::ticks(int most) const {
    PlotTicks out;
    most = std::max(most, 2);
    if (log) {
        const LogTicks ticks = log_ticks(low, high, most);
        if (ticks.labelled.size() >= 2) {
            out.labelled = label(ticks.labelled);
            for (const LogTick& t : ticks.minor) out.minor.push_back(t.exponent + std::log10(t.digit));
            return out;
        }
        out.labelled = label(linear_ticks(std::pow(10.0, low), std::pow(10.0, high), most));
        for (PlotTick& tick : out.labelled) tick.at = std::log10(tick.at);
        return out;
    }
    out.labelled = label(linear_ticks(low, high, most));
    return out;
}

bool drawable(double value) { return std::abs(value) <= plot_largest; }

PlotAxis axis_for(std::span<const double> values, bool log, std::optional<double> low, std::optional<double> high) {
    PlotAxis axis;
    axis.log = log;
    double least = 1e301, most = -1e301;
    const auto unit = [&](double v) { return log ? std::log10(v) : std::abs(v) < plot_smallest ? 0 : v; };
    for (const double v : values) least = std::min(least, unit(v)), most = std::max(most, unit(v));
    if (values.empty()) least = 0, most = 1;
    if (low) least = unit(*low), most = std::max(most, least);
    if (high) most = unit(*high), least = std::min(least, most);
    // Differences in the last few digits are rounding, not data.
    if (most - least <= 1e-12 * std::max(std::abs(least), std::abs(most)) || least == most) {
        const double room = log ? 0.5 : most == 0 ? 1 : 0.5 * std::abs(most);
        axis.low = low ? least : least - room;
        axis.high = high ? most : most + room;
        return axis;
    }
    const double room = 0.04 * (most - least);
    axis.low = low ? least : !log && least >= 0 && least < 0.35 * most ? 0 : least - room;
    axis.high = high ? most : most + room;
    return axis;
}

}  // namespace tidelock
