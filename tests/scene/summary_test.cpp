#include "scene/summary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support.h"

namespace tidelock::scene {
namespace {

SceneSummary summary_of(const std::string& text) {
    const Reading r = read_scene(text, test_options());
    EXPECT_TRUE(r.ok()) << listing(r.problems);
    MeshStore meshes;
    return summarize(r.scene, meshes);
}

TEST(Summary, SphereByItsClosedForms) {
    const double radius = 0.2, density = 3, volume = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
    const SceneSummary s = summary_of(
        with_solids(R"({ "shape": { "type": "sphere", "radius": 0.2 }, "position": [0.5, 1, 0.5], "density": 3 })"));
    const BodySummary& b = s.bodies.at(0);
    EXPECT_NEAR(b.volume, volume, 1e-14);
    EXPECT_NEAR(b.mass, density * volume, 1e-14);
    EXPECT_NEAR(b.inertia[0], 0.4 * density * volume * radius * radius, 1e-15);
    EXPECT_EQ(b.inertia[1], 0);
    EXPECT_NEAR(b.buoyancy, 1.2 * volume * 9.81, 1e-14);
    EXPECT_NEAR(b.net, (density - 1.2) * volume * 9.81, 1e-14);
    EXPECT_EQ(s.cells, 16 * 32 * 16);
    EXPECT_EQ(s.bricks, 2 * 5 * 3);
    EXPECT_EQ(s.memory.active_at_start, 30 * 1024);  // gas is in every brick
    EXPECT_EQ(s.memory.later, s.memory.at_start);
    EXPECT_EQ(s.frames, 30);
}

TEST(Summary, BoxInThePlanePerMetreOfDepth) {
    const SceneSummary s = summary_of(with_solids(
        R"({ "shape": { "type": "box", "size": [0.4, 0.3] }, "position": [0.5, 1], "density": 10, "shell": true },
        { "type": "static", "shape": { "type": "plane" }, "position": [0, 0] })",
        2));
    EXPECT_NEAR(s.bodies[0].mass, 1.2, 1e-14);
    EXPECT_NEAR(s.bodies[0].inertia[0], 1.2 * 0.25 / 12, 1e-15);
    EXPECT_EQ(s.bodies[0].buoyancy, 0);  // a shell displaces nothing
    EXPECT_FALSE(s.bodies[1].bounded);
    EXPECT_NE(format(s).find("mass 1.2 kg/m"), std::string::npos) << format(s);
}

TEST(Summary, MeshHasItsOwnVolume) {
    const SceneSummary s = summary_of(with_solids(
        R"({ "shape": { "type": "mesh", "file": "bunny", "scale": 0.05 }, "position": [0.5, 1, 0.5], "density": 1.2 })"));
    MeshStore meshes;
    const double file_volume = signed_volume(meshes.get(TIDELOCK_ASSET_DIR "/meshes/bunny.ply").mesh);
    EXPECT_NEAR(s.bodies[0].volume, file_volume * 0.05 * 0.05 * 0.05, 1e-12 * s.bodies[0].volume);
    EXPECT_NE(format(s).find("hovers"), std::string::npos) << format(s);
}

TEST(Summary, FirstStep) {
    const auto step = [](const std::string& more) { return estimate_first_step(read_scene(minimal(more)).scene); };
    // 3 cells of 1/16 m at 9.81 m/s^2 from rest: sqrt(0.1875 / 9.81) s, more than a frame.
    EXPECT_EQ(step(""), 1.0 / 30);
    const std::string still =
        R"(, "gravity": [0, 0, 0], "fluid": { "sources": [{ "shape": { "type": "sphere", "radius": 0.2 }, "position": [0.5, 0.5, 0.5], "velocity": [0, 10, 0] }] })";
    EXPECT_NEAR(step(still), 0.01875, 1e-15);  // 3 cells of 1/16 m at 10 m/s
    EXPECT_EQ(
        estimate_first_step(
            read_scene(
                R"({ "tidelock": 1, "domain": { "size": [1, 1, 1], "cells": 8 }, "time": { "duration": 1, "step": 0.002 } })")
                .scene),
        0.002);
    // With gravity: (v + g dt) dt = 3 h.
    const double dt = step(R"(, "gravity": [0, -1000, 0])");
    EXPECT_NEAR(1000 * dt * dt, 0.1875, 1e-12);
}

// What a user asks of a body beside water: where it starts, and how deep it lies in the end (Archimedes).
TEST(Summary, BodiesAndWater) {
    const auto fate = [](const std::string& more, double height) {
        const SceneSummary s = summary_of(minimal(fmt::format(
            R"(, "fluid": {{ "kind": "liquid", "initial": [ {{ "shape": {{ "type": "plane" }}, "position": [0, 1, 0] }} ] }},
               "solids": [ {{ "shape": {{ "type": "sphere", "radius": 0.2 }}, "position": [0.5, {}, 0.5], {} }} ])",
            height, more)));
        return s.bodies.at(0).fate;
    };
    EXPECT_EQ(fate(R"("density": 300)", 1.5), "floats, 30 % under; starts in the air");
    EXPECT_EQ(fate(R"("density": 300)", 1), "floats, 30 % under; starts at the surface");
    EXPECT_EQ(fate(R"("density": 1000)", 0.5), "hovers; starts under the surface");
    EXPECT_EQ(fate(R"("density": 2500)", 1.5), "sinks; starts in the air");
    EXPECT_EQ(fate(R"("density": 2, "shell": true)", 1.5), "sinks: a shell lets the liquid in; starts in the air");
}

