#include "compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/math.h"

namespace tidelock::compare {

namespace {

constexpr double same_time = 1e-9;  ///< of a step: closer ends of steps are one

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(squares);
}

/// Between two directions: angles of the plane [rad], or quaternions.
double angle(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() == 1) return std::abs(std::remainder(a[0] - b[0], 2 * std::numbers::pi));
    double dot = 0;
    for (std::size_t i = 0; i < a.size(); ++i) dot += a[i] * b[i];
    dot = std::min(1.0, std::abs(dot));
    return 2 * angle_of(std::sqrt(1 - dot * dot), dot);
}

/// Whether the last step of a frame is this one, as far as the log goes.
bool ends_frame(const std::vector<StepRecord>& steps, std::size_t i) {
    return i + 1 == steps.size() || steps[i + 1].frame > steps[i].frame;
}

/// The step that ends at this time, or null.
const StepRecord* step_at(const std::vector<StepRecord>& steps, double time) {
    const auto late = [&](const StepRecord& step, double t) { return step.time < t - same_time * step.dt; };
    const auto found = std::lower_bound(steps.begin(), steps.end(), time, late);
    return found != steps.end() && found->time <= time + same_time * found->dt ? &*found : nullptr;
}

void add_solves(const StepRecord& step, MethodFigures& out) {
    int iterations = 0;
    bool short_of = false;
    for (const SolveRecord& solve : step.solves) {
        short_of = short_of || !solve.converged;
        if (solve.name != step.solves.front().name) continue;  // the method's own system comes first
        iterations += solve.iterations;
        out.solves += 1;
    }
    out.iterations += iterations;
    out.most_iterations = std::max(out.most_iterations, iterations);
    out.unconverged += short_of ? 1 : 0;
    for (const auto& [stage, seconds] : step.seconds) {
        if (stage == "total") out.seconds += seconds;
        if (stage == "solve") out.solve_seconds += seconds;
    }
}

}  // namespace

MethodFigures Comparison::figures(std::size_t run) const {
    const std::vector<StepRecord>& steps = runs[run].steps;
    MethodFigures out;
    out.steps = steps.size();
    if (steps.empty()) return out;
    out.time = steps.back().time;
    for (const StepRecord& step : steps) {
        add_solves(step, out);
        if (!step.fluid) continue;
        out.divergence = std::max(out.divergence, step.fluid->max_divergence);
        out.max_speed = std::max(out.max_speed, step.fluid->max_speed);
        if (step.fluid->momentum_error)
            out.momentum_error = std::max(out.momentum_error.value_or(0), *step.fluid->momentum_error);
    }
    for (double* mean : {&out.solves, &out.iterations, &out.seconds, &out.solve_seconds})
        *mean /= static_cast<double>(steps.size());
    return out;
}

PathFigures Comparison::path(std::size_t run, std::size_t body) const {
    const std::vector<StepRecord>& first = runs.front().steps;
    PathFigures out;
    std::vector<double> last = start[body];
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (!ends_frame(first, i)) continue;
        const StepRecord* other = step_at(runs[run].steps, first[i].time);
        if (other == nullptr) break;
        const BodyRecord &a = first[i].bodies[body], &b = other->bodies[body];
        out.way += distance(a.position, last);
        out.apart = std::max(out.apart, distance(a.position, b.position));
        out.turned = std::max(out.turned, angle(a.rotation, b.rotation));
        out.compared = first[i].time;
        last = a.position;
    }
    return out;
}

std::vector<std::string> Comparison::bodies() const {
    std::vector<std::string> names;
    for (const MethodRun& run : runs) {
        if (run.steps.empty()) continue;
        for (const BodyRecord& body : run.steps.front().bodies) names.push_back(body.name);
        break;
    }
    return names;
}

}  // namespace tidelock::compare
