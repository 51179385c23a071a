/// A scene as text, every default filled in: what OUT/scene.json holds.
#pragma once

#include <string>

#include "scene/scene.h"

namespace tidelock::scene {

/// Reading the text gives the same Scene, to the last bit. Meshes are named by their resolved path.
[[nodiscard]] std::string to_json(const Scene& scene);

}  // namespace tidelock::scene
