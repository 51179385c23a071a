// fuzz_scene COUNT SEED: reads and examines COUNT damaged scenes. Nothing may crash, hang, or take more than the memory
// limit (an address-space limit in plain builds); sanitizers see the rest. The same seed gives the same scenes.
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "scene/examine.h"
#include "scene/library.h"
#include "scene/reader.h"
#include "scene/summary.h"
#include "scene/writer.h"

using namespace tidelock;

namespace {

/// A stream of numbers for one scene.
class Dice {
  public:
    Dice(std::uint64_t seed, std::uint64_t scene) : random_(seed), scene_(scene) {}
    std::size_t below(std::size_t n) { return n == 0 ? 0 : random_.bits(scene_, lane_++) % n; }
    template <class List>
    auto& pick(List& list) {
        return list[below(list.size())];
    }

  private:
    Random random_;
    std::uint64_t scene_;
    std::uint32_t lane_ = 0;
};

struct Piece {
    std::size_t at, length;
};

/// Words, numbers, strings and single marks of the text.
std::vector<Piece> tokens(const std::string& text) {
    std::vector<Piece> pieces;
    const std::string word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (text[i] == '"') {
            end = std::min(text.find('"', i + 1), text.size() - 1) + 1;
        } else if (word.find(text[i]) != std::string::npos) {
            end = std::min(text.find_first_not_of(word, i), text.size());
        } else if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
            ++i;
            continue;
        }
        pieces.push_back({i, end - i});
        i = end;
    }
    return pieces;
}

const std::vector<std::string> extremes{
    "0",        "-0",           "-1",      "1e308",       "-1e308",     "1e-308",
    "5e-324",   "1e999",        "-1e999",  "1e-999",      "2147483648", "18446744073709551616",
    "1e6",      "1e-6",         "16384",   "1e5",         "0.5",        "NaN",
    "null",     "true",         "[]",      "{}",          "\"\"",       R"("\u0000")",
    "[[0]]",    "99999",        "[0,0,0]", "1e-7",        "3",          "2",
    "\"mesh\"", "\"../x.ply\"", "1e-5",    R"("\ud83c")", "\"plane\"",  "\"kinematic\""};

char kind(const std::string& text, const Piece& piece) {
    const char c = text[piece.at];
    return c == '"' ? 's' : c == '-' || (c >= '0' && c <= '9') ? 'n' : '-';
}

/// Puts a string or number in the place of another one.
void swap_alike(std::string& text, const std::vector<Piece>& pieces, Dice& dice) {
    const Piece p = dice.pick(pieces), q = dice.pick(pieces);
    if (kind(text, p) != '-' && kind(text, p) == kind(text, q))
        text.replace(p.at, p.length, text.substr(q.at, q.length));
}

/// Repeats an object behind itself, which suits a list: solids in each other, equal names.
void double_object(std::string& text, Dice& dice) {
    const std::size_t start = text.find('{', dice.below(text.size()));
    if (start == std::string::npos) return;
    int depth = 0;
    for (std::size_t i = start; i < text.size(); ++i) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth != 0) continue;
        const std::string copy = text.substr(start, i + 1 - start);
        text.insert(i + 1, ", " + copy);
        return;
    }
}

void mutate(std::string& text, Dice& dice, const std::vector<std::string_view>& others) {
    const std::vector<Piece> pieces = tokens(text);
    if (pieces.empty()) return;
    const Piece p = dice.pick(pieces), q = dice.pick(pieces);
    switch (dice.below(26)) {
        case 0:
            text[dice.below(text.size())] ^= static_cast<char>(1 << dice.below(8));
            break;
        case 1:
            text[dice.below(text.size())] = static_cast<char>(dice.below(256));
            break;
        case 2:
            text.replace(p.at, p.length, text.substr(q.at, q.length));
            break;
        case 3:
            text.erase(p.at, p.length);
            break;
        case 4:
            text.insert(p.at, text.substr(p.at, p.length));
            break;
        case 5:
            text.resize(dice.below(text.size() + 1));
            break;
        case 6:
            text.erase(dice.below(text.size()), dice.below(40));
            break;
        case 7:
            text.insert(dice.below(text.size()), std::string(1 + dice.below(100), "[{\"/,"[dice.below(5)]));
            break;
        case 8: {  // a stretch twice: solids, sources and keys come again
            const std::size_t at = dice.below(text.size());
            text.insert(at, text.substr(at, dice.below(400)));
            break;
        }
        case 9: {  // a stretch of another scene
            const std::string_view other = dice.pick(others);
            text.insert(dice.below(text.size()), other.substr(dice.below(other.size()), dice.below(200)));
            break;
        }
        // What follows leaves the text JSON, so that the deeper checks are reached.
        case 10:
        case 11:
            swap_alike(text, pieces, dice);
            break;
        case 12:
        case 13:
            double_object(text, dice);
            break;
        default: {
            Piece n = dice.pick(pieces);
            for (int tries = 0; tries < 20 && kind(text, n) != 'n'; ++tries) n = dice.pick(pieces);
            if (kind(text, n) == 'n') text.replace(n.at, n.length, dice.pick(extremes));
        }
    }
}

struct Outcomes {
    std::size_t sound = 0, warned = 0, wrong = 0, broken = 0;
    double slowest = 0;  ///< [s]
};

