/// `tidelock run`: the loop over steps and frames, and everything that may happen to it.
///
/// What a run knows of its past lies in its last checkpoint and in steps.jsonl, and nowhere else: stopping and resuming
/// anywhere changes nothing.
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <set>

#include "app/build_id.h"
#include "app/commands.h"
#include "app/frame_files.h"
#include "app/frame_picture.h"
#include "app/load_scene.h"
#include "app/profile.h"
#include "app/progress.h"
#include "app/stop_signal.h"
#include "app/time_steps.h"
#include "app/world_checkpoint.h"
#include "base/file.h"
#include "io/hash.h"
#include "io/run_folder.h"
#include "render/film.h"
#include "scene/build_world.h"
#include "scene/writer.h"

namespace tidelock::app {

namespace {

namespace fs = std::filesystem;

template <int D>
class Run {
  public:
    Run(const RunOptions& options, LoadedScene& loaded, RunFolder& folder)
        : options_(options), scene_(loaded.scene), folder_(folder), paths_(folder.paths()) {
        identity_ = {folder.scene_name(), folder.scene_hash(), build_id()};
        frames_ = frame_count(scene_.time);
        auto built = scene::build_world<D>(scene_, loaded.meshes);
        world_ = std::move(built.world);
        method_ = scene::make_method<D>(built);
        bodies_at_start_ = world_.solids.bodies;
        begin_notes_ = std::move(built.notes);
    }

    int go() {
        if (options_.profile) start_profile();
        Progress progress(options_.quiet, frames_, frame_time(scene_.time, frames_));
        progress_ = &progress;
        recover();
        progress.begin(world_.clock.time);
        for (const auto& text : begin_notes_) note(text, text);
        if (world_.clock.step == 0) write_frame();
        while (world_.clock.frame < frames_ && !reached_limit() && StopSignals::received() == 0) take_step();
        return finish();
    }

  private:
    [[nodiscard]] bool reached_limit() const {
        return (options_.steps && world_.clock.step >= *options_.steps) ||
               (options_.frames && world_.clock.frame >= *options_.frames);
    }

    /// Puts the world where the newest checkpoint left it, and the log with it.
    void recover() {
        const bool saved = !list_checkpoints(paths_.checkpoints()).empty();
        if (saved) {
            const NewestCheckpoint newest = open_newest_checkpoint(paths_.checkpoints(), identity_);
            for (const std::string& text : newest.skipped)
                begin_notes_.push_back(fmt::format("a damaged checkpoint was passed over: {}", text));
            load_world<D>(newest.reader, world_);
            saved_step_ = world_.clock.step;
        }
        const std::int64_t logged = std::max<std::int64_t>(0, cut_step_log(paths_.steps(), world_.clock.step));
        log_.emplace(paths_.steps());
        if (logged < world_.clock.step)
            throw FileError(paths_.steps(), fmt::format("ends at step {}, before the checkpoint of step {}: lines are "
                                                        "missing. Begin again (--restart)",
                                                        logged, world_.clock.step));
        tracks_ = tracks_from_log<D>(bodies_at_start_, read_step_log(paths_.steps()), world_.clock.frame);
        const std::string how = saved ? fmt::format("continues at step {}, {} s", world_.clock.step, world_.clock.time)
                                : folder_.existed() && !options_.restart ? "begins again: there is no checkpoint yet"
                                                                         : "begins";
        folder_.log(fmt::format("{} ({}), {} threads: {}", identity_.build, hash_text(identity_.scene_hash),
                                thread_count(), how));
        if (folder_.existed() && !options_.restart) progress_->say(fmt::format("{}: {}", paths_.folder.string(), how));
    }

    void take_step() {
        const std::int64_t frame = world_.clock.frame + 1;
        const double frame_end = frame_time(scene_.time, frame);
        const NextStep next = next_step(scene_.time, world_.clock.time, frame_end, method_->largest_step(world_));
        const double begun = wall_seconds();
        const StepReport<D> report = [&] {
            const ScopedTimer timer("step");
            return method_->advance(world_, next.dt);
        }();
        if (next.last) world_.clock.time = frame_end;  // not the sum of its steps: no rounding adds up
        const StepRecord record = make_record<D>(world_, report, frame, wall_seconds() - begun);
        log_->append(record);
        progress_->step(record);
        for (const auto& n : report.notes) note(n.kind, n.text);
        for (const NamedSolve& solve : report.solves) look_at(solve);
        if (!next.last) return;
        world_.clock.frame = frame;
        tracks_.add(world_.clock.time, world_.solids.bodies);
        write_frame();
        progress_->frame(frame);
        const int every = scene_.output.checkpoint_every;
        if (every > 0 && frame % every == 0) save();
    }

    void look_at(const NamedSolve& solve) {
        traffic_["pressure solve"].bytes += solve.bytes;
        traffic_["pressure solve"].seconds += solve.report.seconds;
        if (solve.report.converged()) return;
        note(
            "solve " + solve.name,
            fmt::format("the solve '{}' stopped at its limit with a residual above the tolerance (coupling.solver): {}",
                        solve.name, to_string(solve.report.status)));
        folder_.log(fmt::format("step {}: solve '{}': {} after {} iterations, residual {:.3g}", world_.clock.step,
                                solve.name, to_string(solve.report.status), solve.report.iterations,
                                solve.report.residual));
    }

