#include "scene/build_world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "methods/registry.h"
#include "run/open_session.h"
#include "scene/library.h"
#include "scene/reader.h"
#include "support.h"

namespace tidelock::scene {
namespace {

Scene scene_of(const std::string& body) {
    const std::string text =
        R"({ "tidelock": 1, "dimension": 2, "gravity": [0, -10],
             "domain": { "size": [1, 2], "cells": 32, "walls": { "y+": "open" } }, "time": { "duration": 1 }, )" +
        body + " }";
    const Reading reading = read_scene(text);
    for (const Problem& p : reading.problems) EXPECT_NE(p.severity, Severity::error) << p.path << ": " << p.text;
    return reading.scene;
}

TEST(BuildWorld, GridSidesAndParametersAreThoseOfTheScene) {
    MeshStore meshes;
    const Scene scene = scene_of(R"("fluid": { "density": 3, "transport": "semi-lagrangian",
        "buoyancy": { "temperature": 0.01, "smoke": 0.2 }, "ambient_temperature": 300, "cooling": 0.5 },
        "coupling": { "solver": { "tolerance": 1e-8, "max_iterations": 7 } })");
    const auto built = build_world<2>(scene, meshes);
    const auto& smoke = built.world.smoke();
    EXPECT_EQ(built.world.domain.grid.cells, Coord<2>(16, 32));
    EXPECT_DOUBLE_EQ(built.world.domain.grid.dx, 1.0 / 16);
    EXPECT_TRUE(built.world.domain.sides.is_open(1, 1));
    EXPECT_FALSE(built.world.domain.sides.is_open(0, 0) || built.world.domain.sides.is_open(0, 1) ||
                 built.world.domain.sides.is_open(1, 0));
    EXPECT_EQ(smoke.temperature.at({3, 3}), 300);
    const auto& p = std::get<SmokeParameters<2>>(built.fluid);
    EXPECT_EQ(p.fluid_density, 3);
    EXPECT_EQ(built.world.domain.gravity, Vec2(0, -10));
    EXPECT_EQ(p.transport, tidelock::Transport::semi_lagrangian);
    EXPECT_EQ(p.lift_per_kelvin, 0.01);
    EXPECT_EQ(p.weight_of_smoke, 0.2);
    EXPECT_EQ(p.cooling, 0.5);
    const auto setup = method_setup<2>(scene, built.fluid);
    EXPECT_EQ(setup.solver.tolerance, 1e-8);
    EXPECT_EQ(setup.solver.max_iterations, 7);
    EXPECT_TRUE(built.notes.empty());
}

TEST(BuildWorld, InitialSmokeHasTheVolumeOfItsShape) {
    MeshStore meshes;
    // A box that ends where cells end: its cells are covered wholly or not at all.
    const auto built = build_world<2>(scene_of(R"("fluid": { "initial": [ { "shape": { "type": "box",
        "size": [0.25, 0.25] }, "position": [0.5, 0.5], "smoke": 0.8, "temperature": 400, "velocity": [0.5, 0] } ] })"),
                                      meshes);
    const auto& smoke = built.world.smoke();
    double sum = 0;
    for (const double s : smoke.density.values()) sum += s;
    const double h = built.world.domain.grid.dx;
    EXPECT_NEAR(sum * h * h, 0.8 * 0.25 * 0.25, 1e-12);
    EXPECT_EQ(smoke.density.at({8, 8}), 0.8);
    EXPECT_EQ(smoke.temperature.at({8, 8}), 400);
    EXPECT_EQ(smoke.velocity[0].at({8, 8}), 0.5);
    EXPECT_EQ(smoke.velocity[1].at({8, 8}), 0);
}

TEST(BuildWorld, BodiesHaveMassPlaceAndTwist) {
    MeshStore meshes;
    const auto bodies = build_bodies<2>(scene_of(R"("solids": [
        { "name": "disc", "shape": { "type": "sphere", "radius": 0.1 }, "position": [0.3, 0.6], "density": 5,
          "rotation": 90, "velocity": [1, 2], "angular_velocity": 3, "friction": 0.7, "restitution": 0.25 },
        { "name": "floor", "type": "static", "shape": { "type": "box", "size": [0.5, 0.2] }, "position": [0.5, 0.2] },
        { "name": "bowl", "shape": { "type": "sphere", "radius": 0.2 }, "position": [0.5, 1.5], "density": 2, "shell": true } ])"),
                                        meshes);
    ASSERT_EQ(bodies.size(), 3u);
    const auto& disc = bodies[0];
    const double mass = 5 * std::numbers::pi * 0.01;
    EXPECT_EQ(disc.type, BodyType::rigid);
    EXPECT_EQ(disc.position, Vec2(0.3, 0.6));
    EXPECT_NEAR(disc.rotation.angle(), std::numbers::pi / 2, 1e-15);
    EXPECT_NEAR(disc.mass, mass, 1e-15);
    EXPECT_NEAR(disc.angular_momentum[0], 3 * mass * 0.01 / 2, 1e-15);
    EXPECT_EQ(disc.velocity, Vec2(1, 2));
    EXPECT_EQ(disc.friction, 0.7);
    EXPECT_EQ(disc.restitution, 0.25);
    EXPECT_EQ(bodies[1].type, BodyType::fixed);
    EXPECT_EQ(bodies[1].friction, 0.1) << "the default";
    EXPECT_EQ(bodies[2].volume, 0) << "a shell displaces nothing";
    EXPECT_DOUBLE_EQ(bodies[2].shell_thickness, 0.02 / 16);
}

