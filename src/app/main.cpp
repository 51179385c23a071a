#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <limits>
#include <new>

#include "app/arguments.h"
#include "app/build_id.h"
#include "app/commands.h"
#include "app/console.h"
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
  tidelock mesh cup.obj --repair cup.ply             what is wrong with a mesh, and mended
  tidelock info A                                    how far it is, what it cost
  tidelock render A --set render.width=1280          the pictures and the film again, larger
  tidelock export A --blender A.blend                volumes, surface, bodies, camera, for Blender
  tidelock compare my.json --methods schur,weak      one scene through several methods, side by side
  tidelock reproduce aanjaneya2018 table1 --quick    a paper's table, theirs and ours

Exit codes: 0 done, 1 the simulation failed, 2 wrong usage or wrong scene, 3 stopped by a signal after saving,
4 done, but steps that failed were used ("on_failure": "accept").)";

/// All that the command line can say.
struct Options {
    SceneArgument scene;  ///< of every command that takes one
    int threads = 0;
    std::string memory;
    RunOptions run;
    CompareOptions compare;
    RenderOptions render;
    ExportOptions to;
    ScenesOptions scenes;
    MeshOptions mesh;
    ReproduceOptions reproduce;
};

void add_sets(CLI::App* command, std::vector<std::string>& sets) {
    command->add_option("--set", sets, "Override a value of the scene: PATH=VALUE, for example domain.cells=64")
        ->allow_extra_args(false)
        ->type_name("PATH=VALUE");
}

void add_scene(CLI::App* command, Options& options, const char* what) {
    command->add_option("SCENE", options.scene.name, what)->required()->type_name("");
    add_sets(command, options.scene.sets);
    command->add_option("--memory", options.memory, "Memory that the run may take (4GB); by default what is free")
        ->type_name("SIZE");
}

/// A whole number, none below 0.
CLI::Validator count(long long most = 1'000'000'000'000) {
    return {[most](const std::string& text) { return fault_of_count(text, most); }, "N"};
}

void add_threads(CLI::App* command, Options& options) {
    command->add_option("--threads", options.threads, "Threads to use; the results do not depend on it")
        ->check(CLI::Range(1, 4096));
}

void add_out(CLI::App* command, std::filesystem::path& out, const char* what) {
    command->add_option("--out", out, what)->type_name("DIR");
}

void describe_run(CLI::App& cli, Options& options) {
    auto* command = cli.add_subcommand("run", "Simulate a scene");
    RunOptions& run = options.run;
    add_scene(command, options, "A scene file, a scene of the library, or the folder of a run");
    add_out(command, run.out, "Folder of the results; by default out/NAME");
    command->add_option("--steps", run.steps, "Stop, and save, once N steps are done")->check(count());
    command->add_option("--frames", run.frames, "Stop, and save, once N frames are done")->check(count());
    command->add_flag("--resume", run.resume, "Continue the run in DIR from its newest checkpoint, if there is one");
    command->add_flag("--restart", run.restart, "Delete the run of this scene in DIR, and begin again");
    command->add_flag_callback(
        "--no-preview", [&options] { options.scene.sets.emplace_back("output.preview=false"); }, "Draw no pictures");
    command->add_flag("--quiet", run.quiet, "Nothing but errors");
    command->add_flag("--profile", run.profile, "Show at the end where the time went");
    add_threads(command, options);
}

void describe_compare(CLI::App& cli, Options& options) {
    auto* command = cli.add_subcommand("compare", "One scene through several methods, side by side");
    CompareOptions& compare = options.compare;
    add_scene(command, options, "A scene file, or a scene of the library");
    command
        ->add_option("--methods", compare.methods,
                     "Methods between commas, the one to compare with first; with keys of \"coupling\" if need be: "
                     "schur,weak,weak:rounds=50:relaxation=0.2. By default all methods")
        ->type_name("A,B,...");
    add_out(command, compare.out, "Folder of the runs and of what is made of them; by default compare/NAME");
    command->add_flag("--resume", compare.resume, "Go on where a comparison in DIR was stopped");
    command->add_flag("--restart", compare.restart, "Delete the runs of this scene in DIR, and begin again");
    command->add_flag("--quiet", compare.quiet, "Nothing but errors");
    add_threads(command, options);
}

void describe_render(CLI::App& cli, Options& options) {
    auto* command = cli.add_subcommand("render", "Pictures and film of a run, finished or not, from its frames");
    RenderOptions& render = options.render;
    command->add_option("OUT", render.run, "The folder of a run")->required()->type_name("");
    add_sets(command, render.sets);
    add_out(command, render.out, "Folder of the pictures; by default OUT/preview");
    command->add_option("--frame", render.frame, "Only this frame, and no film")
        ->check(count(std::numeric_limits<int>::max()));
    command->add_flag("--quiet", render.quiet, "Nothing but errors");
    add_threads(command, options);
}

