/// Meshes that are placed by the origin of their file.
#pragma once

#include "scene/scene.h"
#include "scene/shapes.h"

namespace tidelock::scene {

/// The same scene with every mesh placed by its centre of mass: its position is where its centre is then, that of each
/// keyframe too. Meshes with faults stay as they are. Between keyframes that turn, the centre moves straight.
[[nodiscard]] Scene placed_by_centre(Scene scene, MeshStore& meshes);

}  // namespace tidelock::scene
