#include "solve/report.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tidelock {

std::string to_string(SolveStatus status) {
    switch (status) {
        case SolveStatus::converged:
            return "converged";
        case SolveStatus::iteration_limit:
            return "iteration_limit";
        case SolveStatus::time_limit:
            return "time_limit";
        case SolveStatus::breakdown:
            return "breakdown";
        case SolveStatus::not_finite:
            return "not_finite";
    }
    return "unknown";
}

bool failed(const SolveReport& report, double tolerance) {
    constexpr double no_answer = 1e-4;
    if (report.converged()) return false;
    if (report.status == SolveStatus::not_finite || !std::isfinite(report.residual)) return true;
    return report.status != SolveStatus::time_limit && report.residual > std::max(no_answer, 100 * tolerance);
}

void validate(const SolveOptions& options) {
    if (!(options.tolerance > 0 && options.tolerance < 1))
        throw InputError("solve.tolerance", "must lie between 0 and 1, got {}. 1e-6 is usual.", options.tolerance);
    if (options.max_iterations < 0)
        throw InputError("solve.max_iterations", "must be at least 0, got {}", options.max_iterations);
    if (!(options.time_limit >= 0) || !std::isfinite(options.time_limit))
        throw InputError("solve.time_limit", "must be finite and at least 0 s (0: no limit), got {}",
                         options.time_limit);
}

}  // namespace tidelock