/// Keys that the scenes of the library do not use.
constexpr std::string_view rare =
    R"({ "tidelock": 1, "name": "rare", "gravity": [0, 0, -1.62], "domain": { "size": [2, 1, 1.5], "cell_size": 0.03125 },
  "time": { "duration": 1, "step": 0.01 },
  "fluid": { "transport": "semi-lagrangian", "cooling": 0.1, "dissipation": 0.2, "buoyancy": { "smoke": 0.1, "temperature": 0.003 },
    "sources": [{ "shape": { "type": "capsule", "radius": 0.1, "height": 0.2 }, "position": [0.3, 0.5, 0.5], "rotation": { "quaternion": [0.6, 0.8, 0, 0] }, "start": 0.1, "end": 0.5 }] },
  "solids": [
    { "type": "static", "shape": { "type": "plane", "normal": [0, 1, 0.1] }, "position": [0, 0.02, 0] },
    { "type": "kinematic", "shape": { "type": "torus", "radius": 0.2, "tube": 0.05 }, "position": [1, 0.5, 0.5], "motion": { "type": "spin", "axis": [1, 0, 0], "degrees_per_second": 90 } },
    { "type": "kinematic", "shape": { "type": "cylinder", "radius": 0.1, "height": 0.3 }, "position": [1.7, 0.5, 0.5], "motion": { "interpolation": "smooth",
      "keyframes": [{ "time": 0 }, { "time": 0.5, "position": [1.7, 0.6, 0.5], "rotation": { "axis": [0, 0, 1], "degrees": 30 } }] } },
    { "shape": { "type": "capsule", "radius": 0.05, "height": 0.2 }, "position": [0.3, 0.6, 1], "density": 2, "angular_velocity": [0, 1, 0], "shell": true, "colour": [0.1, 0.2, 0.3] },
    { "shape": { "type": "mesh", "file": "none.ply", "scale": 2 }, "position": [1, 0.5, 1.2], "density": 2, "friction": 0.5, "restitution": 0.3 }],
  "coupling": { "method": "schur", "solver": { "tolerance": 1e-5, "max_iterations": 50, "time_budget": 2 } },
  "output": { "vdb": false, "preview": true, "checkpoint_every": 3 },
  "render": { "camera": { "position": [3, 1, 3], "target": [1, 0.5, 0.7], "fov": 40 }, "background": "#102030", "width": 640, "height": 480 } })";

void run_one(std::uint64_t seed, std::uint64_t number, const std::vector<std::string_view>& texts,
             scene::MeshStore& meshes, Outcomes& outcomes) {
    Dice dice(seed, number);
    std::string text(dice.pick(texts));
    for (std::size_t i = 1 + dice.below(number % 4 == 0 ? 12 : 2); i > 0; --i) mutate(text, dice, texts);
    scene::ReadOptions options;
    options.mesh_folders = {"/nonexistent"};
    if (dice.below(8) == 0) options.sets = {text.substr(0, dice.below(60)), "solids[0].density=" + dice.pick(extremes)};
    scene::Limits limits;
    limits.memory_bytes = 64e9;
    const scene::Reading reading = scene::read_scene(text, options);
    const std::vector<scene::Problem> problems = scene::all_problems(reading, limits, meshes);
    std::size_t length = 0;
    for (const scene::Problem& p : problems) length += format(p, "fuzz", options.sets).size();
    if (length > 1'000'000) throw Error("the messages are longer than anybody reads");
    if (scene::has_errors(problems)) {
        ++(reading.parsed ? outcomes.wrong : outcomes.broken);
        return;
    }
    ++(problems.empty() ? outcomes.sound : outcomes.warned);
    // A scene that was found good is summed up, written, and read back unchanged.
    if (format(scene::summarize(reading.scene, meshes)).empty()) throw Error("an empty summary");
    if (!(scene::read_scene(scene::to_json(reading.scene)).scene == reading.scene))
        throw Error("written and read back, the scene is another one:\n" + text);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "fuzz_scene COUNT SEED\n");
        return 2;
    }
    const std::uint64_t count = std::strtoull(argv[1], nullptr, 10), seed = std::strtoull(argv[2], nullptr, 10);
#if !defined(TIDELOCK_SANITIZED)
    const rlimit memory{2ull << 30, 2ull << 30};  // sanitizers reserve more address space than any limit
    setrlimit(RLIMIT_AS, &memory);
#endif
    std::vector<std::string_view> texts;
    for (const scene::LibraryScene& s : scene::scenes()) texts.push_back(s.text);
    texts.push_back(rare);
    scene::MeshStore meshes;
    Outcomes outcomes;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto start = std::chrono::steady_clock::now();
        try {
            run_one(seed, i, texts, meshes, outcomes);
        } catch (const std::exception& error) {
            fmt::print(stderr, "fuzz_scene: scene {} of seed {}: {}\n", i, seed, error.what());
            return 1;
        }
        outcomes.slowest =
            std::max(outcomes.slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    fmt::print("{} scenes: {} not JSON, {} with errors, {} with warnings, {} sound; slowest {:.3f} s\n", count,
               outcomes.broken, outcomes.wrong, outcomes.warned, outcomes.sound, outcomes.slowest);
    // Mutations that never reach the later checks would test nothing.
    return outcomes.broken > 0 && outcomes.wrong > 0 && outcomes.sound + outcomes.warned > 0 ? 0 : 1;
}
