#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <new>

#include "app/build_id.h"
#include "app/commands.h"
#include "base/file.h"
#include "base/isa.h"
#include "base/parallel.h"

namespace {

using namespace tidelock;
using namespace tidelock::app;

constexpr const char* examples = R"(
Examples:
  tidelock scenes                                    what is in the library
  tidelock run ball-on-plume-demo                    run one of it, into out/ball-on-plume-demo
  tidelock scenes box-lift-2d --copy my.json         take one as a start
  tidelock check my.json                             every error at once, masses, memory
  tidelock run my.json --out A --set fluid.density=2 with a value changed
  tidelock run A --resume                            go on after Ctrl-C, a crash or a power cut
  tidelock info A                                    how far it is, what it cost
  tidelock render A --set render.width=1280          the pictures and the film again, larger
  tidelock reproduce aanjaneya2018 table1 --quick    a paper's table, theirs and ours

Exit codes: 0 done, 1 the simulation failed, 2 wrong usage or wrong scene, 3 stopped by a signal after saving.)";

/// Options that several commands share.
struct Shared {
    SceneArgument scene;
    int threads = 0;
    double memory = 0;
};

void add_sets(CLI::App* command, std::vector<std::string>& sets) {
    command->add_option("--set", sets, "Override a value of the scene: PATH=VALUE, for example domain.cells=64")
        ->allow_extra_args(false)
        ->type_name("PATH=VALUE");
}

void add_scene(CLI::App* command, Shared& shared, const char* what) {
    command->add_option("SCENE", shared.scene.name, what)->required()->type_name("");
    add_sets(command, shared.scene.sets);
    command->add_option("--memory", shared.memory, "Memory that the run may take (4GB); by default what is free")
        ->transform(CLI::AsSizeValue(false));
}

void add_threads(CLI::App* command, Shared& shared) {
    command->add_option("--threads", shared.threads, "Threads to use; the results do not depend on it")
        ->check(CLI::Range(1, 4096));
}

/// Sets `chosen` to the command that the user gave; runs nothing.
void describe(CLI::App& cli, Shared& shared, RunOptions& run, RenderOptions& render, ScenesOptions& scenes,
              ReproduceOptions& reproduce) {
    cli.set_version_flag("--version", [] { return fmt::format("{}, {}", build_id(), isa_name()); });
    cli.require_subcommand(1);
    cli.footer(examples);

    auto* command = cli.add_subcommand("run", "Simulate a scene");
    add_scene(command, shared, "A scene file, a scene of the library, or the folder of a run");
    command->add_option("--out", run.out, "Folder of the results; by default out/NAME")->type_name("DIR");
    command->add_option("--steps", run.steps, "Stop, and save, once N steps are done")->check(CLI::NonNegativeNumber);
    command->add_option("--frames", run.frames, "Stop, and save, once N frames are done")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--resume", run.resume, "Continue the run in DIR from its newest checkpoint, if there is one");
    command->add_flag("--restart", run.restart, "Delete the run of this scene in DIR, and begin again");
    command->add_flag("--quiet", run.quiet, "Nothing but errors");
    command->add_flag("--profile", run.profile, "Show at the end where the time went");
    add_threads(command, shared);

    command = cli.add_subcommand("check", "Every error of a scene at once, or what it amounts to");
    add_scene(command, shared, "A scene file, or a scene of the library");

    command = cli.add_subcommand("info", "A scene with every default filled in, or the summary of a run");
    add_scene(command, shared, "A scene file, a scene of the library, or the folder of a run");

    command = cli.add_subcommand("render", "Pictures and film of a run, finished or not, from its frames");
    command->add_option("OUT", render.run, "The folder of a run")->required()->type_name("");
    add_sets(command, render.sets);
    command->add_option("--out", render.out, "Folder of the pictures; by default OUT/preview")->type_name("DIR");
    command->add_option("--frame", render.frame, "Only this frame, and no film")->check(CLI::NonNegativeNumber);
    command->add_flag("--quiet", render.quiet, "Nothing but errors");
    add_threads(command, shared);

    command = cli.add_subcommand("reproduce", "A paper's tables and figures: theirs and ours");
    command->add_option("PAPER", reproduce.paper, "aanjaneya2018")->required()->type_name("");
    command->add_option("ITEM", reproduce.items, "table1 to table3, figure7 to figure10; by default all of them")
        ->type_name("");
    command->add_option("--out", reproduce.out, "Folder of the tables and plots; by default reproduce/PAPER")
        ->type_name("DIR");
    command->add_flag("--quick", reproduce.quick, "A quarter of the resolution: minutes instead of an hour");
    add_threads(command, shared);

    command = cli.add_subcommand("scenes", "The scene library");
    command->add_option("NAME", scenes.name, "Print this scene")->type_name("");
    command->add_option("--copy", scenes.copy, "Write it to a file instead")->type_name("FILE");
}

int dispatch(const CLI::App& cli, Shared& shared, RunOptions& run, const RenderOptions& render,
             const ScenesOptions& scenes, const ReproduceOptions& reproduce) {
    use_isa();
    std::optional<ThreadLimit> limit;
    if (shared.threads > 0) limit.emplace(shared.threads);
    if (shared.memory > 0) shared.scene.memory_bytes = shared.memory;
    run.scene = shared.scene;
    if (cli.got_subcommand("run")) return run_command(run);
    if (cli.got_subcommand("check")) return check_command(shared.scene);
    if (cli.got_subcommand("info")) return info_command(shared.scene);
    if (cli.got_subcommand("render")) return render_command(render);
    if (cli.got_subcommand("reproduce")) return reproduce_command(reproduce);
    return scenes_command(scenes);
}

int complain(const std::string& text, int code) {
    fmt::print(stderr, "tidelock: {}\n", text);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App cli("tidelock: fluids and solids that push on each other", "tidelock");
    Shared shared;
    RunOptions run;
    RenderOptions render;
    ScenesOptions scenes;
    ReproduceOptions reproduce;
    describe(cli, shared, run, render, scenes, reproduce);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? ExitCode::done : ExitCode::refused;
    } catch (const InputError& error) {  // --version names the instruction set
        return complain(error.what(), ExitCode::refused);
    }
    try {
        return dispatch(cli, shared, run, render, scenes, reproduce);
    } catch (const UsageError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return ExitCode::refused;
    } catch (const InputError& error) {
        return complain(error.what(), ExitCode::refused);
    } catch (const std::bad_alloc&) {
        return complain("out of memory: use fewer cells (domain.cells)", ExitCode::failed);
    } catch (const std::exception& error) {
        return complain(error.what(), ExitCode::failed);
    }
}