void describe_export(CLI::App& cli, Options& options) {
    auto* command = cli.add_subcommand("export", "A run for other programs, finished or not");
    ExportOptions& to = options.to;
    command->add_option("OUT", to.run, "The folder of a run")->required()->type_name("");
    command->add_option("--blender", to.blender, "Write a scene for Blender, with Blender's help")
        ->type_name("FILE.blend");
    command->add_option("--blender-script", to.blender_script, "Write the script that sets it up, to be run in Blender")
        ->type_name("FILE.py");
    command->add_option("--usd", to.usd, "Write a USD layer in text: Houdini, Blender, usdview")
        ->type_name("FILE.usda");
    command->add_flag("--quiet", to.quiet, "Nothing but errors");
}

void describe_reproduce(CLI::App& cli, Options& options) {
    auto* command = cli.add_subcommand("reproduce", "A paper's tables and figures: theirs and ours");
    ReproduceOptions& reproduce = options.reproduce;
    command->add_option("PAPER", reproduce.paper, "aanjaneya2018")->required()->type_name("");
    command->add_option("ITEM", reproduce.items, "table1 to table3, figure7 to figure10; by default all of them")
        ->type_name("");
    add_out(command, reproduce.out, "Folder of the tables and plots; by default reproduce/PAPER");
    command->add_flag("--quick", reproduce.quick, "A quarter of the resolution: minutes instead of an hour");
    add_threads(command, options);
}

/// What the user may say, and where it is kept; runs nothing.
void describe(CLI::App& cli, Options& options) {
    cli.set_version_flag("--version", [] { return fmt::format("{}, {}", build_id(), isa_name()); });
    cli.require_subcommand(1);
    cli.footer(examples);
    describe_run(cli, options);
    add_scene(cli.add_subcommand("check", "Every error of a scene at once, or what it amounts to"), options,
              "A scene file, or a scene of the library");
    add_scene(cli.add_subcommand("info", "A scene with every default filled in, or the summary of a run"), options,
              "A scene file, a scene of the library, or the folder of a run");
    describe_render(cli, options);
    describe_export(cli, options);
    describe_compare(cli, options);
    describe_reproduce(cli, options);
    auto* mesh = cli.add_subcommand("mesh", "Size and faults of a mesh, and what a repair makes of it");
    mesh->add_option("FILE", options.mesh.file, "PLY, OBJ or STL, or a mesh of the library")->required()->type_name("");
    mesh->add_option("--repair", options.mesh.repair, "Write the mesh with holes filled and normals turned")
        ->type_name("OUT");
    auto* command = cli.add_subcommand("scenes", "The scene library");
    command->add_option("NAME", options.scenes.name, "Print this scene")->type_name("");
    command->add_option("--copy", options.scenes.copy, "Write it to a file instead")->type_name("FILE");
}

int dispatch(const CLI::App& cli, Options& options) {
    use_isa();
    std::optional<ThreadLimit> limit;
    if (options.threads > 0) limit.emplace(options.threads);
    if (!options.memory.empty()) options.scene.memory_bytes = parse_memory(options.memory, "--memory");
    options.run.scene = options.compare.scene = options.scene;
    if (cli.got_subcommand("run")) return run_command(options.run);
    if (cli.got_subcommand("check")) return check_command(options.scene);
    if (cli.got_subcommand("info")) return info_command(options.scene);
    if (cli.got_subcommand("render")) return render_command(options.render);
    if (cli.got_subcommand("export")) return export_command(options.to);
    if (cli.got_subcommand("compare")) return compare_command(options.compare);
    if (cli.got_subcommand("reproduce")) return reproduce_command(options.reproduce);
    if (cli.got_subcommand("mesh")) return mesh_command(options.mesh);
    return scenes_command(options.scenes);
}

int complain(const std::string& text, int code) {
    put(stderr, fmt::format("tidelock: {}\n", text));
    return code;
}

int run_program(int argc, char** argv) {
    CLI::App cli("tidelock: fluids and solids that push on each other", "tidelock");
    Options options;
    describe(cli, options);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? ExitCode::done : ExitCode::refused;
    } catch (const InputError& error) {  // --version names the instruction set
        return complain(error.what(), ExitCode::refused);
    }
    try {
        return dispatch(cli, options);
    } catch (const UsageError& error) {
        put(stderr, fmt::format("{}\n", error.what()));
        return ExitCode::refused;
    } catch (const InputError& error) {
        return complain(error.what(), ExitCode::refused);
    } catch (const std::bad_alloc&) {
        return complain("out of memory: use fewer cells (domain.cells)", ExitCode::failed);
    } catch (const std::exception& error) {
        return complain(error.what(), ExitCode::failed);
    }
}

}  // namespace

/// Runs before the constructors of all libraries.
[[gnu::section(".preinit_array"), gnu::used]] static void (*before_libraries)() = say_what_nobody_catches;

int main(int argc, char** argv) {
    open_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow fails like a full disk, with its name
    return checked_output(run_program(argc, argv));
}
