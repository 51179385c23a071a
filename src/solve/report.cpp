#include "solve/report.h"

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

}  // namespace tidelock
