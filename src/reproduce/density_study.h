/// Iterations over the density of the bodies: [A18] figure 10.
#pragma once

#include "reproduce/solver_study.h"

namespace tidelock::reproduce {

struct DensityStudy {
    std::vector<double> ratios;
    std::vector<std::string> solvers;
    std::vector<std::vector<double>> iterations;  ///< [solver][ratio], averages

    /// Largest over smallest count of a solver.
    [[nodiscard]] double spread(std::string_view solver) const;
};

/// `boxes` light blocks, 1 or 8, in the tank of the box lift problem with `width` cells across.
[[nodiscard]] scene::Scene density_scene(int dimension, int boxes, int width);

/// Every rigid body gets each density ratio in turn.
[[nodiscard]] DensityStudy study_densities(const scene::Scene& scene, const std::vector<double>& ratios,
                                           const SolverStudyOptions& options, const Say& say);

}  // namespace tidelock::reproduce
