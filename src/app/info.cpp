#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/load_scene.h"
#include "app/progress.h"
#include "base/file.h"
#include "io/checkpoint.h"
#include "io/run_folder.h"
#include "io/step_log.h"
#include "run/time_steps.h"
#include "run/worst_volume.h"
#include "scene/writer.h"

namespace tidelock::app {

namespace {

/// Whether some process holds the lock of a run.
bool is_running(const RunPaths& run) {
    const int lock = ::open(run.lock().c_str(), O_RDONLY | O_CLOEXEC);
    if (lock < 0) return false;
    const bool free = ::flock(lock, LOCK_SH | LOCK_NB) == 0;
    ::close(lock);
    return !free;
}

std::string vector_text(const std::vector<double>& v) {
    std::string text;
    for (const double x : v) text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", x);
    return text;
}

void print_cost(const std::vector<StepRecord>& steps) {
    const auto first_failed =
        std::find_if(steps.begin(), steps.end(), [](const StepRecord& s) { return !s.failures.empty(); });
    double seconds = 0, iterations = 0, cells = 0, memory = 0;
    int most = 0, solves = 0, limited = 0, halved = 0, failed = 0;
    for (const StepRecord& s : steps) {
        if (!s.seconds.empty()) seconds += s.seconds.front().second;
        if (s.fluid) cells += static_cast<double>(s.fluid->cells);
        memory = std::max(memory, s.memory_mb);
        halved += s.halvings > 0;
        failed += !s.failures.empty();
        for (const SolveRecord& solve : s.solves) {
            ++solves;
            iterations += solve.iterations;
            most = std::max(most, solve.iterations);
            limited += !solve.converged;
        }
    }
    fmt::print("  cost         {} for the steps, {:.3g} cells/s, {:.0f} MB\n", duration_text(seconds),
               seconds > 0 ? cells / seconds : 0.0, memory);
    if (solves > 0)
        fmt::print("  solves       {:.1f} iterations each, at most {}; {} stopped at their limit\n",
                   iterations / solves, most, limited);
    if (halved > 0) fmt::print("  retried      {} steps failed and were taken in shorter ones\n", halved);
    if (failed > 0)
        fmt::print("  NOT RELIABLE {} steps failed and were used (coupling.on_failure), the first is step {}: {}\n",
                   failed, first_failed->step, first_failed->failures.front());
}

void print_checkpoints(const RunPaths& run) {
    for (const auto& file : list_checkpoints(run.checkpoints())) {
        try {
            const CheckpointReader reader(file);
            fmt::print("  checkpoint   step {}, {:.4g} s, {}\n", reader.moment().step, reader.moment().time,
                       reader.identity().build);
        } catch (const Error& error) {
            fmt::print("  checkpoint   damaged: {}\n", error.what());
        }
    }
}

int info_of_run(const std::filesystem::path& folder) {
    const RunPaths run{folder};
    const LoadedScene loaded = load_scene({folder.string(), {}, std::numeric_limits<double>::infinity()});
    const auto steps = read_step_log(run.steps());
    const std::int64_t frames = frame_count(loaded.scene.time);
    const auto written = run.vdb_frames();
    const bool complete =
        !steps.empty() && steps.back().frame == frames && steps.back().time == frame_time(loaded.scene.time, frames);
    fmt::print("{}: a run of '{}', {}\n", folder.string(), loaded.scene.name,
               is_running(run) ? "going on"
               : complete      ? "finished"
                               : "not finished");
    fmt::print("  steps        {}, {:.4g} s of {:.4g} s\n", steps.size(), steps.empty() ? 0.0 : steps.back().time,
               frame_time(loaded.scene.time, frames));
    if (!written.empty()) fmt::print("  frames       {} to {} of {}\n", written.front(), written.back(), frames);
    if (!steps.empty()) {
        print_cost(steps);
        const StepRecord& last = steps.back();
        if (last.fluid)
            fmt::print("  fluid        {} cells, fastest {:.4g} m/s, divergence {:.2e} 1/s\n", last.fluid->cells,
                       last.fluid->max_speed, last.fluid->max_divergence);
        WorstVolume volume;
        for (const StepRecord& s : steps) volume.see(s);
        if (volume.share() != 0) fmt::print("  volume       at its worst {}\n", volume.text());
        for (const BodyRecord& body : last.bodies)
            fmt::print("  {:<12} at ({}) m, moving ({}) m/s, force ({}) N\n", body.name, vector_text(body.position),
                       vector_text(body.velocity), vector_text(body.force));
    }
    print_checkpoints(run);
    std::error_code ignored;
    if (std::filesystem::exists(run.film(), ignored)) fmt::print("  film         {}\n", run.film().string());
    return ExitCode::done;
}

}  // namespace

int info_command(const SceneArgument& argument) {
    std::error_code ignored;
    if (std::filesystem::is_directory(argument.name, ignored) && argument.sets.empty() && is_run(argument.name))
        return info_of_run(argument.name);
    const LoadedScene loaded = load_scene(argument);
    put(stderr, loaded.warnings);
    put(stdout, scene::to_json(loaded.scene));
    return ExitCode::done;
}

}  // namespace tidelock::app
