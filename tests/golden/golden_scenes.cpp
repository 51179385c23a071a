/// golden_scenes [--expect FILE] [--steps N] [SCENE...]: runs scenes of the library, coarse, for a few steps and prints
/// a hash of the state of each; with --expect it fails unless FILE says the same of all of them. Without SCENE: all.
///
/// hashes.txt holds what is expected: `golden_scenes > tests/golden/hashes.txt` writes it anew, which a change of bits
/// must explain.
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <map>

#include "base/dimension.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/isa.h"
#include "run/open_session.h"
#include "scene/fit_cells.h"
#include "scene/library.h"
#include "scene/reader.h"
#include "state/world_hash.h"

namespace tidelock {
namespace {

constexpr int coarse = 28;  ///< cells along the longest axis, or nearly

template <int D>
std::uint64_t run(const scene::Scene& scene, int steps) {
    scene::MeshStore meshes;
    auto session = open_session<D>(scene, meshes);
    for (int n = 0; n < steps; ++n) session.step(1 / (2 * scene.time.fps));
    return hash_of(session.world());
}

scene::Scene read(const scene::LibraryScene& from, const std::vector<std::string>& sets) {
    scene::ReadOptions options;
    options.name = from.name;
    options.sets = sets;
    options.mesh_folders = {TIDELOCK_MESH_FOLDER};
    scene::Reading reading = scene::read_scene(from.text, options);
    if (!reading.ok())
        throw InputError("golden_scenes", "{}", scene::format(reading.problems.front(), options.name, sets));
    return std::move(reading.scene);
}

std::string hash_of_scene(const std::string& name, int steps) {
    const scene::LibraryScene* found = scene::find_scene(name);
    if (found == nullptr) throw InputError("golden_scenes", "the library has no scene '{}'", name);
    const scene::Scene whole = read(*found, {});
    const auto cells = scene::nearest_cells(whole.domain.size, whole.dimension, coarse).value();
    const std::span<const int> some(cells.data(), static_cast<std::size_t>(whole.dimension));
    const scene::Scene scene = read(*found, {fmt::format("domain.cells=[{}]", fmt::join(some, ","))});
    return hash_text(visit_dimension(scene.dimension, [&]<int D>(Dimension<D>) { return run<D>(scene, steps); }));
}

std::map<std::string, std::string> read_expected(const char* file) {
    std::map<std::string, std::string> out;
    std::ifstream in(file);
    for (std::string name, hash; in >> name >> hash;) out[name] = hash;
    return out;
}

int check_scenes(std::vector<std::string> names, const char* expected_file, int steps) {
    if (names.empty())
        for (const auto& scene : scene::scenes()) names.emplace_back(scene.name);
    const auto expected =
        expected_file != nullptr ? read_expected(expected_file) : std::map<std::string, std::string>();
    int wrong = 0;
    for (const std::string& name : names) {
        const std::string hash = hash_of_scene(name, steps);
        const auto found = expected.find(name);
        const bool same = expected_file == nullptr || (found != expected.end() && found->second == hash);
        fmt::print("{} {}{}\n", name, hash, same ? "" : found == expected.end() ? "  not in the file" : "  CHANGED");
        std::fflush(stdout);
        wrong += same ? 0 : 1;
    }
    return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tidelock

int main(int argc, char** argv) {
    std::vector<std::string> names;
    const char* expected = nullptr;
    int steps = 5;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--expect") == 0 && i + 1 < argc)
            expected = argv[++i];
        else if (std::strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
            steps = std::stoi(argv[++i]);
        else
            names.emplace_back(argv[i]);
    }
    try {
        tidelock::use_isa();
    } catch (const tidelock::InputError& error) {
        fmt::print("skipped: {}\n", error.what());
        return 77;
    }
    try {
        return tidelock::check_scenes(std::move(names), expected, steps);
    } catch (const std::exception& error) {
        fmt::print(stderr, "golden_scenes: {}\n", error.what());
        return 1;
    }
}
