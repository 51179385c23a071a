#include "scene/reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "base/error.h"
#include "support.h"

namespace tidelock::scene {
namespace {

TEST(Reader, FillsInEveryDefault) {
    const Reading r = read_scene(minimal(), test_options());
    ASSERT_TRUE(r.problems.empty()) << listing(r.problems);
    const Scene& s = r.scene;
    EXPECT_EQ(s.name, "test.json");
    EXPECT_EQ(s.gravity, (Vector{0, -9.81, 0}));
    EXPECT_EQ(s.domain.cells, (std::array<int, 3>{16, 32, 16}));
    EXPECT_EQ(s.domain.cell_size(), 0.0625);
    for (const Wall wall : s.domain.walls) EXPECT_EQ(wall, Wall::closed);
    EXPECT_EQ(s.time.fps, 30);
    EXPECT_FALSE(s.time.step.has_value());
    EXPECT_EQ(s.fluid.density, 1.2);
    EXPECT_EQ(s.fluid.transport, Transport::maccormack);
    EXPECT_EQ(s.fluid.buoyancy.temperature, 1 / 293.15);
    EXPECT_EQ(s.coupling.solver.tolerance, 1e-6);
    EXPECT_EQ(s.output.checkpoint_every, 10);
    EXPECT_EQ(s.render.width % 2 + s.render.height % 2, 0);
    EXPECT_EQ(s.render.height, 2 * s.render.width);  // the domain's proportions
}

TEST(Reader, ReadsASolidWithEverything) {
    const Reading r = read_scene(
        with_solids(
            R"({ "name": "top", "shape": { "type": "torus", "radius": 0.2, "tube": 0.05 }, "position": [0.5, 1, 0.5],
        "rotation": { "axis": [0, 0, 2], "degrees": 90 }, "density": 7, "velocity": [1, 2, 3], "angular_velocity": [4, 5, 6], "friction": 0.3,
        "restitution": 0.5, "shell": true, "colour": "#ff0080" })"),
        test_options());
    ASSERT_TRUE(r.problems.empty()) << listing(r.problems);
    const Solid& s = r.scene.solids.at(0);
    EXPECT_EQ(s.shape.kind, ShapeKind::torus);
    EXPECT_EQ(s.shape.tube, 0.05);
    EXPECT_NEAR(s.rotation.quaternion[0], std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(s.rotation.quaternion[3], std::sqrt(0.5), 1e-15);
    EXPECT_EQ(s.angular_velocity, (Vector{4, 5, 6}));
    EXPECT_EQ(s.friction, 0.3);
    EXPECT_EQ(s.restitution, 0.5);
    EXPECT_EQ(s.colour, (Colour{1, 0, 128 / 255.0}));
    EXPECT_TRUE(s.shell);
}

TEST(Reader, ReadsThePlane) {
    const Reading r = read_scene(
        with_solids(
            R"({ "shape": { "type": "box", "size": [0.2, 0.1] }, "position": [0.5, 1], "rotation": 180, "density": 1,
        "angular_velocity": 2 }, { "type": "static", "shape": { "type": "plane", "normal": [3, 4] }, "position": [0, 0] },
        { "type": "kinematic", "shape": { "type": "sphere", "radius": 0.1 }, "position": [0.2, 0.2], "motion": { "keyframes": [{ "time": 0 },
        { "time": 1, "position": [0.3, 0.2], "rotation": { "radians": 1 } }], "interpolation": "smooth" } })",
            2),
        test_options());
    ASSERT_TRUE(r.problems.empty()) << listing(r.problems);
    EXPECT_EQ(r.scene.solids[0].rotation.angle, std::numbers::pi);
    EXPECT_EQ(r.scene.solids[0].angular_velocity, (Vector{0, 0, 2}));
    EXPECT_NEAR(r.scene.solids[1].shape.normal[0], 0.6, 1e-16);
    EXPECT_EQ(r.scene.solids[1].name, "solid-2");
    const Motion& m = r.scene.solids[2].motion;
    ASSERT_EQ(m.keyframes.size(), 2u);
    EXPECT_EQ(m.keyframes[0].position, (Vector{0.2, 0.2, 0}));
    EXPECT_EQ(m.keyframes[1].rotation.angle, 1);
    EXPECT_EQ(m.interpolation, Interpolation::smooth);
}

