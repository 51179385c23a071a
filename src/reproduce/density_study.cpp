#include "reproduce/density_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "reproduce/study_run.h"

namespace tidelock::reproduce {

double DensityStudy::spread(std::string_view solver) const {
    const auto found = std::find(solvers.begin(), solvers.end(), solver);
    if (found == solvers.end()) throw InputError("reproduce", "the study has no solver '{}'", solver);
    const auto& counts = iterations[static_cast<std::size_t>(found - solvers.begin())];
    return *std::max_element(counts.begin(), counts.end()) / *std::min_element(counts.begin(), counts.end());
}

scene::Scene density_scene(int dimension, int boxes, int width) {
    const std::string cells = dimension == 2 ? fmt::format("domain.cells=[{},{}]", width, 2 * width)
                                             : fmt::format("domain.cells=[{},{},{}]", width, 2 * width, width);
    scene::Scene scene =
        library_scene(dimension == 2 ? "box-lift-2d" : "box-lift", {cells, "coupling.interface=constraint"});
    scene.time.duration = 0.2;  // later the lightest of eight have reached each other and the top
    if (boxes == 1) return scene;
    // Two columns of four, tilted to both sides.
    const scene::Solid block = scene.solids.front();
    scene.solids.clear();
    for (int n = 0; n < boxes; ++n) {
        const int row = n / 2;
        scene::Solid box = block;
        box.name = fmt::format("box {}", n + 1);
        box.shape.size = {0.2, 0.2, dimension == 3 ? 0.2 : 0.0};
        box.position = {n % 2 == 0 ? 0.28 : 0.72, 0.3 + 0.42 * row, dimension == 3 ? 0.5 : 0.0};
        scene.solids.push_back(box);
    }
    return scene;
}

DensityStudy study_densities(const scene::Scene& scene, const std::vector<double>& ratios,
                             const SolverStudyOptions& options, const Say& say) {
    DensityStudy out;
    out.solvers = options.solvers;
    out.iterations.resize(options.solvers.size());
    for (const double ratio : ratios) {
        scene::Scene changed = scene;
        for (scene::Solid& solid : changed.solids) solid.density = ratio * scene.fluid.density;
        const SolverStudy study = study_solvers(changed, options, [](const std::string&) {});
        out.ratios.push_back(ratio);
        std::string line = fmt::format("  density ratio {:g}:", ratio);
        for (std::size_t s = 0; s < study.solvers.size(); ++s) {
            out.iterations[s].push_back(study.solvers[s].iterations);
            line += fmt::format(" {} {}", study.solvers[s].name, short_number(study.solvers[s].iterations));
        }
        say(line);
    }
    return out;
}

}  // namespace tidelock::reproduce
