/// Scenes at random, as the text of a scene file: what users would write, and much that they would rather not.
///
/// What is in them: containers (cups of boxes, troughs, basins, funnels, shells, meshes off a lathe; upright and turned;
/// static, kinematic at rest or moving, rigid and held together by joints), pools, drops and jets, drains, rigid bodies
/// of 0.03 to 10 times the fluid's density of all shapes, plates and meshes that move as told, joints with and without
/// motors and limits, every transport, surface, correction and kind of bubbles, gas with heat, fans and vents, open
/// sides, both methods and interfaces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "scene/reader.h"
#include "scene/shapes.h"

namespace tidelock {

struct RandomScenes {
    std::uint64_t seed = 1;
    bool small = false;              ///< fewer cells
    std::filesystem::path meshes{};  ///< where write_meshes() has left them
};

/// The meshes that random scenes refer to: vessels with walls of several thicknesses, and a ball of triangles.
void write_meshes(const std::filesystem::path& folder);

struct RandomScene {
    std::string text;
    scene::Scene scene;
    int attempts = 0;  ///< until there was one that `tidelock check` lets pass
};
/// Scene `number`. Throws Error if none of many attempts has no errors.
[[nodiscard]] RandomScene random_scene(const RandomScenes& options, std::uint64_t number, scene::MeshStore& meshes);

}  // namespace tidelock
