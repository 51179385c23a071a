/// `tidelock compare`: one scene through several methods, each in a folder of its own, and what they left side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "app/build_id.h"
#include "app/commands.h"
#include "app/console.h"
#include "app/load_scene.h"
#include "app/screen_recorder.h"
#include "app/stop_signal.h"
#include "base/dimension.h"
#include "compare/comparison_report.h"
#include "compare/panel_film.h"
#include "compare/variant.h"
#include "run/open_session.h"
#include "run/run_session.h"
#include "scene/writer.h"

namespace tidelock::app {

namespace {

namespace fs = std::filesystem;
using compare::Variant;

/// The scene as one variant has it.
LoadedScene load_variant(const CompareOptions& options, const Variant& variant) {
    SceneArgument argument = options.scene;
    argument.sets.insert(argument.sets.end(), variant.sets.begin(), variant.sets.end());
    argument.any_method = true;
    return load_scene(argument);
}

/// All of them before the first one runs. What several have to say is said once.
std::vector<LoadedScene> load_variants(const CompareOptions& options, const std::vector<Variant>& variants) {
    std::vector<LoadedScene> out;
    std::set<std::string> said;
    for (const Variant& variant : variants) {
        out.push_back(load_variant(options, variant));
        const std::string& warnings = out.back().warnings;
        if (!options.quiet && said.insert(warnings).second) put(stderr, warnings);
    }
    return out;
}

/// The line that makes the comparison again.
std::string command_line(const CompareOptions& options, const std::vector<Variant>& variants) {
    std::string labels, sets;
    for (const Variant& variant : variants) labels += (labels.empty() ? "" : ",") + variant.label;
    for (const std::string& set : options.scene.sets) sets += fmt::format(" --set '{}'", set);
    return fmt::format("tidelock compare {} --methods {}{}", options.scene.name, labels, sets);
}

/// What has come of the variants so far.
struct Runs {
    compare::Comparison comparison;
    std::vector<compare::FilmedRun> filmed;
    bool interrupted = false;
};

/// Runs a variant in its folder. One that fails is part of the comparison.
template <int D>
void run_variant(const CompareOptions& options, const Variant& variant, LoadedScene& loaded, const fs::path& out,
                 Runs& runs) {
    if (!options.quiet) put(stdout, variant.label + ":\n");
    const RunFolder folder(out / variant.folder, scene::to_json(loaded.scene),
                           existing_run(options.resume, options.restart));
    auto session =
        open_session<D>(loaded.scene, loaded.meshes, [](MethodSetup<D>& setup) { setup.observer.momentum = true; });
    FilmRecorder<D> film(loaded.scene, folder.paths());
    FileRecorder<D> files(loaded.scene, folder, build_id());
    ScreenRecorder<D> screen(options.quiet, folder, files, film);
    compare::MethodRun run{variant.label};
    try {
        const Ending ending = run_session<D>(session, {&film, &files, &screen},
                                             {{}, {}, loaded.scene.output.checkpoint_every, StopSignals::name});
        runs.interrupted = !ending.interrupted.empty();
    } catch (const SimulationError& error) {
        run.failure = error.what();
        if (!options.quiet) put(stdout, fmt::format("{} failed: {}\n", variant.label, error.what()));
    }
    run.steps = read_step_log(folder.paths().steps());
    runs.comparison.start.clear();
    for (const RigidBody<D>& body : session.bodies_at_start())
        runs.comparison.start.emplace_back(body.position.data(), body.position.data() + D);
    const double end = run.steps.empty() ? 0 : run.steps.back().time;
    runs.filmed.push_back(
        {variant.label, folder.paths(), run.failure.empty() ? "" : fmt::format("failed at {:.3g} s", end)});
    runs.comparison.runs.push_back(std::move(run));
}

/// The film of all, if they have pictures; says what became of it.
void add_film(const Runs& runs, const scene::Scene& scene, const ReportFolder& folder, compare::ReportText& text) {
    const fs::path pictures = folder.path() / "film", film = folder.path() / "film.mp4";
    const FilmReport report = compare::make_panel_film(runs.filmed, pictures, film, {.fps = film_rate(scene.time)});
    if (!report.made) return folder.say("no film was made: " + report.reason);
    text.film = film.filename().string();
    text.picture = (pictures.filename() / compare::picture_of(pictures, report.frames - 1).filename()).string();
    folder.say("film: " + film.string());
}

}  // namespace

int compare_command(const CompareOptions& options) {
    (void)existing_run(options.resume, options.restart);
    const StopSignals signals;
    const std::vector<Variant> variants = compare::parse_variants(options.methods);
    std::vector<LoadedScene> scenes = load_variants(options, variants);
    const scene::Scene& scene = scenes.front().scene;
    const ReportFolder folder(options.out.empty() ? fs::path("compare") / scene.name : options.out,
                              [&](const std::string& line) {
                                  if (!options.quiet) put(stdout, line + "\n");
                              });
    Runs runs;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        visit_dimension(scene.dimension, [&]<int D>(Dimension<D>) {
            run_variant<D>(options, variants[i], scenes[i], folder.path(), runs);
        });
        if (!runs.interrupted) continue;
        folder.say(
            fmt::format("go on with: {} --out {} --resume", command_line(options, variants), folder.path().string()));
        return ExitCode::stopped;
    }
    compare::ReportText text{scene.name, command_line(options, variants)};
    add_film(runs, scene, folder, text);
    write_report(runs.comparison, text, folder);
    folder.say("in " + folder.path().string());
    return ExitCode::done;
}

}  // namespace tidelock::app
