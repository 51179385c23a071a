#include <fstream>

#include "app/program.h"
#include "base/files_testing.h"

namespace tidelock {
namespace {

TEST(Usage, WrongUsageExitsWithTwoAndSaysWhat) {
    for (const auto& [arguments, part] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{}, "subcommand is required"},
             {{"run"}, "SCENE is required"},
             {{"run", "boxes-2d", "--frobnicate"}, "--frobnicate"},
             {{"run", "boxes-2d", "--threads", "0"}, "--threads"},
             {{"run", "boxes-2d", "--steps", "-1"}, "--steps: must be a whole number from 0 to 1000000000000, not -1"},
             {{"run", "boxes-2d", "--frames", "1.5"},
              "--frames: must be a whole number from 0 to 1000000000000, not 1.5"},
             {{"check", "boxes-2d", "--memory", "-1GB"},
              "--memory: must be a size of at least 1MB, such as 4GB or 500MB"},
             {{"check", "boxes-2d", "--memory", "0"}, "--memory: must be a size of at least 1MB"},
             {{"check", "boxes-2d", "--memory", "4 apples"}, "--memory: must be a size of at least 1MB"},
             {{"check", "boxes-2d", "--memory", "inf"}, "--memory: must be a size of at least 1MB"},
             {{"run", "boxes-2d", "--set", "name=../x"}, "name: \"../x\" cannot be a folder's name"},
             {{"run", "boxes-2d", "--resume", "--restart"}, "--restart"},
             {{"run", "boxse-2d"}, "Did you mean boxes-2d?"},
             {{"check", "/nonexistent/scene.json"}, "no such file"},
             {{"check", "boxes-2d", "--set", "fluid.densty=1"}, "densty"},
             {{"render", "/tmp"}, "not the folder of a run"},
             {{"info", "/tmp"}, "not of a run"},
             {{"scenes", "nothing"}, "no scene of the library"},
             {{"reproduce"}, "PAPER is required"},
             {{"reproduce", "knuth1974"}, "there is aanjaneya2018"},
             {{"reproduce", "aanjaneya2018", "figre7"}, "Did you mean figure7?"}}) {
        const Outcome outcome = tidelock(arguments);
        EXPECT_EQ(outcome.code, 2) << outcome.output;
        expect_contains(outcome.output, part);
    }
}

TEST(Usage, HelpAndVersionExitWithZero) {
    const Outcome help = tidelock({"--help"});
    EXPECT_EQ(help.code, 0);
    for (const char* part : {"run", "check", "info", "render", "scenes", "reproduce", "Examples", "Exit codes"})
        expect_contains(help.output, part);
    const Outcome version = tidelock({"--version"});
    EXPECT_EQ(version.code, 0);
    expect_contains(version.output, "tidelock 0.");
    EXPECT_EQ(tidelock({"run", "--help"}).code, 0);
}

TEST(Usage, OneCheckReportsEveryErrorWithItsPlace) {
    const Folder folder;
    const auto file = folder / "wrong.json";
    std::ofstream(file) << R"({
  "tidelock": 1,
  "domain": { "size": [1, 1, 1], "cells": 32 },
  "time": { "duration": 1 },
  "fluid": { "densty": 1, "density": -3 },
  "solids": [
    { "name": "a", "shape": { "type": "sphere", "radius": 0.2 }, "position": [0.4, 0.5, 0.5], "density": 1 },
    { "name": "b", "shape": { "type": "sphere", "radius": 0.2 }, "position": [0.5, 0.5, 0.5], "density": 1 },
    { "name": "c", "shape": { "type": "mesh", "file": "nowhere.obj" }, "position": [0.8, 0.8, 0.8], "density": 1 }
  ]
}
)";
    const Outcome outcome = tidelock({"check", file.string()});
    EXPECT_EQ(outcome.code, 2);
    for (const char* place : {":5:14: error: fluid.densty", ":5:38: error: fluid.density", ":8:78: error: solids[1]",
                              ":9:55: error: solids[2]"})
        expect_contains(outcome.output, place);
    for (const char* part : {"densty", "-3", "overlap", "nowhere.obj"}) expect_contains(outcome.output, part);
    EXPECT_TRUE(outcome.output.ends_with("4 errors\n")) << outcome.output;
}

