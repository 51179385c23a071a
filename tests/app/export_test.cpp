#include <cstdlib>

#include "base/files_testing.h"
#include "io/step_log.h"
#include "program.h"

namespace tidelock {
namespace {

/// Three frames.
std::vector<std::string> run_of(const std::string& scene, const std::filesystem::path& out) {
    return {"run",
            scene,
            "--out",
            out.string(),
            "--frames",
            "3",
            "--quiet",
            "--set",
            "domain.cells=16",
            "--set",
            "output.preview=false",
            "--set",
            "coupling.solver.tolerance=1e-4"};
}

/// A scene whose crate has a name that is none in USD, with a quote in it.
constexpr const char* pool = R"({
  "tidelock": 1, "name": "pool", "domain": { "size": [1, 1, 0.5], "cells": [16, 16, 8] },
  "time": { "duration": 0.24, "fps": 12.5 },
  "fluid": { "kind": "liquid", "initial": [ { "shape": { "type": "plane" }, "position": [0.5, 0.45, 0.25] } ] },
  "solids": [ { "name": "a \"crate\" 1", "density": 500, "shape": { "type": "box", "size": [0.3, 0.2, 0.2] },
                "position": [0.5, 0.5, 0.25], "velocity": [0.3, -0.2, 0.1], "angular_velocity": [0, 1, 2] },
              { "name": "floor", "type": "static", "shape": { "type": "sphere", "radius": 0.1 }, "position": [0.7, 0, 0.2] } ] })";

/// Counts of a word in a text.
int occurrences(const std::string& text, const std::string& word) {
    int n = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

class Export : public testing::Test {
  protected:
    void SetUp() override {
        write_file_atomically(folder_ / "pool.json", std::string_view(pool));
        const Outcome ran = tidelock(run_of((folder_ / "pool.json").string(), folder_ / "a"));
        ASSERT_EQ(ran.code, 0) << ran.output;
    }
    Folder folder_;
};

TEST_F(Export, UsdHoldsBodiesSurfaceVolumesAndUnits) {
    const Outcome done = tidelock({"export", (folder_ / "a").string(), "--usd", (folder_ / "b.usda").string()});
    ASSERT_EQ(done.code, 0) << done.output;
    const std::string text = bytes_of(folder_ / "b.usda");
    EXPECT_EQ(text.substr(0, 9), "#usda 1.0");
    for (const char* part :
         {"metersPerUnit = 1\n", "upAxis = \"Y\"", "endTimeCode = 3\n", "timeCodesPerSecond = 12.5\n",
          "def Camera \"Camera\"", "def Xform \"a__crate__1\"", R"(tidelock:name = "a \"crate\" 1")",
          "def Xform \"floor\"", "def Mesh \"Liquid\"", "vector3f[] velocities.timeSamples", "def Volume \"Fluid\"",
          "def OpenVDBAsset \"surface\""})
        expect_contains(text, part);
    EXPECT_EQ(occurrences(text, "{"), occurrences(text, "}"));
    EXPECT_EQ(occurrences(text, "("), occurrences(text, ")"));
    // The crate is where the log says, to the last digit: both have the fewest that read back.
    for (const StepRecord& step : read_step_log(folder_ / "a/steps.jsonl")) {
        if (step.frame != 3 || step.time < 0.2399) continue;
        const auto& x = step.bodies[0].position;
        expect_contains(text, fmt::format("3: ({}, {}, {}),", x[0], x[1], x[2]));
    }
    // Frames 0 to 3 of four grids, by a way from the layer to the run.
    EXPECT_EQ(occurrences(text, "@./a/frames/"), 16);
    expect_contains(text, "3: @./a/frames/000003.vdb@");
}

TEST_F(Export, SaysWhatIsWrongAndWritesNothing) {
    expect_contains(tidelock({"export", (folder_ / "a").string()}).output, "--usd FILE.usda");
    EXPECT_EQ(tidelock({"export", (folder_ / "a").string()}).code, 2);
    EXPECT_EQ(tidelock({"export", folder_.path().string(), "--usd", (folder_ / "b.usda").string()}).code, 2);
    // Without Blender in reach.
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nowhere", 1);
    const Outcome none = tidelock({"export", (folder_ / "a").string(), "--blender", (folder_ / "b.blend").string()});
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(none.code, 2);
    expect_contains(none.output, "--blender-script");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "b.blend"));
    // The script needs no Blender to be written.
    EXPECT_EQ(tidelock({"export", (folder_ / "a").string(), "--blender-script", (folder_ / "b.py").string()}).code, 0);
    const std::string script = bytes_of(folder_ / "b.py");
    expect_contains(script, "\"fps\": 12.5");
    expect_contains(script, "frames\"");
    EXPECT_EQ(script.find("@RUN@"), std::string::npos);
    EXPECT_EQ(script.find("@SURFACE@"), std::string::npos);
}

// Volumes, surface, velocities and bodies in one place at each time, seen by Blender itself.
TEST_F(Export, OpensInBlender) {
    const std::filesystem::path root = TIDELOCK_SOURCE_DIR;
    const std::string command = fmt::format("'{}' '{}' '{}' > '{}' 2>&1", (root / "script/check_export").string(),
                                            (folder_ / "a").string(), TIDELOCK_PROGRAM, (folder_ / "report").string());
    const int status = std::system(command.c_str());
    if (WEXITSTATUS(status) == 77) GTEST_SKIP() << bytes_of(folder_ / "report");
    EXPECT_EQ(status, 0) << bytes_of(folder_ / "report");
}

}  // namespace
}  // namespace tidelock
