/// `tidelock run`: a session with its folder and its screen, and the signals that end it.
#include <fmt/format.h>

#include "app/build_id.h"
#include "app/commands.h"
#include "app/console.h"
#include "app/load_scene.h"
#include "app/memory_guard.h"
#include "app/profile.h"
#include "app/screen_recorder.h"
#include "app/stop_signal.h"
#include "base/dimension.h"
#include "run/open_session.h"
#include "run/run_session.h"
#include "scene/writer.h"

namespace tidelock::app {

namespace {

namespace fs = std::filesystem;

/// Counts what the solver moves between memory and cache.
template <int D>
class TrafficRecorder final : public Recorder<D> {
  public:
    void step(const Session<D>& /*session*/, const StepDone<D>& done, const StepRecord& /*record*/) override {
        for (const NamedSolve& solve : done.report.solves) {
            if (solve.bytes == 0) continue;
            counted.bytes += solve.bytes;
            counted.seconds += solve.report.seconds;
        }
    }
    Traffic counted;
};

void print_profile(const Traffic& solves, const std::map<std::string, double>& written) {
    std::map<std::string, Traffic> traffic{{"pressure solve", solves}};
    for (const auto& [label, bytes] : written) traffic[label].bytes = bytes;
    put(stdout, "\n" + stage_table(stop_profile(), traffic, 3));
}

template <int D>
int run(const RunOptions& options, LoadedScene& loaded, const RunFolder& folder) {
    const scene::Scene& scene = loaded.scene;
    auto session = open_session<D>(scene, loaded.meshes);
    if (options.profile) start_profile();
    FilmRecorder<D> film(scene, folder.paths());
    FileRecorder<D> files(scene, folder, build_id());
    ScreenRecorder<D> screen(options.quiet, folder, files, film);
    TrafficRecorder<D> traffic;
    const MemoryGuard memory(options.scene.memory_bytes);
    const auto interrupted = [&] {
        const std::string signal = StopSignals::name();
        return signal.empty() ? memory.exceeded() : signal;
    };
    const Ending ending = run_session<D>(session, {&film, &files, &screen, &traffic},
                                         {options.steps, options.frames, scene.output.checkpoint_every, interrupted});
    if (options.profile) print_profile(traffic.counted, files.written());
    const bool stopped = !ending.complete && !ending.interrupted.empty();
    if (stopped && StopSignals::received() == 0) throw Error(MemoryGuard::remedy(folder.paths().folder.string()));
    if (stopped) return ExitCode::stopped;
    return session.failed_steps() > 0 ? ExitCode::dubious : ExitCode::done;
}

}  // namespace

ExistingRun existing_run(bool resume, bool restart) {
    if (resume && restart) throw UsageError("--resume continues a run and --restart deletes it: give one of them");
    return resume ? ExistingRun::resume : restart ? ExistingRun::restart : ExistingRun::refuse;
}

int run_command(const RunOptions& options) {
    const ExistingRun existing = existing_run(options.resume, options.restart);
    const StopSignals signals;
    LoadedScene loaded = load_scene(options.scene);
    if (!options.quiet) put(stderr, loaded.warnings);
    fs::path out = options.out;
    if (out.empty()) out = loaded.run.empty() ? fs::path("out") / loaded.scene.name : loaded.run;
    const RunFolder folder(out, scene::to_json(loaded.scene), existing);
    return visit_dimension(loaded.scene.dimension,
                           [&]<int D>(Dimension<D>) { return run<D>(options, loaded, folder); });
}

}  // namespace tidelock::app
