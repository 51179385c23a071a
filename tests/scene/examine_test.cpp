#include "scene/examine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "support.h"

namespace tidelock::scene {
namespace {

std::string sphere(double x, double y, double z, double radius, const std::string& more = R"("density": 1)") {
    return "{ \"shape\": { \"type\": \"sphere\", \"radius\": " + std::to_string(radius) + " }, \"position\": [" +
           std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "], " + more + " }";
}

std::string with_solids(const std::string& first, const std::string& second, const std::string& third = "") {
    std::string solids = first;
    solids.append(",").append(second);
    if (!third.empty()) solids.append(",").append(third);
    return scene::with_solids(solids, 3);
}
using scene::with_solids;

/// The depth in the message of the first overlap.
double depth_in(const std::vector<Problem>& problems) {
    for (const Problem& p : problems)
        if (const std::size_t at = p.text.find(" by ");
            p.text.find("overlaps") != std::string::npos && at != std::string::npos)
            return std::stod(p.text.substr(at + 4));
    return 0;
}

TEST(Examine, FourKindsOfMistakesInOneReading) {
    const std::vector<Problem> p = check_text(R"({
  "tidelock": 1,
  "domain": { "size": [1, 2, 1], "cells": [32, 64, 32] },
  "time": { "duration": 2, "fps": 30, "cfl": 300 },
  "solids": [
    { "name": "a", "shape": { "type": "sphere", "radius": 0.2 }, "position": [0.5, 1.0, 0.5], "density": 2, "colr": "#ffffff" },
    { "name": "b", "shape": { "type": "sphere", "radius": 0.2 }, "position": [0.5, 1.3, 0.5], "density": 2 },
    { "name": "c", "shape": { "type": "mesh", "file": "teapot.ply" }, "position": [0.5, 0.3, 0.5], "density": 2 }
  ]
})");
    EXPECT_EQ(p.size(), 4u) << listing(p);
    EXPECT_EQ(problem_at(p, "time.cfl", "from 0.01 to 100, not 300").place, (Place{4, 46, 0}));
    EXPECT_EQ(problem_at(p, "solids[0].colr", "did you mean \"colour\"?").place, (Place{6, 109, 0}));
    EXPECT_EQ(problem_at(p, "solids[1].position", "\"b\" overlaps \"a\"").place, (Place{7, 78, 0}));
    EXPECT_EQ(problem_at(p, "solids[2].shape.file", "\"teapot.ply\" was not found").place, (Place{8, 55, 0}));
    EXPECT_NEAR(depth_in(p), 0.1, 1e-9);  // two radii less the way between the centres
}

TEST(Examine, WhatIsMissingIsNotExaminedAndTheRestIs) {
    // Without a domain nothing can be said about walls; the overlap is found all the same.
    const std::string two = sphere(0.5, 5, 0.5, 0.2) + ", " + sphere(0.5, 5.1, 0.5, 0.2);
    const std::vector<Problem> p =
        check_text(R"({ "tidelock": 1, "tidelock": 1, "time": { "duration": 1 }, "solids": [)" + two + "] }");
    EXPECT_EQ(p.size(), 3u) << listing(p);
    problem_at(p, "", "comes twice");
    problem_at(p, "domain", "is missing");
    problem_at(p, "solids[1].position", "overlaps");
    EXPECT_EQ(check_text(R"(["not", "a", "scene"])").size(), 1u);
    EXPECT_EQ(check_text(minimal(R"(, "solids": [7])")).size(), 1u);
    EXPECT_EQ(check_text(minimal(R"(, "solids": 7)")).size(), 1u);
}

TEST(Examine, OverlapDepthOfSpheresAndBoxes) {
    EXPECT_EQ(depth_in(check_text(with_solids(sphere(0.3, 1, 0.5, 0.15), sphere(0.6, 1, 0.5, 0.15)))),
              0);  // touching
    // Along a direction that no sampled point lies on: the sampling may miss a little of the depth, never add to it.
    const double d = 0.2 / std::sqrt(3.0);
    const double depth =
        depth_in(check_text(with_solids(sphere(0.5, 1, 0.5, 0.15), sphere(0.5 + d, 1 + d, 0.5 + d, 0.15))));
    EXPECT_GT(depth, 0.095);
    EXPECT_LE(depth, 0.1 + 1e-9);
    // A small body wholly inside of a large one.
    EXPECT_NEAR(depth_in(check_text(with_solids(sphere(0.5, 1, 0.5, 0.4), sphere(0.5, 1, 0.5, 0.1)))), 0.3, 1e-9);
}

TEST(Examine, CrossingBarsOverlapWithoutACornerInside) {
    const auto bar = [](const std::string& size) {
        return R"({ "shape": { "type": "box", "size": )" + size + R"( }, "position": [0.5, 1, 0.5], "density": 1 })";
    };
    EXPECT_NEAR(depth_in(check_text(with_solids(bar("[0.9, 0.13, 0.13]"), bar("[0.13, 0.9, 0.13]")))), 0.13, 1e-9);
}

TEST(Examine, OnlyPairsWithARigidBodyMayNotOverlap) {
    const std::string fixed = R"("type": "static")", moved = R"("type": "kinematic")";
    EXPECT_TRUE(check_text(with_solids(sphere(0.5, 1, 0.5, 0.2, fixed), sphere(0.5, 1.1, 0.5, 0.2, fixed),
                                       sphere(0.5, 1, 0.5, 0.2, moved)))
                    .empty());
    EXPECT_NEAR(depth_in(check_text(with_solids(sphere(0.5, 1, 0.5, 0.2), sphere(0.5, 1.1, 0.5, 0.2, fixed)))), 0.3,
                1e-9);
    const std::string floor = R"({ "type": "static", "shape": { "type": "plane" }, "position": [0, 0.85, 0] })";
    EXPECT_NEAR(depth_in(check_text(with_solids(sphere(0.5, 1, 0.5, 0.2), floor))), 0.05, 1e-9);
}

TEST(Examine, MeshesOverlapToo) {
    const std::string bunny =
        R"({ "shape": { "type": "mesh", "file": "bunny", "scale": 0.05 }, "position": [0.5, 1, 0.5], "density": 1 })";
    const std::vector<Problem> p = check_text(with_solids(bunny, sphere(0.5, 1, 0.5, 0.1)));
    problem_at(p, "solids[1].position", "overlaps \"solid-1\"");
    for (const Problem& problem : p)
        EXPECT_NE(problem.path, "solids[0].shape.file") << problem.text;  // the bunny is whole
}

TEST(Examine, MeshFaultsComeWithRemedies) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "tidelock_open.obj";
    std::ofstream(file)
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";  // a tetrahedron without its last face
    const std::vector<Problem> p =
        check_text(with_solids(R"({ "shape": { "type": "mesh", "file": ")" + file.string() +
                               R"(", "scale": 0.1 }, "position": [0.5, 1, 0.5], "density": 1 })"));
    EXPECT_EQ(problem_at(p, "solids[0].shape.file", "3 open edges").severity, Severity::error);
    std::filesystem::remove(file);
}

