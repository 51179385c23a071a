#include "compare/comparison_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace tidelock::compare {

namespace {

constexpr std::size_t most_bodies = 6;  ///< that get a plot

/// Low and high end of some numbers; empty while there are none.
struct Span {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void add(double v) { low = std::min(low, v), high = std::max(high, v); }
    [[nodiscard]] double length() const { return std::max(0.0, high - low); }
};

Span span_of(const Comparison& comparison, std::size_t body, std::size_t axis) {
    Span out;
    out.add(comparison.start[body][axis]);
    for (const StepRecord& step : comparison.runs.front().steps) out.add(step.bodies[body].position[axis]);
    return out;
}

/// The paths of a body along the axis along which it moves most; none if it stands.
std::optional<NamedPlot> path_plot(const Comparison& comparison, std::size_t body) {
    std::size_t axis = 0;
    Span first;
    for (std::size_t a = 0; a < comparison.start[body].size(); ++a)
        if (const Span s = span_of(comparison, body, a); s.length() > first.length()) axis = a, first = s;
    if (first.length() == 0) return std::nullopt;
    NamedPlot out{fmt::format("path-{}", body), {}};
    out.plot.title = fmt::format("Path of '{}'", comparison.bodies()[body]);
    out.plot.x_label = "time, s";
    out.plot.y_label = fmt::format("{} of the centre, m", "xyz"[axis]);
    Span all = first;
    for (const MethodRun& run : comparison.runs) {
        PlotSeries series{run.label, {0}, {comparison.start[body][axis]}};
        for (const StepRecord& step : run.steps) {
            series.x.push_back(step.time);
            series.y.push_back(step.bodies[body].position[axis]);
            all.add(series.y.back());
        }
        out.plot.series.push_back(std::move(series));
    }
    const double margin = 0.5 * first.length();  // what is thrown away leaves the picture, the others stay visible
    if (all.low < first.low - margin) out.plot.y_min = first.low - margin;
    if (all.high > first.high + margin) out.plot.y_max = first.high + margin;
    return out;
}

using OfStep = std::function<double(const StepRecord&)>;

/// A number of each step against time. On a logarithmic axis zeros have no place.
NamedPlot step_plot(const Comparison& comparison, std::string name, std::string label, bool log, const OfStep& value) {
    NamedPlot out{std::move(name), {}};
    out.plot.x_label = "time, s";
    out.plot.y_label = std::move(label);
    out.plot.log_y = log;
    for (const MethodRun& run : comparison.runs) {
        PlotSeries series{run.label, {}, {}};
        for (const StepRecord& step : run.steps) {
            const double y = value(step);
            if (log && !(y > 0)) continue;
            series.x.push_back(step.time);
            series.y.push_back(y);
        }
        if (!series.x.empty()) out.plot.series.push_back(std::move(series));
    }
    return out;
}

double iterations_of(const StepRecord& step) {
    double sum = 0;
    for (const SolveRecord& solve : step.solves)
        if (solve.name == step.solves.front().name) sum += solve.iterations;
    return sum;
}

}  // namespace

std::vector<NamedPlot> comparison_plots(const Comparison& comparison) {
    std::vector<NamedPlot> out;
    for (std::size_t body = 0; body < comparison.bodies().size() && out.size() < most_bodies; ++body)
        if (auto plot = path_plot(comparison, body)) out.push_back(std::move(*plot));
    out.push_back(step_plot(comparison, "iterations", "iterations a step", false, iterations_of));
    out.push_back(step_plot(comparison, "divergence", "largest divergence, 1/s", true,
                            [](const StepRecord& s) { return s.fluid ? s.fluid->max_divergence : 0; }));
    out.push_back(step_plot(comparison, "speed", "largest speed of the fluid, m/s", true,
                            [](const StepRecord& s) { return s.fluid ? s.fluid->max_speed : 0; }));
    out.push_back(step_plot(comparison, "momentum", "momentum error", true,
                            [](const StepRecord& s) { return s.fluid ? s.fluid->momentum_error.value_or(0) : 0; }));
    std::erase_if(out, [](const NamedPlot& p) { return p.plot.series.empty(); });
    return out;
}

}  // namespace tidelock::compare