/// Two rigid boxes and a static one, with joints.
std::string with_joints(const std::string& joints, int dimension = 3) {
    const std::string box = dimension == 3 ? R"("shape": { "type": "box", "size": [0.2, 0.2, 0.2] }, )"
                                           : R"("shape": { "type": "box", "size": [0.2, 0.2] }, )";
    const auto at = [&](const std::string& x) {
        return "\"position\": [" + x + ", 1" + (dimension == 3 ? ", 0.5" : "") + "]";
    };
    return minimal(R"(, "solids": [ { "name": "plank", "density": 5, )" + box + at("0.2") +
                       R"( }, { "name": "arm", "density": 5, )" + box + at("0.5") +
                       R"( }, { "name": "post", "type": "static", )" + box + at("0.8") + R"( } ], "joints": [)" +
                       joints + "]",
                   dimension);
}

TEST(Reader, ReadsJoints) {
    const Reading r = read_scene(with_joints(R"(
        { "type": "hinge", "bodies": ["plank", "world"], "anchor": [0.1, 1, 0.5], "axis": [0, 3, 4], "limits": [-30, 45],
          "motor": { "torque": -2.5 } },
        { "name": "rail", "type": "slider", "bodies": ["arm", "post"], "axis": [0, 2, 0], "limits": [0, 0.1],
          "motor": { "speed": 0.3, "max_force": 7 } },
        { "type": "ball", "bodies": ["plank", "arm"], "anchor": [0.35, 1, 0.5] },
        { "type": "fixed", "bodies": ["post", "plank"] })"),
                                 test_options());
    ASSERT_TRUE(r.problems.empty()) << listing(r.problems);
    ASSERT_EQ(r.scene.joints.size(), 4u);
    const Joint& hinge = r.scene.joints[0];
    EXPECT_EQ(hinge.name, "joint-1");
    EXPECT_EQ(hinge.type, JointKind::hinge);
    EXPECT_EQ(hinge.bodies, (std::array<std::string, 2>{"plank", "world"}));
    EXPECT_EQ(hinge.anchor, (Vector{0.1, 1, 0.5}));
    EXPECT_EQ(hinge.axis, (Vector{0, 0.6, 0.8}));
    EXPECT_EQ(hinge.limits, (std::array{-30.0, 45.0}));
    EXPECT_EQ(hinge.motor, (JointMotor{-2.5, {}, 0}));
    const Joint& rail = r.scene.joints[1];
    EXPECT_EQ(rail.name, "rail");
    EXPECT_EQ(rail.axis, (Vector{0, 1, 0}));
    EXPECT_EQ(rail.motor, (JointMotor{0, 0.3, 7}));
    EXPECT_EQ(r.scene.joints[2].type, JointKind::ball);
    EXPECT_FALSE(r.scene.joints[3].limits || r.scene.joints[3].motor);
    const Reading flat =
        read_scene(with_joints(R"({ "type": "hinge", "bodies": ["plank", "arm"], "anchor": [0.35, 1] })", 2));
    EXPECT_TRUE(flat.problems.empty()) << listing(flat.problems);
}

