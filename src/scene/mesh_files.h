/// Where the mesh of a scene is found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidelock::scene {

struct MeshSearch {
    std::string file;  ///< absolute; empty if there is none
    std::string text;  ///< then: what was looked for and where, and what the library has
};

/// `name` is a file relative to `folder`, or the name of a mesh in one of the `libraries`, with or without extension.
[[nodiscard]] MeshSearch find_mesh(const std::string& name, const std::filesystem::path& folder,
                                   const std::vector<std::filesystem::path>& libraries);

}  // namespace tidelock::scene
