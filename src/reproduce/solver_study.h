/// Several solvers on the same systems, taken from a run.
///
/// The run itself goes with our own solver. At evenly spaced times its system is given to every solver of the study,
/// from zero and to the same residual; counts and seconds are averages over these samples. Set-up (operator,
/// preconditioner) and solve are timed apart, after one iteration that is not, which touches the memory.
#pragma once

#include <string>
#include <vector>

#include "render/report_folder.h"
#include "scene/scene.h"

namespace tidelock::reproduce {

struct SolverStudyOptions {
    std::vector<std::string> solvers;  ///< as in coupling.solver.name
    int samples = 1;                   ///< systems, spread over the scene's duration
    double tolerance = 1e-6;
    int max_iterations = 20000;
};

/// What one solver did, averaged over the samples.
struct SolverResult {
    std::string name;
    double iterations = 0;
    double setup_seconds = 0, solve_seconds = 0;
    double bytes_per_cell = 0;         ///< of the fluid's bricks
    bool converged = true;             ///< in all samples
    std::string bodies;                ///< how the preconditioner treats them
    std::vector<double> history;       ///< residual after each iteration, of the middle sample
    std::vector<double> history_time;  ///< [s] since the solve began, set-up not included

    [[nodiscard]] double seconds() const { return setup_seconds + solve_seconds; }
};

struct SolverStudy {
    std::vector<SolverResult> solvers;
    std::vector<double> times;    ///< [s] of the samples
    std::ptrdiff_t unknowns = 0;  ///< of the first one
    std::ptrdiff_t cells = 0;     ///< of the fluid's bricks
    int bodies = 0;

    [[nodiscard]] const SolverResult& of(std::string_view name) const;
};

/// The scene must use the constraint interface if one of the solvers needs it.
[[nodiscard]] SolverStudy study_solvers(const scene::Scene& scene, const SolverStudyOptions& options, const Say& say);

}  // namespace tidelock::reproduce