TEST(Reader, SaysWhatIsWrongWithAJoint) {
    const auto problems = [](const std::string& joint, int dimension = 3) {
        return check_text(with_joints(joint, dimension));
    };
    const std::string anchor = R"(, "anchor": [0, 0, 0])";
    problem_at(problems(R"({ "type": "hook", "bodies": ["plank", "arm"] })"), "joints[0].type", "\"hook\" is unknown");
    problem_at(problems(R"({ "type": "fixed", "bodies": ["plank"] })"), "joints[0].bodies",
               "must be a list of 2 names");
    problem_at(problems(R"({ "type": "fixed" })"), "joints[0].bodies", "is missing");
    problem_at(problems(R"({ "type": "fixed", "bodies": ["plank", "amr"] })"), "joints[0].bodies[1]",
               R"("amr" is no solid (did you mean "arm"?))");
    problem_at(problems(R"({ "type": "fixed", "bodies": ["world", "plank"] })"), "joints[0].bodies[0]",
               "\"world\" comes second");
    problem_at(problems(R"({ "type": "fixed", "bodies": ["arm", "arm"] })"), "joints[0].bodies", "joined to itself");
    problem_at(problems(R"({ "type": "fixed", "bodies": ["post", "world"] })"), "joints[0].bodies",
               "must be a rigid solid");
    problem_at(problems(R"({ "type": "hinge", "bodies": ["plank", "arm"] })"), "joints[0].anchor", "is missing");
    problem_at(problems(R"({ "type": "ball", "bodies": ["plank", "arm"], "limits": [0, 1])" + anchor + "}"),
               "joints[0].limits", "unknown key");
    problem_at(problems(R"({ "type": "hinge", "bodies": ["plank", "arm"], "axis": [0, 0, 0])" + anchor + "}"),
               "joints[0].axis", "has no direction");
    problem_at(problems(R"({ "type": "hinge", "bodies": ["plank", "arm"], "limits": [-200, 10])" + anchor + "}"),
               "joints[0].limits[0]", "from -179 to 179 degrees");
    problem_at(problems(R"({ "type": "hinge", "bodies": ["plank", "arm"], "limits": [10, -10])" + anchor + "}"),
               "joints[0].limits", "the lower one first");
    problem_at(problems(R"({ "type": "hinge", "bodies": ["plank", "arm"], "limits": [10, 20])" + anchor + "}"),
               "joints[0].limits", "must hold 0");
    problem_at(problems(R"({ "type": "hinge", "bodies": ["plank", "arm"], "motor": {})" + anchor + "}"),
               "joints[0].motor", "needs either torque or speed");
    problem_at(
        problems(R"({ "type": "slider", "bodies": ["plank", "arm"], "axis": [1, 0, 0], "motor": { "speed": 1 } })"),
        "joints[0].motor", "max_force and speed belong together");
    problem_at(problems(R"({ "type": "hinge", "bodies": ["plank", "arm"], "anchor": [0, 0], "axis": [0, 1] })", 2),
               "joints[0].axis", "exists only in 3D");
    problem_at(problems(R"({ "name": "a", "type": "fixed", "bodies": ["plank", "arm"] },
                           { "name": "a", "type": "fixed", "bodies": ["plank", "post"] })"),
               "joints[1].name", "is taken by another joint");
}

TEST(Reader, ReportsEveryMistakeAtOnce) {
    const Reading r = read_scene(R"({
  "tidelock": 1, "dimension": 3,
  "domain": { "size": [1, 2, 1], "cells": [16, 32, 16], "walls": { "y+": "opne" } },
  "time": { "duration": -1 },
  "fluid": { "transport": "MacCormak", "viscosity": 0.1, "rheology": {}, "surface": "particles" },
  "solids": [
    { "shape": { "type": "spere", "radius": 1 }, "position": [0.5, 0.5, 0.5], "density": 1 },
    { "shape": { "type": "sphere" }, "position": [0.5, 0.5], "density": "heavy" },
    { "type": "cloth", "shape": { "type": "box", "size": [1, 0, 1] }, "position": [0, 0, 0] }
  ],
  "joints": {}
})",
                                 test_options());
    const auto& p = r.problems;
    EXPECT_EQ(problem_at(p, "domain.walls.y+", "did you mean \"open\"?").place, (Place{3, 74, 0}));
    EXPECT_EQ(problem_at(p, "time.duration", "greater than 0").place, (Place{4, 25, 0}));
    problem_at(p, "fluid.transport", "did you mean \"maccormack\"?");
    problem_at(p, "fluid.viscosity", "viscosity is not available yet");
    problem_at(p, "fluid.rheology", "is not available yet");
    problem_at(p, "fluid.surface", "unknown");
    problem_at(p, "solids[0].shape.type", "did you mean \"sphere\"?");
    problem_at(p, "solids[1].shape.radius", "is missing");
    problem_at(p, "solids[1].position", "3 numbers");
    problem_at(p, "solids[1].density", "must be a number");
    problem_at(p, "solids[2].type", "\"cloth\" is not available yet; allowed: rigid, static or kinematic");
    problem_at(p, "solids[2].shape.size[1]", "from 1e-06");
    problem_at(p, "joints", "must be a list");
    EXPECT_EQ(p.size(), 13u) << listing(p);
    for (std::size_t i = 1; i < p.size(); ++i) EXPECT_LE(p[i - 1].place.line, p[i].place.line);
}