TEST(Examine, WallsAndTheOutside) {
    const auto problems = [](const std::string& walls, const std::string& solid) {
        return check_text(R"({ "tidelock": 1, "domain": { "size": [1, 2, 1], "cells": 32, "walls": {)" + walls +
                          R"(} }, "time": { "duration": 1 }, "solids": [)" + solid + "] }");
    };
    EXPECT_EQ(
        problem_at(problems("", sphere(0.5, 1.9, 0.5, 0.15)), "solids[0].position", "0.05 m through the closed wall y+")
            .severity,
        Severity::error);
    EXPECT_EQ(problem_at(problems(R"("y+": "open")", sphere(0.5, 1.9, 0.5, 0.15)), "solids[0].position", "open wall y+")
                  .severity,
              Severity::warning);
    problem_at(problems("", sphere(0.5, 2.2, 0.5, 0.15)), "solids[0].position", "outside");
    EXPECT_TRUE(problems("", sphere(0.15, 1, 0.5, 0.15)).empty());  // touches the wall
    // A cube turned by 45 degrees about z is sqrt(2) times as wide.
    const std::string turned =
        R"({ "shape": { "type": "box", "size": [0.4, 0.4, 0.4] }, "position": [0.25, 1, 0.5], "rotation": { "axis": [0, 0, 1], "degrees": 45 }, "density": 1 })";
    problem_at(problems("", turned), "solids[0].position",
               "reaches 0.0328 m through the closed wall x-");  // 0.2 sqrt(2) - 0.25
    problem_at(problems("", R"({ "type": "static", "shape": { "type": "plane" }, "position": [0, 3, 0] })"),
               "solids[0].position", "no room for fluid");
}

