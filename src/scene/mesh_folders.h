/// Where the meshes of the scene library lie.
#pragma once

#include <filesystem>
#include <vector>

namespace tidelock::scene {

/// Beside an installed program, and in the source that it was built from.
[[nodiscard]] std::vector<std::filesystem::path> mesh_folders();

}  // namespace tidelock::scene
