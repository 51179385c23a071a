#include "run/file_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/timer.h"
#include "couple/cut_surface.h"
#include "io/frame_files.h"
#include "io/world_checkpoint.h"
#include "render/film.h"
#include "run/run_session.h"

namespace tidelock {

namespace fs = std::filesystem;

template <int D>
FileRecorder<D>::FileRecorder(const scene::Scene& scene, const RunFolder& folder, std::string build)
    : scene_(scene),
      folder_(folder),
      paths_(folder.paths()),
      identity_{folder.scene_name(), folder.scene_hash(), std::move(build)} {}

template <int D>
void FileRecorder<D>::begin(Session<D>& session) {
    const bool saved = !list_checkpoints(paths_.checkpoints()).empty();
    if (saved) resume(session);
    open_log(session);
    tracks_ = tracks_from_log<D>(session.bodies_at_start(), read_step_log(paths_.steps()), session.frame());
    beginning_ = saved            ? fmt::format("continues at step {}, {} s", session.steps(), session.time())
                 : folder_.kept() ? "begins again: there is no checkpoint yet"
                                  : "begins";
    folder_.log(fmt::format("{} ({}), {} threads: {}", identity_.build, hash_text(identity_.scene_hash), thread_count(),
                            beginning_));
}

template <int D>
void FileRecorder<D>::resume(Session<D>& session) {
    const NewestCheckpoint newest = open_newest_checkpoint(paths_.checkpoints(), identity_);
    for (const std::string& damage : newest.skipped) {
        const std::string text = fmt::format("a damaged checkpoint was passed over: {}", damage);
        session.note({text, text});
    }
    session.resume(newest.reader);
}

/// The log goes back to the step of the session.
template <int D>
void FileRecorder<D>::open_log(const Session<D>& session) {
    const std::int64_t logged = std::max<std::int64_t>(0, cut_step_log(paths_.steps(), session.steps()));
    log_.emplace(paths_.steps());
    if (logged < session.steps())
        throw FileError(paths_.steps(), fmt::format("ends at step {}, before the checkpoint of step {}: lines are "
                                                    "missing. Begin again (--restart)",
                                                    logged, session.steps()));
}

template <int D>
void FileRecorder<D>::step(const Session<D>& /*session*/, const StepDone<D>& /*done*/, const StepRecord& record) {
    log_->append(record);
}

template <int D>
void FileRecorder<D>::remark(const Session<D>& session, const Remark& remark) {
    folder_.log(fmt::format("step {}: {}{}", session.steps(), remark.note ? "note: " : "", remark.text));
}

template <int D>
void FileRecorder<D>::frame(const Session<D>& session) {
    if (session.frame() > 0) tracks_.add(session.time(), session.world().solids.bodies);
    write_frame(session);
}

template <int D>
void FileRecorder<D>::write_frame(const Session<D>& session) {
    const World<D>& world = session.world();
    const int frame = static_cast<int>(session.frame());
    if (scene_.output.vdb) {
        const ScopedTimer timer("write vdb");
        write_vdb_frame<D>(world, scene_.output.particles, paths_.frame_vdb(frame));
        count("write vdb", paths_.frame_vdb(frame));
    }
    if (world.has_liquid() && scene_.output.meshes) {
        const ScopedTimer timer("write mesh");
        const double overlap = scene_.output.overlap * world.domain.grid.dx;
        const Surface<D> surface =
            cut_surface<D>(world.domain.grid, world.liquid().phi, standing_surfaces<D>(world.solids.bodies), overlap);
        write_surface<D>(world, surface, paths_.frame_ply(frame));
        count("write mesh", paths_.frame_ply(frame));
    }
    if (scene_.output.preview) {
        const ScopedTimer timer("picture");
        if (!painter_) painter_.emplace(scene_, session.bodies_at_start(), world.domain.grid);
        painter_->paint(view_of<D>(world, tracks_.places.back()), paths_.preview_png(frame));
    }
}

template <int D>
void FileRecorder<D>::save(const Session<D>& session) {
    const ScopedTimer timer("checkpoint");
    const World<D>& world = session.world();
    write_solids<D>(paths_.solids(), scene_, session.bodies_at_start(), world.domain.grid, tracks_);
    log_->sync();  // it is never behind a checkpoint
    count("checkpoint", save_world<D>(world, paths_.checkpoints(), identity_));
}

template <int D>
void FileRecorder<D>::end(Session<D>& session, const Ending& ending) {
    folder_.log(ending_text(session, ending));
}

template <int D>
void FileRecorder<D>::failed(std::string_view text) noexcept {
    try {
        folder_.log(fmt::format("failed: {}", text));
    } catch (const std::exception&) {  // the disk may be what failed; the first error is what counts
    }
}

template <int D>
void FileRecorder<D>::count(const char* label, const fs::path& file) {
    std::error_code ignored;
    const auto size = fs::file_size(file, ignored);
    if (!ignored) written_[label] += static_cast<double>(size);
}

template <int D>
void FilmRecorder<D>::frame(const Session<D>& /*session*/) {
    drew_ = drew_ || scene_.output.preview;
}

template <int D>
void FilmRecorder<D>::end(Session<D>& session, const Ending& ending) {
    if (!ending.interrupted.empty() || !scene_.output.preview) return;
    std::error_code ignored;
    made_ = !drew_ && fs::exists(paths_.film(), ignored);  // nothing is new
    if (session.frame() < 1 || made_) return;
    const ScopedTimer timer("film");
    const FilmReport report = make_film(paths_.preview(), paths_.film(), {.fps = film_rate(scene_.time)});
    made_ = report.made;
    if (!report.made) session.note({"film", fmt::format("no film was made: {}", report.reason)});
}

template class FileRecorder<2>;
template class FileRecorder<3>;
template class FilmRecorder<2>;
template class FilmRecorder<3>;

}  // namespace tidelock