TEST(Usage, CheckTellsWhatASceneAmountsTo) {
    const Outcome outcome = tidelock({"check", "box-lift-2d"});
    EXPECT_EQ(outcome.code, 0);
    // 0.25 m x 0.25 m of a tenth of a kilogram per cubic metre.
    for (const char* part : {"128 x 256 cells", "0.00625 kg/m", "rises", "no errors"})
        expect_contains(outcome.output, part);
}

TEST(Usage, AGridBeyondTheMemoryIsRefusedBeforeAnythingIsAllocated) {
    const Folder folder;
    const Outcome outcome =
        tidelock({"run", "box-lift", "--out", (folder / "x").string(), "--set", "domain.cells=4096"});
    EXPECT_EQ(outcome.code, 2);
    expect_contains(outcome.output, "may be used");
    EXPECT_EQ(folder.entries(), 0);
    // The state of its 4 million cells takes 200 MB. The run's 790 MiB are an estimate, which refuses nothing.
    EXPECT_EQ(tidelock({"check", "box-lift", "--memory", "100MB"}).code, 2);
    const Outcome warned = tidelock({"check", "box-lift", "--memory", "400MB"});
    EXPECT_EQ(warned.code, 0) << warned.output;
    expect_contains(warned.output, "stops and saves");
}

TEST(Usage, ALibrarySceneCanBeCopiedAndIsNotOverwritten) {
    const Folder folder;
    const auto file = folder / "my.json";
    const Outcome printed = tidelock({"scenes", "boxes-2d"});
    EXPECT_EQ(tidelock({"scenes", "boxes-2d", "--copy", file.string()}).code, 0);
    EXPECT_EQ(bytes_of(file), printed.output);
    std::ofstream(file, std::ios::app) << " ";
    EXPECT_EQ(tidelock({"scenes", "boxes", "--copy", file.string()}).code, 2);
    EXPECT_EQ(bytes_of(file), printed.output + " ");
}

TEST(Usage, InfoOfASceneIsTheSceneWithEveryDefault) {
    const Folder folder;
    const Outcome first = tidelock({"info", "boxes-2d", "--set", "time.fps=25"});
    EXPECT_EQ(first.code, 0);
    const auto file = folder / "resolved.json";
    std::ofstream(file) << first.output;
    EXPECT_EQ(tidelock({"info", file.string()}).output, first.output);
}

TEST(Usage, MeshTellsFaultsAndRepairsThem) {
    const Folder folder;
    const auto file = folder / "open.obj", out = folder / "whole.ply";
    // A tetrahedron of volume 1/6 without its last face.
    std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    const Outcome look = tidelock({"mesh", file.string()});
    EXPECT_EQ(look.code, 2);
    for (const char* part : {"size 1 x 1 x 1", "fault: 3 open edges", "a repair would have: filled a hole of 3 edges",
                             "--repair OUT.ply", "\"repair\": true"})
        expect_contains(look.output, part);
    const Outcome mended = tidelock({"mesh", file.string(), "--repair", out.string()});
    EXPECT_EQ(mended.code, 0) << mended.output;
    expect_contains(mended.output, "volume 0.166667");
    const Outcome whole = tidelock({"mesh", out.string()});
    EXPECT_EQ(whole.code, 0) << whole.output;
    expect_contains(whole.output, "centre of mass [0.25, 0.25, 0.25]");
    EXPECT_EQ(tidelock({"mesh", file.string(), "--repair", out.string()}).code, 2) << "nothing is overwritten";
    expect_contains(tidelock({"mesh", "bunnie"}).output, "did you mean \"bunny\"");
    EXPECT_EQ(tidelock({"mesh"}).code, 2);
}

}  // namespace
}  // namespace tidelock
