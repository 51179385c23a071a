/// Finds, reads and examines the scene that a command was given.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands.h"
#include "scene/examine.h"

namespace tidelock::app {

struct LoadedScene {
    scene::Scene scene;
    scene::MeshStore meshes;
    scene::Limits limits;
    std::string warnings;       ///< one line each; empty if there are none
    std::filesystem::path run;  ///< the folder, if the argument named a run
};

/// Throws UsageError with all errors of the scene, a line each.
[[nodiscard]] LoadedScene load_scene(const SceneArgument& argument);

/// Whether the folder holds a run of tidelock.
[[nodiscard]] bool is_run(const std::filesystem::path& folder);

}  // namespace tidelock::app
