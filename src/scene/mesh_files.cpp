#include "scene/mesh_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scene/json.h"
#include "scene/problem.h"

namespace tidelock::scene {

namespace fs = std::filesystem;

namespace {

std::string if_file(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || error) return {};
    const fs::path absolute = fs::absolute(path, error);
    return error ? path.string() : absolute.lexically_normal().string();
}

/// Names of the meshes in the libraries.
std::set<std::string> mesh_names(const std::vector<fs::path>& libraries) {
    std::set<std::string> names;
    for (const fs::path& library : libraries) {
        std::error_code error;
        for (fs::directory_iterator it(library, error), end; !error && it != end && names.size() < 100;
             it.increment(error))
            if (it->path().extension() == ".ply") names.insert(it->path().stem().string());
    }
    return names;
}

}  // namespace

MeshSearch find_mesh(const std::string& name, const fs::path& folder, const std::vector<fs::path>& libraries) {
    // A path with a zero byte would name another file to the system than to the user.
    const bool sound = !name.empty() && name.size() < 4096 && std::none_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20;
    });
    if (!sound) return {"", fmt::format("\"{}\" is not a file's name", shorten(name))};
    if (std::string file = if_file(folder / name); !file.empty()) return {file, ""};
    std::string places = fmt::format("\"{}\"", folder.string());
    for (const fs::path& library : libraries) {
        for (const std::string& candidate : {name, name + ".ply"})
            if (std::string file = if_file(library / candidate); !file.empty()) return {file, ""};
        places += fmt::format(", \"{}\"", library.string());
    }
    const std::set<std::string> names = mesh_names(libraries);
    const std::vector<std::string_view> words(names.begin(), names.end());
    const std::string near = nearest_word(fs::path(name).stem().string(), words);
    return {"",
            fmt::format("the mesh \"{}\" was not found{}; looked in {}{}", shorten(name, 200), meant_text(near), places,
                        words.empty() ? "" : "; the library has: " + fmt::format("{}", fmt::join(words, ", ")))};
}

}  // namespace tidelock::scene
