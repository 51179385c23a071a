/// From a scene to the state at its beginning, and to what stages need to know of its fluid.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/shapes.h"
#include "stage/flow.h"

namespace tidelock::scene {

template <int D>
struct Simulation {
    World<D> world;
    FlowParameters<D> fluid;
    std::vector<std::string> notes;  ///< what the user should know: fluid that a solid carved away
};

/// Thickness of the solid skin of a shell, in cells: it must only separate its two sides, so it is far below a cell.
inline constexpr double shell_thickness_cells = 0.02;

/// The gas is at rest but for `fluid.initial`: it learns of the bodies' velocities in the first solve. Smoke and heat
/// inside solids are taken away. `as_given` has no errors and the dimension D; throws InputError for shapes that cannot be
/// built.
template <int D>
[[nodiscard]] Simulation<D> build_world(const Scene& as_given, MeshStore& meshes);

/// Only the solids, where they are at time 0: for who draws them.
template <int D>
[[nodiscard]] std::vector<RigidBody<D>> build_bodies(const Scene& as_given, MeshStore& meshes);

/// Only the grid and its sides.
template <int D>
[[nodiscard]] Grid<D> build_grid(const Scene& scene);
template <int D>
[[nodiscard]] Sides<D> build_sides(const Scene& scene);

}  // namespace tidelock::scene
