#include "scene/library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "scene/schema.h"
#include "scene/writer.h"
#include "support.h"

namespace tidelock::scene {
namespace {

std::string file_text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

TEST(Library, HoldsTheFilesOfTheFolder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(TIDELOCK_SCENE_DIR)) {
        const std::string name = entry.path().stem().string();
        names.insert(name);
        ASSERT_NE(find_scene(name), nullptr) << name;
        EXPECT_EQ(find_scene(name)->text, file_text(entry.path())) << name;
    }
    EXPECT_EQ(names.size(), scenes().size());
    for (const char* name : {"ball-on-plume", "ball-on-plume-demo", "box-lift", "box-lift-2d", "boxes", "boxes-2d",
                             "buoyancy-ladder", "wind-vane"})
        EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_EQ(find_scene("nothing"), nullptr);
}

TEST(Library, EveryScenePassesItsExaminationAndSaysWhatToWatch) {
    for (const LibraryScene& s : scenes()) {
        std::vector<Problem> problems = check_text(std::string(s.text));
        // Jugs and glasses have thin walls, and the warning is right.
        if (s.name == "jug-and-glass")
            std::erase_if(problems, [](const Problem& p) {
                return p.severity == Severity::warning && p.text.find("of solid behind it") != std::string::npos;
            });
        EXPECT_TRUE(problems.empty()) << s.name << "\n" << listing(problems);
        const Scene scene = read_scene(s.text).scene;
        EXPECT_EQ(scene.name, s.name);
        EXPECT_NE(scene.comment.find("Watch"), std::string::npos) << s.name;
        EXPECT_GT(s.line.size(), 20u);
        EXPECT_LT(s.line.size(), 120u) << s.name;
    }
}

TEST(Writer, WhatIsWrittenIsReadBackToTheLastBit) {
    std::vector<std::string> texts;
    for (const LibraryScene& s : scenes()) texts.emplace_back(s.text);
    texts.push_back(with_solids(
        R"({ "shape": { "type": "capsule", "radius": 0.07, "height": 0.3333333333333333 }, "position": [0.1, 0.7, 0.3], "density": 1e-3,
        "rotation": { "axis": [1, 2, 3], "degrees": 77.7 }, "angular_velocity": [0.1, 0.2, 0.3] },
        { "type": "kinematic", "name": "a \"quoted\" \\ name", "shape": { "type": "mesh", "file": "dragon", "scale": 0.01 }, "position": [0.5, 1, 0.5],
        "motion": { "keyframes": [{ "time": 0.1, "rotation": { "quaternion": [0.5, 0.5, 0.5, 0.5] } }, { "time": 0.7, "position": [0.1, 0.3, 0.9] }] } },
        { "type": "kinematic", "shape": { "type": "torus", "radius": 0.2, "tube": 0.1 }, "position": [0.5, 1.6, 0.5], "motion": { "type": "spin", "axis": [1, 1, 1],
        "degrees_per_second": 33.3 } }, { "type": "static", "shape": { "type": "plane", "normal": [0.3, 1, 0.2] }, "position": [0, 0.01, 0] },
        { "type": "kinematic", "shape": { "type": "cylinder", "radius": 0.2, "height": 0.1 }, "position": [0.5, 0.3, 0.5], "velocity": [0, 0.1, 0], "colour": "#123456" })"));
    texts.emplace_back(
        R"({ "tidelock": 1, "domain": { "size": [1, 2, 1], "cells": 32 }, "time": { "duration": 1, "step": 0.1 },
        "render": { "camera": { "position": [3, 1, 3], "fov": 40.1 }, "width": 640 }, "comment": "a\nb\t\u0001 é",
        "fluid": { "initial": [{ "shape": { "type": "plane", "normal": [0.1, 1, 0] }, "position": [0, 0.3, 0] }],
        "sources": [{ "shape": { "type": "sphere", "radius": 0.1 }, "position": [0.5, 0.1, 0.5], "end": 0.3 }] } })");
    texts.push_back(with_solids(
        R"({ "shape": { "type": "box", "size": [0.2, 0.1] }, "position": [0.5, 1], "rotation": 33.3, "density": 1 })",
        2));
    texts.push_back(minimal(R"(, "solids": [ { "name": "a", "shape": { "type": "sphere", "radius": 0.1 },
        "position": [0.3, 1, 0.5], "density": 1 }, { "name": "b\"", "shape": { "type": "sphere", "radius": 0.1 },
        "position": [0.7, 1, 0.5], "density": 1 } ], "joints": [
        { "type": "hinge", "bodies": ["a", "b\""], "anchor": [0.5, 1, 0.51], "axis": [0.1, 0.3, 0.7], "limits": [-12.3, 0.1],
          "motor": { "torque": 0.3 } },
        { "type": "slider", "bodies": ["b\"", "world"], "axis": [1, 1, 3], "motor": { "speed": 0.7, "max_force": 0.9 } },
        { "type": "ball", "bodies": ["a", "world"], "anchor": [0.1, 0.2, 0.3] }, { "type": "fixed", "bodies": ["a", "b\""] }])"));
    for (const std::string& text : texts) {
        const Reading first = read_scene(text, test_options());
        ASSERT_TRUE(first.ok()) << listing(first.problems) << text;
        const std::string written = to_json(first.scene);
        const Reading second = read_scene(written);
        ASSERT_TRUE(second.problems.empty()) << listing(second.problems) << written;
        EXPECT_EQ(second.scene, first.scene) << written;
        EXPECT_EQ(to_json(second.scene), written);
    }
}

TEST(Schema, IsTheOneInTheDocumentation) {
    EXPECT_EQ(file_text(TIDELOCK_SCHEMA_FILE), json_schema())
        << "the keys have changed: write docs/scene.schema.json anew with build/release/bin/write_scene_schema "
           "docs/scene.schema.json";
}

}  // namespace
}  // namespace tidelock::scene
