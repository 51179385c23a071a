#include "reproduce/budget_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "reproduce/solver_study.h"
#include "reproduce/study_run.h"

namespace tidelock::reproduce {

namespace {

constexpr double wild_speed = 1e3;  ///< [m/s]: the block rises with less than 2

/// A path, linear between its points.
double at(const std::vector<double>& times, const std::vector<double>& values, double t) {
    const auto next = std::lower_bound(times.begin(), times.end(), t);
    if (next == times.end()) return values.back();
    const auto i = static_cast<std::size_t>(next - times.begin());
    if (i == 0) return values.front();
    const double s = (t - times[i - 1]) / (times[i] - times[i - 1]);
    return (1 - s) * values[i - 1] + s * values[i];
}

void run(const scene::Scene& scene, BudgetRun& out) {
    int steps = 0, converged = 0;
    const auto adjust = [&](MethodSetup<3>& setup) {
        setup.settings.set("solver.name", out.solver);
        setup.solver.time_limit = out.budget;
        setup.observer.momentum = true;
    };
    const auto& block = scene.solids.front();
    out.time = {0};
    out.x = {block.position[0]};
    out.y = {block.position[1]};
    out.angle = {0};
    const auto watch = [&](const Session<3>& session, const StepDone<3>& done) {
        const StepReport<3>& report = done.report;
        const SolveReport& solve = report.solves.front().report;
        ++steps;
        converged += solve.converged() ? 1 : 0;
        out.mean_iterations += solve.iterations;
        out.largest_residual = std::max(out.largest_residual, solve.residual);
        if (report.momentum) out.momentum_error = std::max(out.momentum_error, report.momentum->share());
        out.largest_divergence = std::max(out.largest_divergence, report.flow.max_divergence);
        const auto& body = session.world().solids.bodies.front();
        out.time.push_back(session.time());
        out.x.push_back(body.position[0]);
        out.y.push_back(body.position[1]);
        const Vec3 edge = body.rotation.matrix().col(0);
        out.angle.push_back(std::atan2(edge[1], edge[0]));
        out.blew_up = report.flow.max_speed > wild_speed;
        return !out.blew_up;
    };
    try {
        run_study<3>(scene, adjust, watch);
    } catch (const SimulationError&) {
        out.blew_up = true;
    }
    if (out.angle.size() > 1) out.angle[0] = out.angle[1];
    out.mean_iterations /= std::max(steps, 1);
    out.converged_share = static_cast<double>(converged) / std::max(steps, 1);
}

}  // namespace

double BudgetStudy::path_error(const BudgetRun& run) const {
    const BudgetRun& exact = runs.front();
    double most = 0;
    for (std::size_t i = 0; i < run.time.size(); ++i)
        most = std::max(most, std::hypot(run.x[i] - at(exact.time, exact.x, run.time[i]),
                                         run.y[i] - at(exact.time, exact.y, run.time[i])));
    return most / box;
}

BudgetStudy study_budgets(int width, double fraction, const std::vector<double>& factors, const Say& say) {
    scene::Scene scene = library_scene("box-lift", {fmt::format("domain.cells=[{},{},{}]", width, 2 * width, width),
                                                    "coupling.interface=constraint", "time.duration=0.6"});
    BudgetStudy out;
    out.box = scene.solids.front().shape.size[0];
    const SolverStudy timing = study_solvers(scene, {.solvers = {"p0"}, .samples = 2}, say);
    out.converged_seconds = timing.of("p0").solve_seconds;
    out.budget = fraction * out.converged_seconds;
    out.runs.push_back({.solver = "auto"});
    for (const char* solver : {"auto", "p0", "icpcg"})
        for (const double factor : factors)
            out.runs.push_back({.solver = solver, .factor = factor, .budget = factor * out.budget});
    for (BudgetRun& r : out.runs) {
        run(scene, r);
        say(fmt::format("  {} {}: {} iterations a solve, block at {:.4f} m{}", r.solver,
                        r.factor > 0 ? fmt::format("{:g} x {:.3g} s", r.factor, out.budget) : "without limit",
                        short_number(r.mean_iterations), r.y.back(), r.blew_up ? ", blew up" : ""));
    }
    return out;
}

}  // namespace tidelock::reproduce
