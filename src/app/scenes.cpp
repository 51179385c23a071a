#include <fmt/format.h>

#include "app/commands.h"
#include "base/file.h"
#include "scene/library.h"
#include "scene/problem.h"

namespace tidelock::app {

int scenes_command(const ScenesOptions& options) {
    if (options.name.empty()) {
        if (!options.copy.empty()) throw UsageError("--copy needs the NAME of the scene to copy");
        for (const auto& s : scene::scenes()) fmt::print("{:<20} {}\n", s.name, s.line);
        return ExitCode::done;
    }
    const scene::LibraryScene* found = scene::find_scene(options.name);
    if (found == nullptr) {
        std::vector<std::string_view> names;
        for (const auto& s : scene::scenes()) names.push_back(s.name);
        const std::string near = scene::nearest_word(options.name, names);
        throw UsageError(fmt::format("{}: no scene of the library{}\nThe library has {}.", options.name,
                                     near.empty() ? "" : ". Did you mean " + near + "?", scene::join_words(names)));
    }
    if (options.copy.empty()) {
        fmt::print("{}", found->text);
        return ExitCode::done;
    }
    std::error_code ignored;
    if (std::filesystem::exists(options.copy, ignored))
        throw UsageError(fmt::format("{}: is already there and was left as it is", options.copy.string()));
    write_file_atomically(options.copy, found->text);
    fmt::print("{}\n", options.copy.string());
    return ExitCode::done;
}

}  // namespace tidelock::app