std::vector<Problem> problems_of_fluid(const std::string& fluid) {
    return read_scene(R"({ "tidelock": 1, "dimension": 2, "domain": { "size": [1, 1], "cells": [16, 16] },
                          "time": { "duration": 1 }, "fluid": )" +
                          fluid + " }",
                      test_options())
        .problems;
}

TEST(Reader, LiquidsAreChecked) {
    problem_at(problems_of_fluid(R"({ "kind": "licuid" })"), "fluid.kind", "did you mean \"liquid\"?");
    problem_at(problems_of_fluid(R"({ "kind": "liquid", "transport": "maccormack" })"), "fluid.transport",
               "allowed: apic, flip, narrow-band-flip or semi-lagrangian");
    problem_at(problems_of_fluid(R"({ "kind": "liquid", "transport": "semi-lagrangian", "surface": "particles" })"),
               "fluid.surface", "needs a transport with particles");
    problem_at(
        problems_of_fluid(R"({ "kind": "liquid", "transport": "narrow-band-flip", "surface": "particle-level-set" })"),
        "fluid.surface", "from its particles");
    problem_at(problems_of_fluid(R"({ "kind": "liquid", "buoyancy": {} })"), "fluid.buoyancy", "unknown");
    problem_at(problems_of_fluid(R"({ "kind": "liquid", "drains": [ { "shape": { "type": "sphere", "radius": 1 },
                                      "position": [0, 0], "start": 2, "end": 1 } ] })"),
               "fluid.drains[0].end", "later than start");
    problem_at(problems_of_fluid(R"({ "kind": "liquid", "sources": [ { "shape": { "type": "plane" },
                                      "position": [0, 0] } ] })"),
               "fluid.sources[0].shape.type", "has no end");
    EXPECT_TRUE(problems_of_fluid(R"({ "kind": "liquid", "bubbles": "constraint", "flip_share": 0.9,
                                       "volume_correction": "divergence" })")
                    .empty());
}

TEST(Reader, AKeyOfAnotherKindSaysWhose) {
    problem_at(problems_of_fluid(R"({ "kind": "liquid", "buoyancy": {} })"), "fluid.buoyancy",
               "unknown key (it belongs to the kind smoke)");
    problem_at(read_scene(with_solids(R"({ "shape": { "type": "box", "size": [1, 1, 1], "radius": 1 }, "density": 1,
                                           "position": [0, 0, 0] })"))
                   .problems,
               "solids[0].shape.radius", "(it belongs to the type sphere, cylinder, capsule or torus)");
}

TEST(Reader, WithAWrongKindTheRestIsCheckedAllTheSame) {
    const auto problems = problems_of_fluid(R"({ "kind": "licuid", "viscosity": 1, "buoyancy": {}, "flip_share": 3,
        "transport": "apic", "initial": [{ "shape": { "type": "sphere", "radius": -1 }, "postion": [0, 0] }], "foo": 1 })");
    EXPECT_EQ(problems.size(), 7u) << listing(problems);
    problem_at(problems, "fluid.kind", "did you mean \"liquid\"?");
    problem_at(problems, "fluid.viscosity", "viscosity is not available yet");
    // Only liquids have it; and whatever kind was meant, these are wrong.
    problem_at(problems, "fluid.flip_share", "from 0 to 1, not 3");
    problem_at(problems, "fluid.initial[0].shape.radius", "not -1");
    problem_at(problems, "fluid.initial[0].postion", "did you mean \"position\"?");
    problem_at(problems, "fluid.initial[0].position", "is missing");
    problem_at(problems, "fluid.foo", "unknown key");
    // Each of these words belongs to one kind: with neither of them is there anything to object to.
    for (const char* transport : {"apic", "maccormack"})
        EXPECT_EQ(problems_of_fluid(fmt::format(R"({{ "kind": "water", "transport": "{}" }})", transport)).size(), 1u);
    EXPECT_EQ(problems_of_fluid(R"({ "kind": "water", "transport": "carrier pigeon" })").size(), 2u);
}

TEST(Reader, ShapesOfAWrongTypeAreChecked) {
    const auto problems = read_scene(with_solids(R"({ "shape": { "type": "ball", "radius": -1, "weight": 3 },
                                                      "density": 1, "position": [0.5, 1, 0.5] })"))
                              .problems;
    EXPECT_EQ(problems.size(), 3u) << listing(problems);
    problem_at(problems, "solids[0].shape.radius", "not -1");
    problem_at(problems, "solids[0].shape.weight", "unknown key");
}