TEST(BuildWorld, KinematicBodiesStartWhereTheirMotionDoes) {
    MeshStore meshes;
    const auto bodies = build_bodies<2>(scene_of(R"("solids": [
        { "type": "kinematic", "shape": { "type": "sphere", "radius": 0.05 }, "position": [0.5, 0.5],
          "motion": { "type": "oscillate", "amplitude": [0.2, 0], "frequency": 2, "phase": 30 } },
        { "type": "kinematic", "shape": { "type": "box", "size": [0.2, 0.1] }, "position": [0.5, 1],
          "motion": { "type": "spin", "degrees_per_second": 180 } },
        { "type": "kinematic", "shape": { "type": "sphere", "radius": 0.05 }, "position": [0.5, 1.5],
          "motion": { "type": "keyframes", "keyframes": [ { "time": 1, "position": [0.2, 1.8] },
                                                          { "time": 2, "position": [0.8, 1.8] } ] } } ])"),
                                        meshes);
    ASSERT_EQ(bodies.size(), 3u);
    const double pi = std::numbers::pi;
    EXPECT_NEAR(bodies[0].position[0], 0.5 + 0.2 * 0.5, 1e-15);
    // The speed is a difference over 1e-5 s: off by half of that times the acceleration, 0.2 (4 pi)^2.
    EXPECT_NEAR(bodies[0].velocity[0], 0.2 * 4 * pi * std::cos(pi / 6), 0.5e-5 * 0.2 * 16 * pi * pi);
    const auto later = place_at<2>(bodies[0].motion, bodies[0].start, 0.1);
    EXPECT_NEAR(later.position[0], 0.5 + 0.2 * std::sin(4 * pi * 0.1 + pi / 6), 1e-14);
    EXPECT_NEAR(bodies[1].angular_velocity()[0], pi, 1e-9);
    EXPECT_EQ(bodies[2].position, Vec2(0.2, 1.8)) << "before the first keyframe it rests there";
    EXPECT_EQ(bodies[2].velocity, Vec2(0, 0));
}

TEST(BuildWorld, JointsStandBetweenTheirBodies) {
    MeshStore meshes;
    const auto built = build_world<2>(
        scene_of(R"("solids": [ { "name": "post", "type": "static", "shape": { "type": "box", "size": [0.2, 0.2] },
        "position": [0.2, 1] }, { "name": "plank", "shape": { "type": "box", "size": [0.3, 0.2] }, "position": [0.6, 1],
        "rotation": 20, "density": 4 } ], "joints": [ { "type": "hinge", "bodies": ["plank", "post"], "anchor": [0.4, 1],
        "limits": [-90, 45], "motor": { "speed": 180, "max_torque": 3 } },
        { "type": "slider", "bodies": ["plank", "world"], "axis": [0, 2], "limits": [-0.1, 0.2], "motor": { "force": 5 } } ])"),
        meshes);
    const auto& joints = built.world.solids.joints;
    ASSERT_EQ(joints.size(), 2u);
    EXPECT_EQ(joints[0].kind, JointKind::hinge);
    EXPECT_EQ(joints[0].a, 1);
    EXPECT_EQ(joints[0].b, 0);
    EXPECT_LT((built.world.solids.bodies[1].pose().to_world(joints[0].anchor_a) - Vec2(0.4, 1)).norm(), 1e-15);
    EXPECT_LT((built.world.solids.bodies[0].pose().to_world(joints[0].anchor_b) - Vec2(0.4, 1)).norm(), 1e-15);
    EXPECT_NEAR((*joints[0].limits)[0], -std::numbers::pi / 2, 1e-15);
    EXPECT_NEAR(joints[0].motor->speed, std::numbers::pi, 1e-15);
    EXPECT_EQ(joints[0].motor->most, 3);
    EXPECT_EQ(joints[0].torque, 0);
    EXPECT_EQ(joints[1].b, -1);
    EXPECT_EQ(joints[1].torque, 5);
    EXPECT_FALSE(joints[1].motor.has_value());
    EXPECT_EQ((*joints[1].limits)[1], 0.2);
    const auto way = coordinate_of<2>(joints[1], built.world.solids.bodies);
    EXPECT_NEAR(way.value, 0, 1e-15);
    EXPECT_LT((way.row.a.head<2>() - Vec2(0, 1)).norm(), 1e-15);
    for (const auto& row : rows_of<2>(joints, built.world.solids.bodies)) EXPECT_NEAR(row.value, 0, 1e-15);
}

