/// How large the grid of a scene becomes: with smoke, every brick is in use; a liquid takes its own, and as much again.
#pragma once

#include "scene/scene.h"

namespace tidelock::scene {

/// In double: a scene may ask for more than an integer holds.
struct GridSize {
    double cells = 0;
    double bricks = 0;
    double bytes = 0;
};

[[nodiscard]] GridSize grid_size(const Scene& scene, double bytes_per_cell);

}  // namespace tidelock::scene
