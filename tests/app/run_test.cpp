#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "app/program.h"
#include "base/files_testing.h"
#include "io/run_folder.h"
#include "io/step_log.h"
#include "io/vdb.h"

namespace tidelock {
namespace {

TEST(Run, LeavesTheFilesOfTheContract) {
    const Folder folder;
    const Outcome outcome = tidelock(small_run(folder / "a"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    expect_contains(outcome.output, "frame 12/12");
    const RunPaths run{folder / "a"};
    // 0.4 s at 30 frames a second, and the start.
    EXPECT_EQ(run.vdb_frames().size(), 13u);
    std::set<std::string> pictures;
    for (int frame = 0; frame <= 12; ++frame) pictures.insert(bytes_of(run.preview_png(frame)));
    EXPECT_EQ(pictures.size(), 13u) << "every picture differs from the others";
    EXPECT_EQ(files_in(run.checkpoints()).size(), 2u) << "the last two checkpoints";
    EXPECT_TRUE(std::filesystem::exists(run.solids()));
    const VdbFile vdb = read_vdb(run.frame_vdb(12));
    for (const char* name : {"density", "temperature", "pressure", "velocity", "solid"})
        EXPECT_NE(vdb.find(name), nullptr);
    EXPECT_DOUBLE_EQ(vdb.time, 0.4);
    // The resolved scene gives the same bits again.
    const Outcome again = tidelock({"run", run.scene().string(), "--out", (folder / "b").string(), "--quiet"});
    EXPECT_EQ(again.code, 0);
    EXPECT_EQ(again.output, "");
    EXPECT_EQ(comparable_steps(folder / "b"), comparable_steps(run.folder));
}

TEST(Run, StepsEndAtFramesAndCountOn) {
    const Folder folder;
    ASSERT_EQ(tidelock(small_run(folder / "a", {"--set", "time.step=0.02", "--frames", "4"})).code, 0);
    const auto steps = read_step_log(folder / "a/steps.jsonl");
    ASSERT_EQ(steps.size(), 8u);  // two a frame: 0.02 s and the remaining 1/30 s - 0.02 s
    double before = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].step, static_cast<std::int64_t>(i + 1));
        EXPECT_EQ(steps[i].frame, static_cast<std::int64_t>(i / 2 + 1));
        EXPECT_NEAR(steps[i].time - before, steps[i].dt, 1e-15);
        before = steps[i].time;
        if (i % 2 == 1) {
            const std::size_t frame = i / 2 + 1;
            EXPECT_EQ(steps[i].time, static_cast<double>(frame) / 30);
        }
        EXPECT_EQ(steps[i].seconds.front().first, "total");
    }
}

TEST(Run, ThreadsDoNotChangeABit) {
    const Folder folder;
    for (const char* threads : {"1", "2"}) {
        const auto out = folder / threads;
        ASSERT_EQ(
            tidelock({"run", "ball-on-plume-demo", "--out", out.string(), "--threads", threads, "--steps", "4", "--set",
                      "domain.cells=40", "--set", "render.width=96", "--set", "output.preview_share=1", "--quiet"})
                .code,
            0);
    }
    EXPECT_EQ(comparable_steps(folder / "1"), comparable_steps(folder / "2"));
    EXPECT_EQ(bytes_of(files_in(folder / "1/checkpoint").back()), bytes_of(files_in(folder / "2/checkpoint").back()));
    EXPECT_EQ(bytes_of(folder / "1/preview/000002.png"), bytes_of(folder / "2/preview/000002.png"));
}

// Bubbles, a level set and bodies that touch: stopped and resumed, or on another number of threads, it is the same run.
TEST(Run, LiquidsResumeWithTheSameBits) {
    const Folder folder;
    const auto run = [&](const char* name, const char* threads, const char* steps, bool resume) {
        std::vector<std::string> arguments{"run",       "boat-and-balls",
                                           "--out",     (folder / name).string(),
                                           "--threads", threads,
                                           "--steps",   steps,
                                           "--set",     "domain.cells=40",
                                           "--set",     "fluid.bubbles=constraint",
                                           "--set",     "output.preview=false",
                                           "--quiet"};
        if (resume) arguments.emplace_back("--resume");
        EXPECT_EQ(tidelock(arguments).code, 0);
    };
    run("whole", "1", "6", false);
    run("parts", "2", "3", false);
    run("parts", "2", "6", true);
    EXPECT_EQ(comparable_steps(folder / "whole"), comparable_steps(folder / "parts"));
    EXPECT_EQ(bytes_of(files_in(folder / "whole/checkpoint").back()),
              bytes_of(files_in(folder / "parts/checkpoint").back()));
}

class LibraryScene : public testing::TestWithParam<const char*> {};

TEST_P(LibraryScene, RunsTwoStepsWithFiniteNumbersAndChangingPictures) {
    const Folder folder;
    const std::string name = GetParam();
    const std::string cells = name.ends_with("2d") ? "domain.cells=64" : "domain.cells=40";
    // Two frames, each a step: 200 frames a second are below every step that the flow asks for.
    const Outcome outcome =
        tidelock({"run", name, "--out", (folder / "a").string(), "--frames", "2", "--quiet", "--set", cells, "--set",
                  "render.width=96", "--set", "time.fps=200", "--set", "output.preview_share=1"});
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    const auto steps = read_step_log(folder / "a/steps.jsonl");
    ASSERT_GE(steps.size(), 2u);
    for (const StepRecord& step : steps) {
        EXPECT_TRUE(step.valid);
        EXPECT_TRUE(step.solves.at(0).converged);
        EXPECT_LE(step.solves.at(0).residual.back(), 1e-6);
        EXPECT_TRUE(std::isfinite(step.fluid->kinetic_energy));
    }
    EXPECT_NE(bytes_of(folder / "a/preview/000000.png"), bytes_of(folder / "a/preview/000002.png"));
}

INSTANTIATE_TEST_SUITE_P(Run, LibraryScene,
                         testing::Values("ball-on-plume", "ball-on-plume-demo", "boat-and-balls", "box-lift",
                                         "box-lift-2d", "boxes", "boxes-2d", "bunnies-in-pool", "buoyancy-ladder",
                                         "dam-break", "fifteen-bunnies", "floating-crates", "glug", "jug-and-glass",
                                         "rising-bubble", "rising-bubble-2d", "stack-under-water", "water-wheel",
                                         "wind-vane"),
                         [](const auto& scene) {
                             std::string name = scene.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Run, TheLibraryHasNoOtherScenes) {
    const std::string list = tidelock({"scenes"}).output;
    EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 19) << "a new scene belongs into the list above: " << list;
}

/// The values of an accessor of a .glb, as float.
std::vector<float> glb_numbers(const std::string& glb, const nlohmann::json& json, std::size_t accessor) {
    const auto& a = json["accessors"][accessor];
    const auto& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::size_t components = a["type"] == "SCALAR" ? 1 : a["type"] == "VEC3" ? 3 : 4;
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + 12, 4);
    std::vector<float> out(a["count"].get<std::size_t>() * components);
    const std::size_t offset =
        20 + length + 8 + view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0});
    std::memcpy(out.data(), glb.data() + offset, out.size() * sizeof(float));
    return out;
}

