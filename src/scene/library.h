/// The scenes that come with tidelock (scenes/*.json), built into the library.
#pragma once

#include <string_view>
#include <vector>

namespace tidelock::scene {

struct LibraryScene {
    std::string_view name;
    std::string_view line;  ///< the first sentence of its comment
    std::string_view text;  ///< the file
};

/// By name.
[[nodiscard]] const std::vector<LibraryScene>& scenes();
/// Null if there is none of that name.
[[nodiscard]] const LibraryScene* find_scene(std::string_view name);

}  // namespace tidelock::scene
