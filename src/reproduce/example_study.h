/// An example of a paper run as it is, for some steps: what its solves cost.
#pragma once

#include "render/report_folder.h"
#include "scene/scene.h"

namespace tidelock::reproduce {

struct ExampleStudy {
    int steps = 0;
    double time = 0;                ///< that they covered [s]
    std::ptrdiff_t unknowns = 0;    ///< at most
    int bodies = 0;                 ///< dynamic ones
    int levels = 0;                 ///< of the multigrid, at most
    double projection_seconds = 0;  ///< set-up, iterations and the new velocities, on average
    double step_seconds = 0;        ///< of a whole step, on average
    double iterations = 0;          ///< on average
    int most_iterations = 0;
    int failed = 0;         ///< solves that did not converge
    int touching = 0;       ///< steps in which bodies touched each other or a wall
    double peak_bytes = 0;  ///< of the process, set-up of the scene included
};

/// Advances the scene by at most `steps` steps.
[[nodiscard]] ExampleStudy study_example(const scene::Scene& scene, int steps, const Say& say);

}  // namespace tidelock::reproduce
