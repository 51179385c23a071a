#include "app/load_scene.h"

#include <fmt/format.h>

#include <system_error>

#include "app/machine.h"
#include "io/run_folder.h"
#include "scene/library.h"
#include "scene/mesh_folders.h"
#include "scene/reader.h"

namespace tidelock::app {

namespace {

namespace fs = std::filesystem;

std::string unknown_scene(const std::string& name) {
    std::vector<std::string_view> names;
    for (const auto& s : scene::scenes()) names.push_back(s.name);
    std::string text = fmt::format("{}: no such file, and no scene of the library", name);
    if (const std::string near = scene::nearest_word(name, names); !near.empty())
        text += fmt::format(". Did you mean {}?", near);
    return text + fmt::format("\nThe library has {}.", scene::join_words(names));
}

/// The reading, and the name of its text in messages.
std::pair<scene::Reading, std::string> read_argument(const SceneArgument& argument, fs::path& run) {
    scene::ReadOptions options;
    options.mesh_folders = scene::mesh_folders();
    options.sets = argument.sets;
    options.any_method = argument.any_method;
    fs::path file = argument.name;
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) {
        if (!is_run(file)) throw UsageError(fmt::format("{}: is a folder, but not of a run", argument.name));
        run = file;
        file = RunPaths{file}.scene();
    }
    if (fs::exists(file, ignored)) return {scene::read_scene_file(file, options), file.string()};
    const scene::LibraryScene* found = scene::find_scene(argument.name);
    if (found == nullptr) throw UsageError(unknown_scene(argument.name));
    options.name = found->name;
    return {scene::read_scene(found->text, options), fmt::format("{}.json", found->name)};
}

}  // namespace

bool is_run(const fs::path& folder) { return RunPaths{folder}.holds_run(); }

LoadedScene load_scene(const SceneArgument& argument) {
    LoadedScene out;
    auto [reading, file] = read_argument(argument, out.run);
    out.limits.memory_bytes = argument.memory_bytes.value_or(available_memory());
    out.limits.memory_is_bound = argument.memory_bytes.has_value();
    std::string errors;
    int count = 0;
    for (const scene::Problem& problem : scene::all_problems(reading, out.limits, out.meshes)) {
        const bool wrong = problem.severity == scene::Severity::error;
        count += wrong;
        (wrong ? errors : out.warnings) += scene::format(problem, file, argument.sets) + "\n";
    }
    if (count > 0) throw UsageError(out.warnings + errors + fmt::format("{} error{}", count, count == 1 ? "" : "s"));
    out.scene = std::move(reading.scene);
    return out;
}

}  // namespace tidelock::app
