/// What is left of a simulation when every solve is cut off after a fixed time: [A18] figure 9.
#pragma once

#include "render/report_folder.h"
#include "scene/scene.h"

namespace tidelock::reproduce {

/// A run with one solver and one budget.
struct BudgetRun {
    std::string solver;
    double factor = 0;                                          ///< of the smallest budget; 0: no limit
    double budget = 0;                                          ///< [s] per solve; 0: no limit
    std::vector<double> time = {}, x = {}, y = {}, angle = {};  ///< of the block's centre; angle about z [rad]
    double mean_iterations = 0;
    double converged_share = 0;     ///< of the solves
    double largest_residual = 0;    ///< that a solve left
    double largest_divergence = 0;  ///< [1/s]
    double momentum_error = 0;      ///< largest in a step, over the momentum of all fluid at its largest speed
    bool blew_up = false;           ///< numbers stopped being finite, or the fluid left every bound
};

struct BudgetStudy {
    double converged_seconds = 0;  ///< a solve of p0 to the full tolerance
    double budget = 0;             ///< the smallest [s]
    double box = 0;                ///< edge of the block [m]
    std::vector<BudgetRun> runs;   ///< the first is the converged one

    /// Largest distance between the block's centre in a run and in the converged one, over the block's edge.
    [[nodiscard]] double path_error(const BudgetRun& run) const;
};

/// The box lift problem with `width` cells across; `fraction` of p0's converged time is the smallest budget.
[[nodiscard]] BudgetStudy study_budgets(int width, double fraction, const std::vector<double>& factors, const Say& say);

}  // namespace tidelock::reproduce
