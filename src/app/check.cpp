#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/load_scene.h"
#include "scene/summary.h"

namespace tidelock::app {

int check_command(const SceneArgument& argument) {
    LoadedScene loaded = load_scene(argument);
    put(stderr, loaded.warnings);
    put(stdout, scene::format(scene::summarize(loaded.scene, loaded.meshes)));
    fmt::print("  {} of memory may be used\nno errors\n", scene::size_text(loaded.limits.memory_bytes));
    return ExitCode::done;
}

}  // namespace tidelock::app