TEST(Examine, ExtentsOfRotatedShapesAreExact) {
    // The largest n.x over many points of the surface comes near the closed form from below.
    MeshStore meshes;
    const Vec3 n = Vec3(1, 2, -2) / 3;
    for (const ShapeKind kind :
         {ShapeKind::sphere, ShapeKind::box, ShapeKind::cylinder, ShapeKind::capsule, ShapeKind::torus}) {
        ShapeSpec s;
        s.kind = kind;
        s.radius = 0.5, s.height = 0.8, s.tube = 0.2, s.size = {0.3, 0.6, 0.9};
        double largest = -1;
        for (const Vec3& p : surface_points<3>(s, meshes)) largest = std::max(largest, p.dot(n));
        const double extent = extent_along<3>(s, n, meshes);
        EXPECT_LE(largest, extent + 1e-12);
        EXPECT_GT(largest, 0.98 * extent);  // 32 points around: cos(pi / 32) = 0.995, twice
    }
}

TEST(Examine, SurfacePointsLieOnTheSurface) {
    MeshStore meshes;
    for (const ShapeKind kind :
         {ShapeKind::sphere, ShapeKind::box, ShapeKind::cylinder, ShapeKind::capsule, ShapeKind::torus}) {
        ShapeSpec s;
        s.kind = kind;
        s.radius = 0.5, s.height = 0.8, s.tube = 0.2, s.size = {0.3, 0.6, 0.9};
        const auto shape = make_shape<3>(s, meshes, "shape");
        for (const Vec3& p : surface_points<3>(s, meshes)) EXPECT_NEAR(shape->distance(p), 0, 1e-14);
        if (kind == ShapeKind::cylinder || kind == ShapeKind::torus) continue;
        s.size[2] = 0;
        const auto flat = make_shape<2>(s, meshes, "shape");
        for (const Vec2& p : surface_points<2>(s, meshes)) EXPECT_NEAR(flat->distance(p), 0, 1e-14);
    }
}

TEST(Examine, GridBeyondTheMemory) {
    Limits limits;
    limits.memory_bytes = 1 << 20;
    limits.bytes_per_cell = 100;
    // 16 x 32 x 16 cells and their upper faces: 2 x 5 x 3 bricks of 1024 cells.
    const Problem p = problem_at(check_text(minimal(), limits), "domain.cells",
                                 "8192 cells in 30 bricks need about 2.9 MiB, 1.0 MiB are allowed");
    EXPECT_EQ(p.severity, Severity::error);
    limits.memory_bytes = 30 * 1024 * 100;
    EXPECT_TRUE(check_text(minimal(), limits).empty());
}

TEST(Examine, ThinSolidsSourcesAndTimes) {
    problem_at(check_text(with_solids(sphere(0.5, 1, 0.5, 0.05))), "solids[0].shape", "1.6 cells thin");
    EXPECT_TRUE(check_text(with_solids(sphere(0.5, 1, 0.5, 0.0625))).empty());
    const auto fluid = [](const std::string& source) {
        return minimal(R"(, "fluid": { "sources": [{ "shape": { "type": "sphere", "radius": 0.1 }, )" + source +
                       " }] }");
    };
    problem_at(check_text(fluid(R"("position": [0.5, -0.2, 0.5])")), "fluid.sources[0].position",
               "outside of the domain");
    problem_at(check_text(fluid(R"("position": [0.5, 0.2, 0.5], "start": 1)")), "fluid.sources[0].start",
               "the run ends at 1 s");
    EXPECT_TRUE(check_text(fluid(R"("position": [0.5, 0.05, 0.5])")).empty());
    const auto time = [](const std::string& t) {
        return check_text(R"({ "tidelock": 1, "domain": { "size": [1, 1, 1], "cells": 8 }, "time": )" + t + " }");
    };
    problem_at(time(R"({ "duration": 0.01 })"), "time.duration", "less than one frame");
    problem_at(time(R"({ "duration": 1, "step": 0.1 })"), "time.step", "longer than a frame");
    problem_at(time(R"({ "duration": 100, "step": 1e-8 })"), "time.step", "steps");
    EXPECT_TRUE(time(R"({ "duration": 1, "step": 0.01 })").empty());
}