    /// On the screen once for each kind, in the log once for each text, but no endless list.
    void note(const std::string& kind, const std::string& text) {
        if (noted_.size() >= 1000 || !noted_.insert(text).second) return;
        folder_.log(fmt::format("step {}: note: {}", world_.clock.step, text));
        if (noted_kinds_.insert(kind).second) progress_->warn(fmt::format("note: {}", text));
    }

    void write_frame() {
        const int frame = static_cast<int>(world_.clock.frame);
        if (scene_.output.vdb) {
            const ScopedTimer timer("write vdb");
            write_vdb_frame<D>(world_, scene_.output.particles, paths_.frame_vdb(frame));
            count_file("write vdb", paths_.frame_vdb(frame));
        }
        if (world_.has_liquid() && scene_.output.meshes) {
            const ScopedTimer timer("write mesh");
            write_surface<D>(world_, paths_.frame_ply(frame));
            count_file("write mesh", paths_.frame_ply(frame));
        }
        if (scene_.output.preview) {
            const ScopedTimer timer("picture");
            if (!painter_) painter_.emplace(scene_, bodies_at_start_, world_.domain.grid);
            painter_->paint(moment_of<D>(world_, tracks_.places.back()), paths_.preview_png(frame));
            drew_ = true;
        }
    }

    void save() {
        const ScopedTimer timer("checkpoint");
        write_solids<D>(paths_.solids(), scene_, bodies_at_start_, world_.domain.grid, tracks_);
        log_->sync();
        count_file("checkpoint", save_world<D>(world_, paths_.checkpoints(), identity_));
        saved_step_ = world_.clock.step;
    }

    int finish() {
        if (saved_step_ != world_.clock.step) save();
        const int signal = StopSignals::received();
        if (signal == 0 && scene_.output.preview) film();
        const std::string where = fmt::format("step {}, frame {} of {}, {:.4g} s", world_.clock.step,
                                              world_.clock.frame, frames_, world_.clock.time);
        const bool complete = world_.clock.frame == frames_;
        const std::string end = signal != 0 ? fmt::format("stopped by {} at {}", ::sigabbrev_np(signal), where)
                                : complete  ? fmt::format("done: {}", where)
                                            : fmt::format("stopped as asked at {}", where);
        folder_.log(end);
        progress_->say(fmt::format("{}\n  in {}", end, paths_.folder.string()));
        if (!complete) progress_->say(fmt::format("  go on with: tidelock run {} --resume", paths_.folder.string()));
        if (film_made_) progress_->say(fmt::format("  film: {}", paths_.film().string()));
        if (options_.profile) fmt::print("\n{}", stage_table(stop_profile(), traffic_, 3));
        return signal != 0 && !complete ? ExitCode::stopped : ExitCode::done;
    }

    void film() {
        std::error_code ignored;
        film_made_ = !drew_ && fs::exists(paths_.film(), ignored);  // nothing is new
        if (world_.clock.frame < 1 || film_made_) return;
        const ScopedTimer timer("film");
        const FilmReport report = make_film(paths_.preview(), paths_.film(), {.fps = film_rate(scene_.time)});
        film_made_ = report.made;
        if (!report.made) note("film", fmt::format("no film was made: {}", report.reason));
    }

    void count_file(const char* label, const fs::path& file) {
        std::error_code ignored;
        const auto size = fs::file_size(file, ignored);
        if (!ignored) traffic_[label].bytes += static_cast<double>(size);
    }

    const RunOptions& options_;
    const scene::Scene& scene_;
    RunFolder& folder_;
    const RunPaths& paths_;
    CheckpointIdentity identity_;
    std::int64_t frames_ = 0, saved_step_ = -1;
    World<D> world_;
    std::unique_ptr<Method<D>> method_;
    std::vector<RigidBody<D>> bodies_at_start_;
    std::vector<std::string> begin_notes_;
    std::optional<StepLog> log_;
    std::optional<Painter<D>> painter_;
    Tracks<D> tracks_;
    Progress* progress_ = nullptr;
    std::map<std::string, Traffic> traffic_;
    std::set<std::string> noted_, noted_kinds_;
    bool drew_ = false, film_made_ = false;
};

/// What the loop throws, with the log informed. Wrong input was found before it began: numbers that files refuse later
/// are the simulation's fault.
template <int D>
int guarded_run(const RunOptions& options, LoadedScene& loaded, RunFolder& folder) {
    const auto log = [&](const char* text) {
        try {
            folder.log(fmt::format("failed: {}", text));
        } catch (const Error&) {  // the disk may be what failed; the caller reports the first error
        }
    };
    Run<D> run(options, loaded, folder);
    try {
        return run.go();
    } catch (const std::exception& error) {
        log(error.what());
        throw;
    }
}

}  // namespace

int run_command(const RunOptions& options) {
    if (options.resume && options.restart)
        throw UsageError("--resume continues a run and --restart deletes it: give one of them");
    const StopSignals signals;
    LoadedScene loaded = load_scene(options.scene);
    if (!options.quiet) fmt::print(stderr, "{}", loaded.warnings);
    fs::path out = options.out;
    if (out.empty()) out = loaded.run.empty() ? fs::path("out") / loaded.scene.name : loaded.run;
    const ExistingRun existing = options.resume    ? ExistingRun::resume
                                 : options.restart ? ExistingRun::restart
                                                   : ExistingRun::refuse;
    RunFolder folder(out, scene::to_json(loaded.scene), existing);
    return loaded.scene.dimension == 2 ? guarded_run<2>(options, loaded, folder)
                                       : guarded_run<3>(options, loaded, folder);
}

}  // namespace tidelock::app
