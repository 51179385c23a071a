/// The files of scenes/ as CMake wrote them into the library; library.h is what others use.
#pragma once

#include <string_view>
#include <vector>

namespace tidelock::scene {

struct EmbeddedScene {
    std::string_view name;  ///< of the file, without extension
    std::string_view text;
};

[[nodiscard]] std::vector<EmbeddedScene> embedded_scenes();

}  // namespace tidelock::scene
