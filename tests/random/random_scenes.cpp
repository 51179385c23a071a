/// random_scenes [--first N] [--count N] [--small] [--steps N] [--write FILE] [--all]: plays random scenes for a few
/// steps each and looks at everything that must hold of any scene (watch.h). --write: the text of the first one only.
/// --all: a line for each, not only for those at fault.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "base/dimension.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/timer.h"
#include "random/random_scene.h"
#include "random/watch.h"
#include "run/open_session.h"
#include "scene/words.h"

namespace tidelock {
namespace {

struct Wanted {
    std::uint64_t first = 0, count = 100;
    int steps = 12;
    bool small = false, all = false;
    std::string write, scene;
};

struct Outcome {
    std::vector<std::string> faults;
    std::string ended;  ///< by a named cause, before its steps were done
    Worst worst;
    std::int64_t steps = 0;
};

/// Whether it says where, and who presses on whom: nothing else ends a run.
bool names_a_cause(const std::string& text) {
    return text.find("step ") != std::string::npos && text.find("stage ") != std::string::npos &&
           (text.find("crushed between") != std::string::npos || text.find("out of the way of") != std::string::npos);
}

template <int D>
Outcome play_scene(const scene::Scene& scene, int steps, scene::MeshStore& meshes) {
    Outcome out;
    Session<D> session = open_session<D>(scene, meshes);
    Watch<D> watch(scene, session);
    try {
        for (int n = 0; n < steps; ++n) watch.step(session, session.step_to_frame());
    } catch (const SimulationError& error) {
        out.ended = error.what();
        if (!names_a_cause(out.ended)) out.faults.push_back("ended without a cause: " + out.ended);
    }
    out.faults.insert(out.faults.end(), watch.faults().begin(), watch.faults().end());
    out.worst = watch.worst(), out.steps = session.steps();
    for (const auto& [name, value] : out.worst.list())
        if (value > 1) out.faults.push_back(fmt::format("{}: {:.3g} of what is allowed", name, value));
    return out;
}

Outcome play_any(const scene::Scene& scene, int steps, scene::MeshStore& meshes) {
    try {
        return visit_dimension(scene.dimension,
                               [&]<int D>(Dimension<D>) { return play_scene<D>(scene, steps, meshes); });
    } catch (const std::exception& error) {
        Outcome out;
        out.faults.push_back(fmt::format("threw: {}", error.what()));
        return out;
    }
}

/// What kind of scene it is.
std::string words_of(const scene::Scene& scene) {
    std::string text = fmt::format("{}D, {} cells, ", scene.dimension, scene.domain.cells[0]);
    if (scene.fluid.kind == scene::FluidKind::smoke) return text + "gas, " + scene.coupling.method;
    const scene::LiquidOptions& liquid = scene.fluid.liquid;
    return text + fmt::format("{}, {}, {}{}, {}", word_of(liquid.transport), word_of(liquid.surface),
                              word_of(liquid.volume_correction),
                              liquid.bubbles == scene::Bubbles::constraint ? ", bubbles" : "", scene.coupling.method);
}

std::string line_of(const std::string& name, const Outcome& outcome, double seconds) {
    std::string text = fmt::format("{}: {} steps, {:.2f} s", name, outcome.steps, seconds);
    for (const auto& [word, value] : outcome.worst.list()) text += fmt::format(", {} {:.2g}", word, value);
    if (!outcome.ended.empty()) text += "\n    ended: " + outcome.ended;
    for (const std::string& fault : outcome.faults) text += "\n    FAULT " + fault;
    return text;
}

int run(const Wanted& wanted, const std::filesystem::path& folder) {
    scene::MeshStore meshes;
    const RandomScenes options{.small = wanted.small, .meshes = folder};
    int wrong = 0, ended = 0;
    for (std::uint64_t n = wanted.first; n < wanted.first + wanted.count; ++n) {
        const double start = wall_seconds();
        const RandomScene made = random_scene(options, n, meshes);
        if (!wanted.write.empty()) {
            std::ofstream(wanted.write) << made.text;
            return 0;
        }
        const Outcome outcome = play_any(made.scene, wanted.steps, meshes);
        ended += outcome.ended.empty() ? 0 : 1;
        wrong += outcome.faults.empty() ? 0 : 1;
        if (wanted.all || !outcome.faults.empty())
            fmt::print("{}\n",
                       line_of(fmt::format("scene {} ({})", n, words_of(made.scene)), outcome, wall_seconds() - start));
        std::fflush(stdout);
    }
    fmt::print("{} scenes: {} ended by a named cause, {} at fault\n", wanted.count, ended, wrong);
    return wrong == 0 ? 0 : 1;
}

int run_file(const Wanted& wanted) {
    scene::MeshStore meshes;
    const scene::Reading reading = scene::read_scene_file(wanted.scene);
    if (!reading.ok()) throw Error(scene::format(reading.problems.front(), wanted.scene, {}));
    const Outcome outcome = play_any(reading.scene, wanted.steps, meshes);
    fmt::print("{}\n", line_of(wanted.scene, outcome, 0));
    return outcome.faults.empty() ? 0 : 1;
}

Wanted read(int argc, char** argv) {
    Wanted wanted;
    const auto number = [](const char* text) { return std::strtoull(text, nullptr, 10); };
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (word == "--small")
            wanted.small = true;
        else if (word == "--all")
            wanted.all = true;
        else if (word == "--first")
            wanted.first = number(value), ++i;
        else if (word == "--count")
            wanted.count = number(value), ++i;
        else if (word == "--steps")
            wanted.steps = static_cast<int>(number(value)), ++i;
        else if (word == "--write")
            wanted.write = value, ++i;
        else if (word == "--scene")
            wanted.scene = value, ++i;
        else
            throw Error(
                "random_scenes [--first N] [--count N] [--steps N] [--small] [--all] [--write FILE] [--scene FILE]");
    }
    return wanted;
}

}  // namespace
}  // namespace tidelock

int main(int argc, char** argv) {
    using namespace tidelock;
    try {
        const Wanted wanted = read(argc, argv);
        const ThreadLimit one(1);
        if (!wanted.scene.empty()) return run_file(wanted);
        const auto folder = std::filesystem::current_path() / fmt::format("random-meshes-{}", getpid());
        std::filesystem::create_directories(folder);
        write_meshes(folder);
        const int code = run(wanted, folder);
        if (wanted.write.empty()) std::filesystem::remove_all(folder);
        return code;
    } catch (const std::exception& error) {
        fmt::print(stderr, "random_scenes: {}\n", error.what());
        return 1;
    }
}