TEST(Reader, AMisspeltObjectIsMissingAndReadAllTheSame) {
    const auto problems = read_scene(R"({ "tidelock": 1, "domain": { "size": [1, 1, 1], "cells": 8 },
                                          "tme": { "duration": -1, "fsp": 2 } })")
                              .problems;
    EXPECT_EQ(problems.size(), 4u) << listing(problems);
    problem_at(problems, "tme", "did you mean \"time\"?");
    problem_at(problems, "time", "is missing; rename the unknown key \"tme\"");
    problem_at(problems, "tme.duration", "not -1");
    problem_at(problems, "tme.fsp", "did you mean \"fps\"?");
}

TEST(Reader, EveryUnknownBodyOfAJointIsNamed) {
    const auto problems = read_scene(minimal(R"(, "joints": [{ "type": "ball", "bodies": ["left", "right"],
                                                                "anchor": [0, 0, 0] }])"))
                              .problems;
    EXPECT_EQ(problems.size(), 2u) << listing(problems);
    problem_at(problems, "joints[0].bodies[0]", "\"left\" is no solid");
    problem_at(problems, "joints[0].bodies[1]", "\"right\" is no solid");
}

// A name becomes a folder: it must not lead out of where runs are kept, nor hide or break what lists them.
TEST(Reader, ANameIsThatOfAFolder) {
    const auto name = [](const std::string& text) { return read_scene(minimal(R"(, "name": ")" + text + "\"")); };
    for (const char* wrong : {"", "../../../x", "/abs/x", "a/b", "a\\\\b", ".", "..", ".hidden", "tab\\there",
                              "new\\nline", "nul\\u0000", "\\u007f", " blank", "blank ", "dot."})
        problem_at(name(wrong).problems, "name", "1 to 100 characters");
    problem_at(name(std::string(101, 'a')).problems, "name", "has 101 bytes");
    for (const std::string& right :
         {std::string(100, 'a'), std::string("two words"), std::string("v1.2"), std::string("Glas Wasser – größer")}) {
        const Reading r = name(right);
        EXPECT_TRUE(r.ok()) << listing(r.problems);
        EXPECT_EQ(r.scene.name, right);
    }
    // Nobody typed the file's name as a scene's: it is made one.
    for (const auto& [file, made] : std::vector<std::pair<std::string, std::string>>{{"cup", "cup"},
                                                                                     {"", "scene"},
                                                                                     {".json", "_json"},
                                                                                     {"a\nb", "a_b"},
                                                                                     {"..", "__"},
                                                                                     {"bad\xffutf", "bad_utf"}}) {
        ReadOptions options;
        options.name = file;
        const Reading r = read_scene(minimal(), options);
        EXPECT_TRUE(r.ok()) << listing(r.problems);
        EXPECT_EQ(r.scene.name, made);
    }
}

// 1 / T is the default of the buoyancy: what a temperature may be follows from what that key may be.
TEST(Reader, TemperaturesThatWouldMakeAnyLiftAreRefused) {
    problem_at(problems_of_fluid(R"({ "ambient_temperature": 1e-300 })"), "fluid.ambient_temperature", "from 1 to 1");
    EXPECT_TRUE(problems_of_fluid(R"({ "ambient_temperature": 1 })").empty());
}

TEST(Reader, AWrongKeyThatStandsForARequiredOneIsNamedBesideIt) {
    const Reading r = read_scene(
        with_solids(R"({ "shape": { "type": "sphere", "raduis": 0.1 }, "position": [0.5, 1, 0.5], "density": 1 })"));
    ASSERT_EQ(r.problems.size(), 2u) << listing(r.problems);
    problem_at(r.problems, "solids[0].shape.raduis", "did you mean \"radius\"?");
    problem_at(r.problems, "solids[0].shape.radius", "is missing; rename the unknown key \"raduis\"");
}

