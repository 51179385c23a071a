/// Reads a scene: JSON with comments (docs/scene.md), checked against the keys, defaults filled in.
///
/// Everything that is wrong is reported at once, in the order of the file. Reading goes on behind an error with the
/// default in the place of the wrong value, so that the rest of the file is read and examine() can judge it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scene/problem.h"
#include "scene/scene.h"

namespace tidelock::scene {

struct ReadOptions {
    std::string name = "scene";                       ///< of the file, in messages; also the default of `name`
    std::filesystem::path folder = ".";               ///< of the scene file: mesh files are looked up from here first
    std::vector<std::filesystem::path> mesh_folders;  ///< then here, with and without the extension .ply
    std::vector<std::string> sets;                    ///< overrides, PATH=VALUE (overrides.h)
    bool any_method =
        false;  ///< keys of "coupling" that only other methods have are passed over: one scene for several
};

struct Reading {
    Scene scene;                    ///< usable for a run only if !has_errors(problems)
    Places places;                  ///< where its values stand
    std::vector<Problem> problems;  ///< sorted by place
    bool parsed = false;            ///< false: the text is no JSON object, so `scene` holds nothing of it

    [[nodiscard]] bool ok() const { return !has_errors(problems); }
};

[[nodiscard]] Reading read_scene(std::string_view text, const ReadOptions& options = {});
/// The same from a file; `name` and `folder` of the options are set from it. Throws InputError if it cannot be read or
/// is larger than 16 MiB.
[[nodiscard]] Reading read_scene_file(const std::filesystem::path& file, ReadOptions options = {});

}  // namespace tidelock::scene