TEST(Examine, KinematicSolidsThatLeave) {
    problem_at(
        check_text(with_solids(sphere(
            0.5, 1, 0.5, 0.1,
            R"("type": "kinematic", "motion": { "type": "oscillate", "amplitude": [0.6, 0, 0], "frequency": 1 })"))),
        "solids[0].motion.amplitude", "leaves the domain");
    problem_at(
        check_text(with_solids(sphere(
            0.5, 1, 0.5, 0.1,
            R"("type": "kinematic", "motion": { "keyframes": [{ "time": 0 }, { "time": 1, "position": [0.5, 3, 0.5] }] })"))),
        "solids[0].motion.keyframes[1].position", "leaves the domain");
}

TEST(Examine, ScenesMadeByPrograms) {
    Scene s = read_scene(with_solids(sphere(0.5, 1, 0.5, 0.2)), test_options()).scene;
    MeshStore meshes;
    s.solids[0].density = 0;
    s.solids[0].shape.radius = std::nan("");
    s.domain.size[1] = -2;
    s.time.fps = 0;
    const std::vector<Problem> p = examine(s, {}, meshes);
    problem_at(p, "solids[0].density", "positive");
    problem_at(p, "solids[0].shape", "positive");
    problem_at(p, "domain.size", "positive");
    problem_at(p, "time.fps", "positive");
    EXPECT_EQ(p.size(), 4u);
}

TEST(Examine, AThousandSolidsInOnePlaceEndQuickly) {
    std::string solids = sphere(0.5, 1, 0.5, 0.2);
    for (int i = 0; i < 1000; ++i) solids.append(",").append(sphere(0.5, 1, 0.5, 0.2));
    EXPECT_LE(check_text(with_solids(solids)).size(), Problems::limit + 1);
}

// Cut faces carry no impulse of their own, which the paper's solvers work with.
TEST(Examine, SolversOfThePaperNeedTheirFaces) {
    const std::string ball = sphere(0.5, 1, 0.5, 0.2);
    const auto with = [&](const std::string& solid, const std::string& name, const std::string& interface) {
        return check_text(minimal(",\n\"coupling\": { \"interface\": \"" + interface +
                                  "\", \"solver\": { \"name\": \"" + name + "\" } }, \"solids\": [" + solid + "]"));
    };
    for (const char* name : {"cg-full", "icpcg", "p0", "p1", "p2", "p3"}) {
        const auto problems = with(ball, name, "fractional");
        ASSERT_EQ(problems.size(), 1u) << name << listing(problems);
        EXPECT_EQ(
            problem_at(problems, "coupling.solver.name",
                       "needs \"coupling.interface\": \"constraint\"; with \"fractional\" there are auto and cg-schur")
                .place.line,
            2);
        EXPECT_EQ(problems[0].severity, Severity::error);
        EXPECT_TRUE(with(ball, name, "constraint").empty()) << name;
        // Nothing is cut for them where no body moves freely.
        EXPECT_TRUE(with(sphere(0.5, 1, 0.5, 0.2, R"("type": "static")"), name, "fractional").empty()) << name;
    }
    for (const char* name : {"auto", "cg-schur"}) EXPECT_TRUE(with(ball, name, "fractional").empty()) << name;
    problem_at(with(ball, "p4", "constraint"), "coupling.solver.name", "p4");
}

}  // namespace
}  // namespace tidelock::scene