TEST(Reader, ContradictionsAreErrors) {
    const auto problems_of = [](const std::string& solid) { return read_scene(with_solids(solid)).problems; };
    const std::string ball = R"("shape": { "type": "sphere", "radius": 0.1 }, "position": [0.5, 1, 0.5])";
    problem_at(problems_of("{ " + ball + " }"), "solids[0].density", "a rigid solid needs its density");
    problem_at(problems_of("{ " + ball + R"(, "type": "static", "velocity": [1, 0, 0] })"), "solids[0].velocity",
               "never moves");
    problem_at(
        problems_of("{ " + ball + R"(, "type": "static", "motion": { "type": "spin", "degrees_per_second": 1 } })"),
        "solids[0].motion", "only a kinematic");
    problem_at(problems_of(R"({ "shape": { "type": "plane" }, "position": [0, 0, 0], "density": 1 })"),
               "solids[0].type", "must be static");
    problem_at(
        problems_of(
            R"({ "shape": { "type": "torus", "radius": 0.1, "tube": 0.1 }, "position": [0, 0, 0], "density": 1 })"),
        "solids[0].shape.tube", "smaller than radius");
    problem_at(
        problems_of(R"({ "name": "a", "density": 1, )" + ball + R"(}, { "name": "a", "density": 1, )" + ball + "}"),
        "solids[1].name", "is taken");
    problem_at(problems_of("{ " + ball +
                           R"(, "type": "kinematic", "motion": { "keyframes": [{ "time": 1 }, { "time": 1 }] } })"),
               "solids[0].motion.keyframes[1].time", "does not come after");
    problem_at(problems_of("{ " + ball + R"(, "type": "kinematic", "motion": { "keyframes": [] } })"),
               "solids[0].motion.keyframes", "at least one");
    problem_at(problems_of("{ " + ball + R"(, "density": 1, "rotation": { "axis": [0, 0, 0], "degrees": 5 } })"),
               "solids[0].rotation", "no direction");
    problem_at(problems_of("{ " + ball + R"(, "density": 1, "rotation": 5 })"), "solids[0].rotation", "\"axis\"");
    const Problem p = problem_at(problems_of("{ " + ball + R"(, "type": "static", "density": 3 })"),
                                 "solids[0].density", "no effect");
    EXPECT_EQ(p.severity, Severity::warning);
}

TEST(Reader, CellsMustBeCubes) {
    const auto domain = [](const std::string& text, int dimension = 3) {
        return read_scene(R"({ "tidelock": 1, "dimension": )" + std::to_string(dimension) +
                          R"(, "time": { "duration": 1 }, "domain": )" + text + " }");
    };
    EXPECT_EQ(domain(R"({ "size": [1, 2, 0.5], "cells": 64 })").scene.domain.cells, (std::array<int, 3>{32, 64, 16}));
    EXPECT_EQ(domain(R"({ "size": [0.3, 0.1], "cell_size": 0.01 })", 2).scene.domain.cells,
              (std::array<int, 3>{30, 10, 1}));
    problem_at(domain(R"({ "size": [1, 2, 1], "cells": [64, 127, 64] })").problems, "domain.cells",
               "cells [63, 126, 63] would fit");
    problem_at(domain(R"({ "size": [1, 0.7, 1], "cells": 32 })").problems, "domain.cells",
               "cells [30, 21, 30] would fit");
    problem_at(domain(R"({ "size": [1, 0.7310585], "cells": 32 })", 2).problems, "domain.cells",
               "size [1, 0.71875] would fit with cells [32, 23]");
    problem_at(domain(R"({ "size": [1, 1, 1], "cells": 8, "cell_size": 0.125 })").problems, "domain.cell_size",
               "not both");
    problem_at(domain(R"({ "size": [1, 1, 1] })").problems, "domain.cells", "is missing");
    problem_at(domain(R"({ "size": [1, 1, 1], "cell_size": 0.3 })").problems, "domain.cell_size", "not be cubes");
}

TEST(Reader, DuplicatesAndOtherMistakesTogether) {
    const Reading r = read_scene(
        R"({ "tidelock": 1, "tidelock": 1, "domain": { "size": [1, 1, 1], "cells": 8 }, "time": { "duration": 0 } })");
    ASSERT_EQ(r.problems.size(), 2u) << listing(r.problems);
    problem_at(r.problems, "", "comes twice");
    problem_at(r.problems, "time.duration", "greater than 0");
}

