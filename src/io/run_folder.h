/// The folder that a run leaves: where each file lies, who may write to it, and whose run it is.
///
///     OUT/scene.json         the resolved scene; what of it changes the simulation names the run (io/scene_identity.h)
///     OUT/steps.jsonl        one line a step (io/step_log.h)
///     OUT/frames/NNNNNN.vdb  fields (io/vdb.h); NNNNNN.ply surfaces
///     OUT/solids.glb         the rigid bodies, animated (io/gltf.h)
///     OUT/checkpoint/        the last two checkpoints (io/checkpoint.h)
///     OUT/preview/           NNNNNN.png and preview.mp4
///     OUT/run.log            what the program said
///     OUT/.lock              held while a run writes here
///
/// A folder with anything else in it is not touched: only an empty one, or one that holds a run of the same simulation.
/// Nothing is ever deleted but files with the names above.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/scene_identity.h"

namespace tidelock {

/// Paths only: for readers of a run (`info`, `render`), which need no lock.
struct RunPaths {
    std::filesystem::path folder;

    [[nodiscard]] std::filesystem::path scene() const { return folder / "scene.json"; }
    [[nodiscard]] std::filesystem::path steps() const { return folder / "steps.jsonl"; }
    [[nodiscard]] std::filesystem::path frames() const { return folder / "frames"; }
    [[nodiscard]] std::filesystem::path frame_vdb(int frame) const;
    [[nodiscard]] std::filesystem::path frame_ply(int frame) const;
    [[nodiscard]] std::filesystem::path solids() const { return folder / "solids.glb"; }
    [[nodiscard]] std::filesystem::path checkpoints() const { return folder / "checkpoint"; }
    [[nodiscard]] std::filesystem::path preview() const { return folder / "preview"; }
    [[nodiscard]] std::filesystem::path preview_png(int frame) const;
    [[nodiscard]] std::filesystem::path film() const { return preview() / "preview.mp4"; }
    [[nodiscard]] std::filesystem::path log() const { return folder / "run.log"; }
    [[nodiscard]] std::filesystem::path lock() const { return folder / ".lock"; }

    /// Numbers of the frames whose .vdb (.ply, .png) is there, rising. Empty if there is no such folder.
    [[nodiscard]] std::vector<int> vdb_frames() const;
    [[nodiscard]] std::vector<int> ply_frames() const;
    [[nodiscard]] std::vector<int> pictures() const;
    /// Whether a scene.json of tidelock lies there.
    [[nodiscard]] bool holds_run() const;
};

/// What to do with a run of the same simulation that is already there.
enum class ExistingRun {
    refuse,   ///< say so, and name the ways out
    resume,   ///< keep everything; the caller continues from a checkpoint. It may end later than it was to
    restart,  ///< delete the files that that run wrote, and begin again
};

/// A folder opened for writing. Holds its lock until it is destroyed.
class RunFolder {
  public:
    /// `scene_text` is the resolved scene, with the keys "tidelock" and "name". Makes the folder if need be, takes the
    /// lock, writes scene.json, makes the folders inside, sweeps what killed writers left half-written. Throws
    /// InputError for a folder that holds something else, a run of another scene, a run that is still going, or (with
    /// refuse) a run of this scene; FileError if the disk does not let us.
    RunFolder(std::filesystem::path folder, const std::string& scene_text, ExistingRun existing);
    ~RunFolder();
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    [[nodiscard]] const RunPaths& paths() const { return paths_; }
    /// What checkpoints are checked against.
    [[nodiscard]] const SceneIdentity& scene() const { return scene_; }
    /// What the scene of a run that goes on says otherwise than before: output, a longer time.
    [[nodiscard]] const std::vector<std::string>& changes() const { return changes_; }
    /// Whether a run of this scene was there before.
    [[nodiscard]] bool existed() const { return existed_; }
    /// Whether it goes on: it was there and has not been deleted.
    [[nodiscard]] bool kept() const { return kept_; }

    /// Appends "2026-01-31T12:34:56Z TEXT" to run.log, in one write.
    void log(std::string_view text) const;

  private:
    void take_lock();
    void check_kinds() const;
    void check_content(const std::string& scene_text, ExistingRun existing);
    void check_scene(const std::string& there, const std::string& here, ExistingRun existing);

    RunPaths paths_;
    SceneIdentity scene_;
    std::vector<std::string> changes_;
    bool existed_ = false, kept_ = false;
    int lock_ = -1;
};

}  // namespace tidelock