TEST(BuildWorld, SmokeInsideSolidsIsTakenOutAndSaid) {
    MeshStore meshes;
    const auto built = build_world<2>(scene_of(R"("fluid": { "initial": [ { "shape": { "type": "box", "size": [1, 1] },
        "position": [0.5, 0.5], "smoke": 1, "temperature": 350 } ] },
        "solids": [ { "shape": { "type": "box", "size": [0.25, 0.25] }, "position": [0.5, 0.5], "density": 1,
                      "velocity": [0, 1] } ])"),
                                      meshes);
    const auto& smoke = built.world.smoke();
    EXPECT_EQ(smoke.density.at({8, 8}), 0);
    EXPECT_EQ(smoke.temperature.at({8, 8}), smoke.temperature.background());
    EXPECT_EQ(smoke.density.at({4, 8}), 1);
    EXPECT_EQ(smoke.velocity[1].at({8, 8}), 0) << "the gas learns of the body's velocity in the first solve";
    ASSERT_EQ(built.notes.size(), 1u);
    EXPECT_NE(built.notes[0].find("16 cells"), std::string::npos) << built.notes[0];
}

// The scene's word is the solver that runs, and what runs does not change what happens.
TEST(BuildWorld, EverySolverByNameEndsInTheSameState) {
    std::vector<double> expected;
    for (const std::string name : {"auto", "cg-full", "cg-schur", "icpcg", "p0", "p1", "p2", "p3"}) {
        ReadOptions options;
        options.sets = {"domain.cells=[32, 64]",          "coupling.interface=constraint",
                        "coupling.solver.name=" + name,   "coupling.solver.history=true",
                        "coupling.solver.tolerance=1e-9", "coupling.solver.max_iterations=20000"};
        const Reading reading = read_scene(find_scene("box-lift-2d")->text, options);
        ASSERT_TRUE(reading.problems.empty()) << reading.problems[0].text;
        MeshStore meshes;
        auto built = build_world<2>(reading.scene, meshes);
        const auto setup = method_setup<2>(reading.scene, built.fluid);
        EXPECT_TRUE(setup.solver.record_history);
        const auto schur = make_method<2>(reading.scene.coupling.method, setup);
        const double start = built.world.solids.bodies[0].position[1];
        for (int s = 0; s < 3; ++s) {
            const auto report = schur->advance(built.world, 0.02);
            ASSERT_EQ(report.solves.size(), 1u);
            EXPECT_EQ(report.solves[0].solver, name);
            EXPECT_TRUE(report.solves[0].report.converged()) << name;
            EXPECT_EQ(report.solves[0].report.history.size(),
                      static_cast<std::size_t>(report.solves[0].report.iterations));
        }
        EXPECT_GT(built.world.solids.bodies[0].position[1], start + 1e-3);
        const auto& body = built.world.solids.bodies[0];
        const std::vector<double> state = {body.position[0], body.position[1], body.rotation.angle(),
                                           body.velocity[0], body.velocity[1], body.angular_momentum[0]};
        if (expected.empty()) expected = state;
        ASSERT_EQ(state.size(), expected.size());
        for (std::size_t i = 0; i < state.size(); ++i) EXPECT_NEAR(state[i], expected[i], 1e-6) << name << " " << i;
    }
}

// A mesh far below a cell passes check() with a warning; it used to break its own distances, band or voxels.
TEST(BuildWorld, MeshesOfAnySizeCanBeBuilt) {
    for (const double scale : {1e-6}) {
        const Reading r = read_scene(
            with_solids(fmt::format(
                R"({{ "shape": {{ "type": "mesh", "file": "bunny", "scale": {} }}, "position": [0.5, 1, 0.5], "density": 1 }})",
                scale)),
            test_options());
        ASSERT_TRUE(r.ok()) << listing(r.problems);
        MeshStore meshes;
        const auto problems = examine(r.scene, {}, meshes);
        EXPECT_FALSE(has_errors(problems)) << listing(problems);
        problem_at(problems, "solids[0].shape", "cells thin");
        const auto body = build_bodies<3>(r.scene, meshes).at(0);
        const double size = scale * bounds(meshes.get(r.scene.solids[0].shape).mesh).diagonal();
        // Inside near the centre of mass; around it the distance is right to the mesh's own size.
        EXPECT_LT(body.shape->distance(Vec3::Zero()), 0) << scale;
        for (const double away : {1.0, 3.0, 200.0})
            EXPECT_NEAR(body.shape->distance(Vec3(away * size, 0, 0)), away * size, size) << scale;
    }
}

}  // namespace
}  // namespace tidelock::scene