TEST(Reader, DimensionDecidesWhatExists) {
    const Reading r = read_scene(with_solids(
        R"({ "shape": { "type": "cylinder", "radius": 0.1, "height": 0.1 }, "position": [0.5, 0.5], "density": 1 })",
        2));
    problem_at(r.problems, "solids[0].shape.type", "only in 3D");
    problem_at(read_scene(minimal(R"(, "render": { "field": "speed" })")).problems, "render.field", "only in 2D");
    problem_at(read_scene(minimal(R"(, "render": { "camera": { "position": [1, 1, 1] } })", 2)).problems,
               "render.camera", "only in 3D");
}

TEST(Reader, FindsMeshesByFileThenByName) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "tidelock_scene_reader";
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(TIDELOCK_ASSET_DIR "/meshes/bunny.ply", folder / "mine.ply",
                               std::filesystem::copy_options::overwrite_existing);
    const auto scene = [](const std::string& file) {
        return with_solids(R"({ "shape": { "type": "mesh", "file": ")" + file +
                           R"(" }, "position": [0.5, 1, 0.5], "density": 1 })");
    };
    std::ofstream(folder / "own.json") << scene("mine.ply");
    const Reading own = read_scene_file(folder / "own.json", test_options());
    EXPECT_TRUE(own.ok()) << listing(own.problems);
    EXPECT_EQ(own.scene.name, "own");
    EXPECT_TRUE(std::filesystem::equivalent(own.scene.solids[0].shape.file, folder / "mine.ply"));
    const Reading library = read_scene(scene("bunny"), test_options());
    EXPECT_TRUE(library.ok()) << listing(library.problems);
    EXPECT_TRUE(library.scene.solids[0].shape.file.ends_with("meshes/bunny.ply"));
    problem_at(read_scene(scene("buny.ply"), test_options()).problems, "solids[0].shape.file",
               "did you mean \"bunny\"?");
    problem_at(read_scene(scene("a\\u0000b"), test_options()).problems, "solids[0].shape.file", "is not a file's name");
    std::filesystem::remove_all(folder);
    EXPECT_THROW((void)read_scene_file(folder / "own.json"), InputError);
}

TEST(Reader, OverridesByPathIndexAndName) {
    ReadOptions options;
    options.sets = {"domain.cells=[32,64,32]", "solids[0].density=5", "solids.ball.shape.radius=0.2",
                    "fluid.transport=semi-lagrangian", "coupling.solver.tolerance=1e-8"};
    const std::string text = with_solids(
        R"({ "name": "ball", "shape": { "type": "sphere", "radius": 0.1 }, "position": [0.5, 1, 0.5], "density": 1 })");
    const Reading r = read_scene(text, options);
    ASSERT_TRUE(r.problems.empty()) << listing(r.problems);
    EXPECT_EQ(r.scene.domain.cells[1], 64);
    EXPECT_EQ(r.scene.solids[0].density, 5);
    EXPECT_EQ(r.scene.solids[0].shape.radius, 0.2);
    EXPECT_EQ(r.scene.fluid.transport, Transport::semi_lagrangian);
    EXPECT_EQ(r.scene.coupling.solver.tolerance, 1e-8);
}

TEST(Reader, WrongOverridesNameThemselves) {
    ReadOptions options;
    options.sets = {"time.duration=-1",      "solids[3].density=1", "time.fsp=2", "nonsense",
                    "solids.cube.density=1", "gravity=[1,2",        "time[0]=1"};
    const Reading r = read_scene(
        with_solids(
            R"({ "name": "ball", "shape": { "type": "sphere", "radius": 0.1 }, "position": [0.5, 1, 0.5], "density": 1 })"),
        options);
    EXPECT_EQ(problem_at(r.problems, "time.duration", "greater than 0").place.set, 1);
    EXPECT_EQ(problem_at(r.problems, "", "no entry [3]; the list has 1").place.set, 2);
    EXPECT_EQ(problem_at(r.problems, "time.fsp", "did you mean \"fps\"?").place.set, 3);
    EXPECT_EQ(problem_at(r.problems, "", "PATH=VALUE").place.set, 4);
    EXPECT_EQ(problem_at(r.problems, "", "named are: ball").place.set, 5);
    EXPECT_EQ(problem_at(r.problems, "", "is not JSON").place.set, 6);
    EXPECT_EQ(problem_at(r.problems, "", "needs a list").place.set, 7);
    EXPECT_EQ(format(r.problems.front(), "a.json", options.sets).substr(0, 24), "--set time.duration=-1: ");
}

}  // namespace
}  // namespace tidelock::scene
