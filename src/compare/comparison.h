/// Runs of one scene by several methods, side by side: what each cost, what it kept, and where its bodies went.
///
/// It looks at what runs have left (steps.jsonl), so that runs that were stopped, resumed or made elsewhere can be
/// compared, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/step_log.h"

namespace tidelock::compare {

/// A run to be compared.
struct MethodRun {
    std::string label;
    std::string failure = {};  ///< why it ended before its time; empty: it did not
    std::vector<StepRecord> steps = {};
};

/// A run in a few numbers. Means are over steps.
struct MethodFigures {
    std::size_t steps = 0;
    double time = 0;                       ///< simulated [s]
    double solves = 0;                     ///< of the method's own system, a step
    double iterations = 0;                 ///< of these, a step
    int most_iterations = 0;               ///< in a step
    double seconds = 0;                    ///< a step
    double solve_seconds = 0;              ///< of these, in the stage "solve"
    std::size_t unconverged = 0;           ///< steps with a solve of any kind that stopped short
    double divergence = 0;                 ///< largest [1/s]
    std::optional<double> momentum_error;  ///< largest, where it was measured [-]
    double max_speed = 0;                  ///< largest of the fluid [m/s]
};

/// How the path of a body in one run keeps to that in the first run.
struct PathFigures {
    double way = 0;       ///< of the first run's, as long as both last [m]
    double apart = 0;     ///< largest distance between the two at the same time [m]
    double turned = 0;    ///< largest angle between the two [rad]
    double compared = 0;  ///< until when [s]

    /// The distance over the way; none for what stood still.
    [[nodiscard]] std::optional<double> share() const { return way > 0 ? std::optional(apart / way) : std::nullopt; }
};

struct Comparison {
    std::vector<MethodRun> runs;             ///< the first is the one that others are compared with
    std::vector<std::vector<double>> start;  ///< where the bodies are at the beginning [m]

    [[nodiscard]] MethodFigures figures(std::size_t run) const;
    /// Of a body by its place in the scene, at the ends of the first run's frames, where steps of all runs end.
    [[nodiscard]] PathFigures path(std::size_t run, std::size_t body) const;
    [[nodiscard]] std::vector<std::string> bodies() const;  ///< their names
};

}  // namespace tidelock::compare