TEST(Run, TheAnimationOfTheBodiesMatchesTheSteps) {
    const Folder folder;
    ASSERT_EQ(tidelock({"run", "ball-on-plume-demo", "--out", (folder / "a").string(), "--frames", "3", "--quiet",
                        "--set", "domain.cells=40", "--set", "output.preview=false", "--set", "output.vdb=false"})
                  .code,
              0);
    const std::string glb = bytes_of(folder / "a/solids.glb");
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + 12, 4);
    const auto json = nlohmann::json::parse(glb.substr(20, length));
    const auto& animation = json["animations"][0];
    const auto steps = read_step_log(folder / "a/steps.jsonl");
    int compared = 0;
    for (const auto& channel : animation["channels"]) {
        if (channel["target"]["path"] != "translation") continue;
        const auto& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
        const auto times = glb_numbers(glb, json, sampler["input"].get<std::size_t>());
        const auto places = glb_numbers(glb, json, sampler["output"].get<std::size_t>());
        ASSERT_EQ(times.size(), 4u);
        for (std::size_t k = 1; k < times.size(); ++k)
            for (const StepRecord& step : steps)
                if (static_cast<float>(step.time) == times[k]) {
                    for (std::size_t a = 0; a < 3; ++a)
                        EXPECT_EQ(places[3 * k + a], static_cast<float>(step.bodies[0].position[a]));
                    ++compared;
                }
    }
    EXPECT_EQ(compared, 3);
}

