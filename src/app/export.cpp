/// `tidelock export`: a run for Blender and for programs that read USD.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <numbers>
#include <system_error>

#include "app/commands.h"
#include "app/load_scene.h"
#include "base/dimension.h"
#include "base/file.h"
#include "io/blender.h"
#include "io/frame_files.h"
#include "io/usd.h"
#include "render/camera.h"
#include "render/image.h"
#include "run/time_steps.h"
#include "scene/build_world.h"

namespace tidelock::app {

namespace {

namespace fs = std::filesystem;

/// The scene's camera, or one that sees the whole domain.
template <int D>
ExportCamera export_camera(const scene::Scene& scene, const Grid<D>& grid) {
    ExportCamera out;
    out.pixels_wide = scene.render.width;
    out.pixels_high = scene.render.height;
    const double aspect = static_cast<double>(out.pixels_wide) / out.pixels_high;
    if constexpr (D == 2) {
        const Vec2 middle = 0.5 * (grid.origin + grid.upper()), size = grid.upper() - grid.origin;
        out.target = Vec3(middle[0], middle[1], 0);
        out.position = out.target + Vec3(0, 0, 2 * size.maxCoeff());
        out.height = std::max(size[1], size[0] / aspect);
    } else {
        const Vec3 gravity(scene.gravity[0], scene.gravity[1], scene.gravity[2]);
        const Vec3 up = gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3::UnitY();
        Camera camera = automatic_camera({grid.origin, grid.upper()}, aspect, up);
        if (const auto& c = scene.render.camera)
            camera = {{c->position[0], c->position[1], c->position[2]},
                      {c->target[0], c->target[1], c->target[2]},
                      up,
                      c->fov_degrees * std::numbers::pi / 180};
        out.position = camera.position;
        out.target = camera.target;
        out.up = camera.up;
        out.vertical_fov = camera.vertical_fov;
    }
    return out;
}

template <int D>
ExportScene export_scene(const fs::path& folder, LoadedScene& loaded) {
    const scene::Scene& scene = loaded.scene;
    const RunPaths run{fs::absolute(folder).lexically_normal()};
    const Grid<D> grid = scene::build_grid<D>(scene);
    const auto bodies = scene::build_bodies<D>(scene, loaded.meshes);
    const auto log = read_step_log(run.steps());
    ExportScene out;
    out.volumes = run.vdb_frames();
    out.surfaces = run.ply_frames();
    const auto last = [](const std::vector<int>& frames) { return frames.empty() ? 0 : frames.back(); };
    out.last_frame = std::max(last(out.volumes), last(out.surfaces));
    if (out.volumes.empty() && out.surfaces.empty() && !log.empty())
        out.last_frame = static_cast<int>(log.back().frame);
    const BodyTracks<D> tracks = tracks_from_log<D>(bodies, log, out.last_frame);
    out.bodies = gltf_bodies<D>(scene, bodies, grid, tracks);
    out.name = scene.name;
    out.fps = 1 / frame_time(scene.time, 1);
    out.frames = run.frames();
    if (fs::exists(run.solids()) && !out.bodies.bodies.empty()) out.solids = run.solids();
    out.liquid = scene.fluid.kind == scene::FluidKind::liquid;
    out.grids = out.liquid ? std::vector<std::string>{"surface", "pressure", "velocity", "solid"}
                           : std::vector<std::string>{"density", "temperature", "pressure", "velocity", "solid"};
    out.cell = grid.dx;
    out.gravity = Vec3(scene.gravity[0], scene.gravity[1], D == 3 ? scene.gravity[2] : 0);
    for (std::size_t c = 0; c < 3; ++c) out.background[c] = srgb_decode(static_cast<float>(scene.render.background[c]));
    out.camera = export_camera<D>(scene, grid);
    return out;
}

/// Runs a command without an input, its words into a file. The exit code, 127 if there is no such program.
int run_quietly(std::vector<std::string> words, const fs::path& output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return 127;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What is removed again.
struct Scratch {
    fs::path folder;
    Scratch() {
        std::string name = (fs::temp_directory_path() / "tidelock-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw FileError(name, "cannot be made a folder", errno);
        folder = name;
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
};

std::string last_lines(const std::string& text) {
    constexpr std::size_t most = 1500;
    return text.size() > most ? "..." + text.substr(text.size() - most) : text;
}

void write_blend(const ExportScene& scene, const fs::path& file) {
    const Scratch scratch;
    const fs::path script = scratch.folder / "setup.py", said = scratch.folder / "said.txt";
    write_file_atomically(script, blender_script(scene));
    const fs::path target = fs::absolute(file).lexically_normal();
    const int code = run_quietly({"blender", "--background", "--factory-startup", "--python-exit-code", "1", "--python",
                                  script.string(), "--", "--save", target.string()},
                                 said);
    if (code == 127)
        throw UsageError(
            "blender: is not installed, or not found in PATH (Debian: apt-get install blender). Without it, "
            "--blender-script FILE.py writes the script that sets up the scene when it is run in Blender");
    if (code != 0 || !fs::exists(target))
        throw FileError(target,
                        fmt::format("Blender did not write it (exit code {}):\n{}", code, last_lines(read_file(said))));
}

}  // namespace

int export_command(const ExportOptions& options) {
    if (!is_run(options.run)) throw UsageError(fmt::format("{}: is not the folder of a run", options.run.string()));
    if (options.blender.empty() && options.blender_script.empty() && options.usd.empty())
        throw UsageError("export: what to? Give --blender FILE.blend, --blender-script FILE.py or --usd FILE.usda");
    LoadedScene loaded = load_scene({options.run.string(), {}, {}});
    const ExportScene scene = visit_dimension(
        loaded.scene.dimension, [&]<int D>(Dimension<D>) { return export_scene<D>(options.run, loaded); });
    if (scene.volumes.empty() && scene.surfaces.empty() && scene.bodies.bodies.empty())
        throw UsageError(fmt::format("{}: has nothing to export yet: no frames, no bodies", options.run.string()));
    const auto told = [&](const fs::path& file) {
        if (!options.quiet) fmt::print("{}: frames 0 to {}\n", file.string(), scene.last_frame);
    };
    if (!options.usd.empty()) write_usda(options.usd, scene), told(options.usd);
    if (!options.blender_script.empty())
        write_file_atomically(options.blender_script, blender_script(scene)), told(options.blender_script);
    if (!options.blender.empty()) write_blend(scene, options.blender), told(options.blender);
    return ExitCode::done;
}

}  // namespace tidelock::app
