#include "scene/examine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "geometry/mesh_io.h"
#include "geometry/mesh_repair.h"
#include "scene/mesh_origin.h"
#include "support.h"

namespace tidelock::scene {
namespace {

std::string sphere(double x, double y, double z, double radius, const std::string& more = R"("density": 1)") {
    return R"({ "shape": { "type": "sphere", "radius": )" + std::to_string(radius) + " }, \"position\": [" +
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

/// Writes a mesh for the length of a test.
class MeshFile {
  public:
    explicit MeshFile(const std::string& name, const TriangleMesh& mesh)
        : path_(std::filesystem::path(testing::TempDir()) / name) {
        write_mesh(path_, mesh);
    }
    ~MeshFile() { std::filesystem::remove(path_); }
    MeshFile(const MeshFile&) = delete;
    MeshFile& operator=(const MeshFile&) = delete;
    /// A solid of it.
    [[nodiscard]] std::string solid(const std::string& shape, const std::string& more = R"("density": 1)",
                                    const std::string& position = "[0.5, 1, 0.5]") const {
        return R"({ "shape": { "type": "mesh", "file": ")" + path_.string() + "\"" + shape + R"( }, "position": )" +
               position + ", " + more + " }";
    }

  private:
    std::filesystem::path path_;
};

/// A cup like a modelling program's: a cylinder with walls, in the file's units, away from the file's origin.
TriangleMesh cup(double radius, double height, double wall) {
    const std::vector<Vec2> outline{
        {0, 0}, {radius, 0}, {radius, height}, {radius - wall, height}, {radius - wall, wall}, {0, wall}};
    constexpr int around = 48;
    TriangleMesh mesh;
    for (const Vec2& p : outline)
        for (int i = 0; i < around; ++i) {
            const double angle = 2 * std::numbers::pi * i / around;
            mesh.points.emplace_back(p[0] * std::cos(angle), p[1], -p[0] * std::sin(angle));
        }
    for (int ring = 0; ring + 1 < static_cast<int>(outline.size()); ++ring)
        for (int i = 0; i < around; ++i) {
            const int a = ring * around + i, b = ring * around + (i + 1) % around;
            mesh.triangles.push_back({a, b, b + around});
            mesh.triangles.push_back({a, b + around, a + around});
        }
    merge_points(mesh, 1e-9);
    remove_redundant(mesh);
    return mesh;
}

TEST(Examine, MeshesWithARemedySayWhich) {
    TriangleMesh open = Box<3>({0.3, 0.3, 0.3}).surface_mesh(4);
    open.triangles.pop_back();
    const MeshFile file("tidelock_hole.ply", open);
    const Problem p = problem_at(check_text(with_solids(file.solid(""))), "solids[0].shape.file", "open edges");
    EXPECT_NE(p.text.find("\"repair\": true"), std::string::npos) << p.text;
    EXPECT_NE(p.text.find("tidelock mesh"), std::string::npos) << p.text;
    const auto repaired = check_text(with_solids(file.solid(R"(, "repair": true)")));
    EXPECT_FALSE(has_errors(repaired)) << listing(repaired);
    problem_at(repaired, "solids[0].shape.repair", "filled a hole of 3 edges");
    TriangleMesh strip;  // a Moebius band: nothing helps
    for (int i = 0; i < 12; ++i) {
        const double angle = 2 * std::numbers::pi * i / 12;
        for (const double side : {-0.05, 0.05})
            strip.points.emplace_back((0.2 + side * std::cos(angle / 2)) * std::cos(angle), side * std::sin(angle / 2),
                                      (0.2 + side * std::cos(angle / 2)) * std::sin(angle));
    }
    for (int i = 0; i < 12; ++i) {
        const int a = 2 * i, b = 2 * i + 1, c = i < 11 ? a + 2 : 1, d = i < 11 ? b + 2 : 0;
        strip.triangles.push_back({a, b, c});
        strip.triangles.push_back({b, d, c});
    }
    const MeshFile band("tidelock_band.ply", strip);
    const auto hopeless = check_text(with_solids(band.solid("")));
    EXPECT_TRUE(has_errors(hopeless));
    EXPECT_NE(hopeless[0].text.find("a repair does not help"), std::string::npos) << listing(hopeless);
}

TEST(Examine, AMeshInMillimetresFillsTheDomain) {
    const MeshFile file("tidelock_mm.ply", Sphere<3>(100).surface_mesh(24));
    const auto p = check_text(with_solids(file.solid("", R"("type": "static")")));
    ASSERT_EQ(p.size(), 1u) << listing(p);
    EXPECT_EQ(problem_at(p, "solids[0].shape", "leaves no room for fluid").severity, Severity::error);
    EXPECT_NE(
        p[0].text.find("the mesh is 200 x 200 x 200 m with \"scale\": 1, with 0.001 it would be 0.2 x 0.2 x 0.2 m"),
        std::string::npos)
        << listing(p);
    EXPECT_TRUE(check_text(with_solids(file.solid(R"(, "scale": 0.001)", R"("type": "static")"))).empty());
    const auto tiny = check_text(with_solids(file.solid(R"(, "scale": 1e-5)", R"("type": "static")")));
    problem_at(tiny, "solids[0].shape", "with 0.001 it would be 0.2 x 0.2 x 0.2 m");
}

// Of a shell only the skin is solid: a ball may lie in a bowl, but not stand in its wall.
TEST(Examine, ShellsHaveRoomInside) {
    const auto ball_in_bowl = [](const std::string& y) {
        return check_text(with_solids(
            R"({ "type": "static", "shell": true, "shape": { "type": "sphere", "radius": 0.4 }, "position": [0.5, 1, 0.5] },
               { "shape": { "type": "sphere", "radius": 0.1 }, "position": [0.5, )" +
            y + R"(, 0.5], "density": 1000 })"));
    };
    EXPECT_FALSE(has_errors(ball_in_bowl("0.71")));
    problem_at(ball_in_bowl("0.6"), "solids[1].position", "overlaps");
}

TEST(Examine, SolidsThatFillTheDomain) {
    const auto box = [](const std::string& size, const std::string& more = "") {
        return check_text(with_solids(R"({ "type": "static", "shape": { "type": "box", "size": )" + size +
                                      R"( }, "position": [0.5, 1, 0.5])" + more + "}"));
    };
    problem_at(box("[1, 2, 1]"), "solids[0].shape", "leaves no room");
    problem_at(box("[5, 5, 5]"), "solids[0].shape", "leaves no room");
    EXPECT_FALSE(has_errors(box("[0.9, 5, 5]")));                      // 0.05 m are free on either side: 0.8 cells
    EXPECT_FALSE(has_errors(box("[5, 5, 5]", R"(, "shell": true)")));  // there is fluid inside
    const std::string ball = R"({ "type": "static", "shape": { "type": "sphere", "radius": )";
    EXPECT_FALSE(
        has_errors(check_text(with_solids(ball + R"(1.1 }, "position": [0.5, 1, 0.5] })"))));  // not the corners
    problem_at(check_text(with_solids(ball + R"(1.3 }, "position": [0.5, 1, 0.5] })")), "solids[0].shape", "no room");
    problem_at(check_text(with_solids(
                   R"({ "type": "static", "shape": { "type": "sphere", "radius": 2 }, "position": [0.5, 1] })", 2)),
               "solids[0].shape", "no room");
}

// The bounding box of a cup is not thin; its walls are.
TEST(Examine, ThinWallsOfMeshes) {
    const MeshFile thin("tidelock_thin.ply", cup(0.3, 0.5, 0.05)), thick("tidelock_thick.ply", cup(0.3, 0.5, 0.14));
    const std::string fixed = R"("type": "static")";
    problem_at(check_text(with_solids(thin.solid("", fixed))), "solids[0].shape", "less than 2 cells, 0.125 m");
    EXPECT_TRUE(check_text(with_solids(thick.solid("", fixed))).empty());
    EXPECT_TRUE(check_text(with_solids(thin.solid("", fixed + R"(, "shell": true)"))).empty());
}

// The file's origin is at the middle of the cup's bottom, and so is its position then, turned as it is.
TEST(Examine, AMeshIsPlacedByItsOrigin) {
    const MeshFile file("tidelock_origin.ply", cup(0.3, 0.5, 0.14));
    const std::string fixed = R"("type": "static")";
    const auto box_of = [&](const std::string& solid) {
        MeshStore meshes;
        const Reading r = read_scene(with_solids(solid), test_options());
        EXPECT_TRUE(r.ok()) << listing(r.problems);
        const Scene s = placed_by_centre(r.scene, meshes);
        return placed_bounds<3>(s.solids[0].shape, pose_of<3>(s.solids[0].position, s.solids[0].rotation), meshes);
    };
    const Bounds<3> upright = box_of(file.solid(R"(, "origin": "mesh")", fixed, "[0.5, 0.25, 0.5]"));
    EXPECT_NEAR(upright.low[1], 0.25, 1e-6);  // the file holds floats
    EXPECT_NEAR(upright.high[1], 0.75, 1e-6);
    const Bounds<3> lying = box_of(file.solid(R"(, "origin": "mesh", "scale": 0.5)",
                                              fixed + R"(, "rotation": { "axis": [0, 0, 1], "degrees": 90 })"));
    EXPECT_NEAR(lying.high[0], 0.5, 1e-6);  // its own y is the world's -x
    EXPECT_NEAR(lying.low[0], 0.25, 1e-6);
    EXPECT_NEAR(lying.low[1], 0.85, 1e-6);
    // By its centre of mass it is elsewhere: 0.19 m above the bottom for these walls.
    EXPECT_GT(std::abs(box_of(file.solid("", fixed, "[0.5, 0.25, 0.5]")).low[1] - 0.25), 0.1);
    // The bottom is on the floor, not through it.
    EXPECT_TRUE(
        check_text(with_solids(file.solid(R"(, "origin": "mesh")", R"("density": 1)", "[0.5, 0, 0.5]"))).empty());
    // Keyframes are places of the origin, too.
    MeshStore meshes;
    const Reading moved =
        read_scene(with_solids(file.solid(R"(, "origin": "mesh")", R"("type": "kinematic", "motion": { "keyframes": [
            { "time": 0 }, { "time": 1, "position": [0.4, 0.5, 0.6], "rotation": { "axis": [1, 0, 0], "degrees": 180 } } ] })")),
                   test_options());
    const Scene s = placed_by_centre(moved.scene, meshes);
    const double arm = s.solids[0].position[1] - 1;
    EXPECT_GT(arm, 0.1);
    EXPECT_NEAR(s.solids[0].motion.keyframes[0].position[1], 1 + arm, 1e-12);
    EXPECT_NEAR(s.solids[0].motion.keyframes[1].position[1], 0.5 - arm, 1e-12);
    EXPECT_NEAR(s.solids[0].motion.keyframes[1].position[0], 0.4, 1e-6);
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

// An estimate warns; what the state alone takes is refused. 128^3 cells are 2.7 million with those of the upper faces'
// bricks: 432 MiB of 170 bytes each, and 110 for the program and its output.
TEST(Examine, MemoryIsEstimatedAndNotRefused) {
    const auto problems = [](int cells, double mebibytes) {
        Limits limits;
        limits.memory_bytes = mebibytes * 1048576;
        return check_text(fmt::format(R"({{ "tidelock": 1, "domain": {{ "size": [1, 1, 1], "cells": {} }},
                                           "time": {{ "duration": 1 }} }})",
                                      cells),
                          limits);
    };
    EXPECT_TRUE(problems(128, 600).empty());
    const Problem warning = problem_at(problems(128, 300), "domain.cells", "gas is in every cell");
    EXPECT_EQ(warning.severity, Severity::warning);
    EXPECT_NE(warning.text.find("300 MiB may be used"), std::string::npos) << warning.text;
    EXPECT_NE(warning.text.find("--memory"), std::string::npos) << warning.text;
    EXPECT_NE(warning.text.find("cells along the longest axis would fit, instead of 128"), std::string::npos);
    EXPECT_EQ(problem_at(problems(4096, 4096), "domain.cells", "would fit").severity, Severity::error);
    // A jet into an empty hall starts with little, whatever it comes to.
    Limits limits;
    limits.memory_bytes = 2.0 * 1024 * 1048576;
    EXPECT_TRUE(
        check_text(R"({ "tidelock": 1, "domain": { "size": [10, 10, 10], "cells": 200 }, "time": { "duration": 5 },
        "fluid": { "kind": "liquid", "sources": [ { "shape": { "type": "sphere", "radius": 0.2 }, "position": [5, 8, 5],
                                                    "velocity": [0, -2, 0] } ] } })",
                   limits)
            .empty());
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
        return check_text(minimal(",\n\"coupling\": { \"interface\": \"" + interface + R"(", "solver": { "name": ")" +
                                  name + R"(" } }, "solids": [)" + solid + "]"));
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