TEST(Run, RenderMakesThePicturesOfTheRunAgain) {
    const Folder folder;
    ASSERT_EQ(tidelock(small_run(folder / "a", {"--frames", "3"})).code, 0);
    const std::string before = bytes_of(folder / "a/preview/000000.png");
    std::filesystem::remove(folder / "a/preview/000000.png");
    ASSERT_EQ(tidelock({"render", (folder / "a").string()}).code, 0);
    // The first frame holds round numbers, which float keeps: the same picture. Later ones may differ in a last bit.
    EXPECT_EQ(bytes_of(folder / "a/preview/000000.png"), before);
    const Outcome one = tidelock({"render", (folder / "a").string(), "--frame", "2", "--out", (folder / "p").string(),
                                  "--set", "render.field=speed"});
    ASSERT_EQ(one.code, 0) << one.output;
    EXPECT_EQ(files_in(folder / "p").size(), 1u);
    EXPECT_NE(bytes_of(folder / "p/000002.png"), bytes_of(folder / "a/preview/000002.png"));
    EXPECT_EQ(tidelock({"render", (folder / "a").string(), "--frame", "9"}).code, 2);
}

TEST(Run, ProfileNamesStagesAndTheSolversTraffic) {
    const Folder folder;
    const Outcome outcome = tidelock(small_run(folder / "a", {"--frames", "2", "--profile"}));
    ASSERT_EQ(outcome.code, 0);
    for (const char* part : {"stage", "share", "GB/s", "advect", "solve", "pressure solve", "checkpoint"})
        expect_contains(outcome.output, part);
}

TEST(Run, ItsLastLineSaysWhatPicturesCost) {
    const Folder folder;
    const Outcome all = tidelock(small_run(folder / "a", {"--frames", "3"}));
    const std::string last = all.output.substr(all.output.rfind('\n', all.output.size() - 2) + 1);
    for (const char* part : {"pictures: 4 of 4 frames", " s of ", " %)"}) expect_contains(last, part);
    expect_contains(all.output, " s/frame  ETA ");
    const Outcome none = tidelock(small_run(folder / "b", {"--frames", "3", "--no-preview"}));
    EXPECT_EQ(none.code, 0);
    EXPECT_EQ(none.output.find("pictures"), std::string::npos) << none.output;
    EXPECT_TRUE(files_in(folder / "b/preview").empty());
}

// The share of a run that draws faster than it computes is small; here pictures are as slow as they get: nine tenths of a
// share that is next to nothing are left out, and the film keeps its pace all the same.
TEST(Run, PicturesBeyondTheirShareAreLeftOutExceptTheFirstAndTheLast) {
    const Folder folder;
    const Outcome outcome = tidelock(small_run(folder / "a", {"--set", "output.preview_share=1e-6"}));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_EQ(RunPaths{folder / "a"}.pictures(), (std::vector<int>{0, 12}));
    expect_contains(outcome.output, "pictures: 2 of 13 frames");
    expect_contains(outcome.output, "tidelock render");
}

TEST(Run, InfoOfARunTellsHowFarItIs) {
    const Folder folder;
    ASSERT_EQ(tidelock(small_run(folder / "a", {"--frames", "3"})).code, 0);
    const Outcome outcome = tidelock({"info", (folder / "a").string()});
    EXPECT_EQ(outcome.code, 0);
    for (const char* part : {"not finished", "0 to 3 of 12", "checkpoint", "iterations"})
        expect_contains(outcome.output, part);
    ASSERT_EQ(tidelock({"run", (folder / "a").string(), "--resume", "--quiet"}).code, 0);
    expect_contains(tidelock({"info", (folder / "a").string()}).output, ", finished");
}

}  // namespace
}  // namespace tidelock
