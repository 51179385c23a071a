/// A run in its folder (io/run_folder.h): log, frames, pictures, checkpoints, and the way back from them.
///
/// What a run knows of its past lies in its last checkpoint and in steps.jsonl, and nowhere else: stopping and resuming
/// anywhere changes nothing.
#pragma once

#include <map>
#include <optional>

#include "io/body_tracks.h"
#include "io/checkpoint.h"
#include "io/run_folder.h"
#include "run/previews.h"
#include "run/recorder.h"
#include "scene/scene.h"

namespace tidelock {

template <int D>
class FileRecorder final : public Recorder<D> {
  public:
    /// All are kept by reference. `build` names the program: checkpoints of another one are refused.
    FileRecorder(const scene::Scene& scene, const RunFolder& folder, std::string build);

    /// Resumes from the newest checkpoint that is whole, if there is one.
    void begin(Session<D>& session) override;
    void step(const Session<D>& session, const StepDone<D>& done, const StepRecord& record) override;
    void remark(const Session<D>& session, const Remark& remark) override;
    void frame(const Session<D>& session) override;
    void save(const Session<D>& session) override;
    void end(Session<D>& session, const Ending& ending) override;
    void failed(std::string_view text) noexcept override;

    /// How the run began, in words: it continues at a step, or begins again, or begins.
    [[nodiscard]] const std::string& beginning() const { return beginning_; }
    [[nodiscard]] const Previews<D>& previews() const { return previews_; }
    /// What was written, by the label of its stage [bytes].
    [[nodiscard]] const std::map<std::string, double>& written() const { return written_; }

  private:
    void resume(Session<D>& session);
    void open_log(const Session<D>& session);
    void write_frame(const Session<D>& session);
    void count(const char* label, const std::filesystem::path& file);

    const scene::Scene& scene_;
    const RunFolder& folder_;
    const RunPaths& paths_;
    CheckpointIdentity identity_;
    std::string beginning_;
    std::optional<StepLog> log_;
    Previews<D> previews_;
    BodyTracks<D> tracks_;
    std::map<std::string, double> written_;
};

/// Joins the pictures of a run to its film at the end, unless the run was interrupted. Give it before a FileRecorder,
/// so that what hinders it is said before the last words.
template <int D>
class FilmRecorder final : public Recorder<D> {
  public:
    FilmRecorder(const scene::Scene& scene, RunPaths paths) : scene_(scene), paths_(std::move(paths)) {}

    void frame(const Session<D>& session) override;
    void end(Session<D>& session, const Ending& ending) override;

    /// Whether there is a film, of this run or an earlier one.
    [[nodiscard]] bool made() const { return made_; }
    [[nodiscard]] double seconds() const { return seconds_; }  ///< that it took [s]

  private:
    const scene::Scene& scene_;
    RunPaths paths_;
    bool drew_ = false, made_ = false;
    double seconds_ = 0;
};

}  // namespace tidelock
