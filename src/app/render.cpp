/// `tidelock render`: pictures from the frames that a run has written, also while it is going on.
#include <fmt/format.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/load_scene.h"
#include "app/machine.h"
#include "base/dimension.h"
#include "base/file.h"
#include "io/frame_files.h"
#include "io/run_folder.h"
#include "render/film.h"
#include "run/frame_picture.h"
#include "run/time_steps.h"
#include "scene/build_world.h"

namespace tidelock::app {

namespace {

template <int D>
void render_frames(const RenderOptions& options, LoadedScene& loaded, const std::vector<int>& frames,
                   const RunPaths& pictures) {
    const RunPaths run{options.run};
    const Grid<D> grid = scene::build_grid<D>(loaded.scene);
    const Sides<D> sides = scene::build_sides<D>(loaded.scene);
    const auto bodies = scene::build_bodies<D>(loaded.scene, loaded.meshes);
    const BodyTracks<D> tracks = tracks_from_log<D>(bodies, read_step_log(run.steps()), frames.back());
    const Painter<D> painter(loaded.scene, bodies, grid, PictureLook::full);
    const bool live = terminal_columns(STDOUT_FILENO) > 0;
    for (const int frame : frames) {
        if (static_cast<std::size_t>(frame) >= tracks.places.size())
            throw FileError(run.steps(), fmt::format("does not reach frame {}, although its fields are there", frame));
        const bool liquid = loaded.scene.fluid.kind == scene::FluidKind::liquid;
        const auto fields =
            liquid ? read_liquid_frame<D>(run.frame_vdb(frame), grid)
                   : read_vdb_frame<D>(run.frame_vdb(frame), grid, sides, loaded.scene.fluid.ambient_temperature);
        const std::filesystem::path file = pictures.folder / pictures.preview_png(frame).filename();
        painter.paint({fields.time, liquid ? nullptr : &fields.density, liquid ? nullptr : &fields.temperature,
                       liquid ? &fields.phi : nullptr, fields.velocity, tracks.places[static_cast<std::size_t>(frame)]},
                      file);
        if (options.quiet) continue;
        fmt::print("{}{}{}", live ? "\r" : "", file.string(), live ? "\033[K" : "\n");
        std::fflush(stdout);
    }
    if (live && !options.quiet) fmt::print("\r\033[K");
}

}  // namespace

int render_command(const RenderOptions& options) {
    if (!is_run(options.run)) throw UsageError(fmt::format("{}: is not the folder of a run", options.run.string()));
    LoadedScene loaded = load_scene({options.run.string(), options.sets, {}});
    const RunPaths run{options.run};
    std::vector<int> frames = run.vdb_frames();
    if (frames.empty())
        throw UsageError(
            fmt::format("{}: has no frames (output.vdb, or a run that has just begun)", options.run.string()));
    if (options.frame) {
        if (std::find(frames.begin(), frames.end(), *options.frame) == frames.end())
            throw UsageError(fmt::format("{}: has no frame {}; there are {} to {}", options.run.string(),
                                         *options.frame, frames.front(), frames.back()));
        frames = {*options.frame};
    }
    const RunPaths pictures{options.out.empty() ? run.preview() : options.out};
    std::error_code error;
    std::filesystem::create_directories(pictures.folder, error);
    if (error) throw FileError(pictures.folder, "cannot be made a folder", error.value());
    visit_dimension(loaded.scene.dimension,
                    [&]<int D>(Dimension<D>) { render_frames<D>(options, loaded, frames, pictures); });
    if (options.frame) return ExitCode::done;
    const auto film = pictures.folder / run.film().filename();
    const FilmReport report = make_film(pictures.folder, film, {.fps = film_rate(loaded.scene.time), .hold = true});
    if (!options.quiet) {
        fmt::print("{} pictures in {}\n", frames.size(), pictures.folder.string());
        fmt::print("{}\n", report.made ? "film: " + film.string() : "no film was made: " + report.reason);
    }
    return ExitCode::done;
}

}  // namespace tidelock::app
