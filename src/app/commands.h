/// The commands of `tidelock`, one function each. Each returns the exit code; what goes wrong is thrown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/run_folder.h"

namespace tidelock::app {

/// What a caller learns from the exit code.
enum ExitCode : int {
    done = 0,
    failed = 1,   ///< the simulation, or the machine under it
    refused = 2,  ///< wrong usage or a wrong scene
    stopped = 3,  ///< by a signal, after saving
    dubious = 4,  ///< done, with steps that failed and were used (coupling.on_failure)
};

/// The user asked for something that cannot be: what() is the whole message, several lines perhaps.
class UsageError : public Error {
  public:
    using Error::Error;
};

/// A scene as the user names it, with what he wants changed in it.
struct SceneArgument {
    std::string name;                    ///< a file, a scene of the library, or the folder of a run
    std::vector<std::string> sets;       ///< PATH=VALUE
    std::optional<double> memory_bytes;  ///< what the run may take; none: what the machine has left
    bool any_method = false;             ///< keys that only other methods than the chosen one have are passed over
};

struct RunOptions {
    SceneArgument scene;
    std::filesystem::path out;           ///< empty: out/NAME, or the run's own folder
    std::optional<std::int64_t> steps;   ///< stop once this many steps are done
    std::optional<std::int64_t> frames;  ///< stop once this many frames are done
    bool resume = false, restart = false, quiet = false, profile = false;
};

struct RenderOptions {
    std::filesystem::path run;      ///< its folder
    std::vector<std::string> sets;  ///< render.* of its scene
    std::filesystem::path out;      ///< of the pictures; empty: RUN/preview
    std::optional<int> frame;       ///< only this one, and no film
    bool quiet = false;
};

struct ExportOptions {
    std::filesystem::path run;                           ///< its folder
    std::filesystem::path blender, blender_script, usd;  ///< files to write; empty: not
    bool quiet = false;
};

struct ReproduceOptions {
    std::string paper;
    std::vector<std::string> items;  ///< tables and figures; none, or "all": every one
    std::filesystem::path out;       ///< empty: reproduce/PAPER
    bool quick = false;              ///< a quarter of the resolution
};

struct CompareOptions {
    SceneArgument scene;
    std::string methods;        ///< variants between commas (compare/variant.h); empty: all methods
    std::filesystem::path out;  ///< empty: compare/NAME
    bool resume = false, restart = false, quiet = false;
};

struct MeshOptions {
    std::string file;              ///< or the name of a mesh of the library
    std::filesystem::path repair;  ///< empty: only look
};

struct ScenesOptions {
    std::string name;            ///< empty: list all
    std::filesystem::path copy;  ///< write it there instead of to the screen
};

int run_command(const RunOptions& options);
/// What --resume and --restart ask for. Throws UsageError for both at once.
[[nodiscard]] ExistingRun existing_run(bool resume, bool restart);
int check_command(const SceneArgument& argument);
/// A scene with every default filled in, or the summary of a run.
int info_command(const SceneArgument& argument);
int render_command(const RenderOptions& options);
/// A mesh's size and faults, and what a repair makes of it; `refused` if it is no solid.
int mesh_command(const MeshOptions& options);
/// A run for other programs: Blender, USD.
int export_command(const ExportOptions& options);
int scenes_command(const ScenesOptions& options);
/// One scene through several methods, side by side.
int compare_command(const CompareOptions& options);
/// A paper's tables and figures: theirs and ours.
int reproduce_command(const ReproduceOptions& options);

}  // namespace tidelock::app
