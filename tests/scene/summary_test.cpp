#include "scene/summary.h"

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
    return summarize(r.scene, {}, meshes);
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
    EXPECT_EQ(s.bytes, 30 * 1024 * Limits{}.bytes_per_cell);
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

// Cost follows the liquid: a puddle in a hall takes the memory of the puddle.
TEST(Summary, ALiquidTakesTheMemoryOfItsOwnCells) {
    const auto bytes = [](const char* liquid) {
        const Reading r = read_scene(std::string(R"({ "tidelock": 1, "dimension": 3, "time": { "duration": 1 },
            "domain": { "size": [8, 8, 8], "cells": [512, 512, 512] }, "fluid": { "kind": "liquid", )") +
                                         liquid + R"( "initial": [ { "shape": { "type": "sphere", "radius": 0.3 },
                                                 "position": [0.5, 0.1, 0.5] } ] } })",
                                     test_options());
        EXPECT_TRUE(r.ok()) << listing(r.problems);
        MeshStore meshes;
        return summarize(r.scene, {}, meshes).bytes;
    };
    EXPECT_LT(bytes(""), 1e9);
    EXPECT_GT(bytes(R"("bubbles": "constraint", )"), 5e10);
}

}  // namespace
}  // namespace tidelock::scene
