/// How much memory a run will take, by what will be in use: gas fills every brick of its domain, a liquid has bricks
/// around itself, around what pours it and around the rigid bodies.
#pragma once

#include <string>

#include "scene/scene.h"
#include "scene/shapes.h"

namespace tidelock::scene {

/// In double: a scene may ask for more than an integer holds. Cells are those of bricks in use.
struct MemoryEstimate {
    double cells = 0, bricks = 0;                  ///< of the domain
    double active_at_start = 0, active_later = 0;  ///< cells of bricks in use
    double liquid_at_start = 0, liquid_later = 0;  ///< cells of liquid; later: with all that has been poured by then
    double at_start = 0;                           ///< [bytes]
    double later = 0;                              ///< [bytes]; if a liquid spreads, and all that is poured stays

    /// What is there at the start whatever happens: the state alone, without what a step needs [bytes].
    [[nodiscard]] double certain() const { return 0.25 * at_start; }
};

/// For a scene without errors.
[[nodiscard]] MemoryEstimate estimate_memory(const Scene& scene, MeshStore& meshes);

/// "about 55 MiB at the start (...)": the figures, and what they rest on.
[[nodiscard]] std::string format(const MemoryEstimate& estimate, const Scene& scene);

/// "812 MiB", "3.4 GiB".
[[nodiscard]] std::string size_text(double bytes);

}  // namespace tidelock::scene