TEST(Summary, MeshesTellTheirSizeAndOrigin) {
    const SceneSummary s = summary_of(with_solids(
        R"({ "shape": { "type": "mesh", "file": "bunny", "scale": 0.05 }, "position": [0.5, 1, 0.5], "density": 1.2 })"));
    MeshStore meshes;
    const MeshEntry& bunny = meshes.get(TIDELOCK_ASSET_DIR "/meshes/bunny.ply");
    const Vec3 size = bounds(bunny.mesh).size(), origin = -0.05 * bunny.centre;
    EXPECT_NE(s.bodies[0].mesh.find(
                  fmt::format("{:.4g} x {:.4g} x {:.4g} in the file, scale 0.05", size[0], size[1], size[2])),
              std::string::npos)
        << s.bodies[0].mesh;
    EXPECT_NE(s.bodies[0].mesh.find(
                  fmt::format("[{:.4g}, {:.4g}, {:.4g}] m from the centre", origin[0], origin[1], origin[2])),
              std::string::npos)
        << s.bodies[0].mesh;
    EXPECT_EQ(s.bodies[0].size,
              fmt::format("{:.4g} x {:.4g} x {:.4g} m", 0.05 * size[0], 0.05 * size[1], 0.05 * size[2]));
}

MemoryEstimate memory_of(const std::string& domain, const std::string& fluid, const std::string& solids = "") {
    const Reading r =
        read_scene(R"({ "tidelock": 1, "time": { "duration": 10 }, "output": { "vdb": false, "preview": false },
        "domain": )" + domain +
                       R"(, "fluid": { "kind": "liquid", )" + fluid + R"( }, "solids": [)" + solids + "] }",
                   test_options());
    EXPECT_TRUE(r.ok()) << listing(r.problems);
    MeshStore meshes;
    return estimate_memory(r.scene, meshes);
}

// Cost follows the liquid: a puddle in a hall takes the memory of the puddle.
TEST(Memory, ALiquidTakesThatOfItsOwnCells) {
    const std::string hall = R"({ "size": [8, 8, 8], "cells": [512, 512, 512] })";
    const std::string puddle =
        R"("initial": [ { "shape": { "type": "sphere", "radius": 0.3 }, "position": [1, 1, 1] } ])";
    const MemoryEstimate one = memory_of(hall, puddle);
    EXPECT_LT(one.later, 1e9);
    // 0.3 m are 19.2 cells. Samples are 20 along the box: 3 % off at most for a ball.
    EXPECT_NEAR(one.liquid_at_start, 4.0 / 3 * std::numbers::pi * 19.2 * 19.2 * 19.2, 0.03 * one.liquid_at_start);
    EXPECT_GT(memory_of(hall, R"("bubbles": "constraint", )" + puddle).at_start, 5e10);
    // A body that moves freely keeps its bricks, and a second puddle in the same place is the same one.
    EXPECT_GT(memory_of(hall, puddle,
                        R"({ "shape": { "type": "sphere", "radius": 0.5 }, "position": [5, 5, 5], "density": 1 })")
                  .active_at_start,
              1.5 * one.active_at_start);
    const std::string twice = puddle.substr(0, puddle.size() - 1) +
                              R"(, { "shape": { "type": "sphere", "radius": 0.3 }, "position": [1, 1, 1] } ])";
    EXPECT_EQ(memory_of(hall, twice).liquid_at_start, one.liquid_at_start);
    const std::string air =
        puddle.substr(0, puddle.size() - 1) +
        R"(, { "shape": { "type": "box", "size": [2, 2, 2] }, "position": [1, 2, 1], "air": true } ])";
    EXPECT_NEAR(memory_of(hall, air).liquid_at_start, 0.5 * one.liquid_at_start, 0.01 * one.liquid_at_start);
    EXPECT_EQ(
        memory_of(hall, R"("initial": [ { "shape": { "type": "plane" }, "position": [0, 8, 0] } ])").liquid_at_start,
        512.0 * 512 * 512);
}

// A pipe in a hall, 200^3 cells: 3.4 GiB were foretold where the run takes 63 MB in its first steps.
TEST(Memory, ASourceTakesWhatItPours) {
    const std::string hall = R"({ "size": [10, 10, 10], "cells": [200, 200, 200] })";
    const auto source = [&](const std::string& more) {
        return memory_of(
            hall, R"("sources": [ { "shape": { "type": "box", "size": [0.2, 0.2, 0.2] }, "position": [5, 5, 5], )" +
                      more + " } ]");
    };
    const MemoryEstimate jet = source(R"("velocity": [0, -1, 0])");
    EXPECT_LT(jet.at_start, 100e6);
    EXPECT_GT(jet.at_start, 50e6);
    // Velocity times area times ten seconds, and what is in the source; in cells of 0.05 m. It has 64 of them, which
    // count once or twice: those at the start are found by samples.
    EXPECT_NEAR(jet.liquid_later, 64 + 0.04 * 1 * 10 / 0.000125, 64);
    EXPECT_NEAR(source(R"("velocity": [0, -1, 0], "end": 5)").liquid_later, 64 + 0.04 * 5 / 0.000125, 64);
    EXPECT_LT(jet.later, 1e9);
    // Never more than the domain holds.
    EXPECT_EQ(source(R"("velocity": [0, -1e4, 0])").liquid_later, 8e6);
}

}  // namespace
}  // namespace tidelock::scene
