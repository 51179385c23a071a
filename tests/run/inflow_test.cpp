#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "run/open_session.h"
#include "scene/examine.h"
#include "scene/reader.h"

namespace tidelock {
namespace {

/// A duct along x, closed all around except at its far end, with a vent in it.
std::string duct(const std::string& shape, const std::string& position, const std::string& more) {
    return fmt::format(
        R"({{ "tidelock": 1, "dimension": 2, "domain": {{ "size": [2, 1], "cells": [64, 32], "walls": {{ "x+": "open" }} }},
        "gravity": [0, 0], "time": {{ "duration": 1, "step": 0.02 }}, "coupling": {{ "solver": {{ "tolerance": 1e-9 }} }},
        "fluid": {{ "sources": [ {{ "shape": {}, "position": {}, {} }} ] }} }})",
        shape, position, more);
}

Session<2> open(const std::string& text) {
    const scene::Reading reading = scene::read_scene(text);
    EXPECT_TRUE(reading.ok());
    scene::MeshStore meshes;
    return open_session<2>(reading.scene, meshes);
}

/// Through the faces below the cells of a column [m^2/s].
double flux_through(const Session<2>& session, int column) {
    const auto& grid = session.world().domain.grid;
    double flux = 0;
    for (int j = 0; j < grid.cells[1]; ++j) flux += session.world().velocity()[0].at(Coord<2>(column, j)) * grid.dx;
    return flux;
}

// What comes in flows through every plane downstream: velocity times area, to the tolerance of the solve. A disc's width
// is seen by rays, to 1e-4.
TEST(Inflow, BlowsVelocityTimesAreaThroughEveryPlaneDownstream) {
    struct Case {
        const char* shape;
        double width;
    };
    for (const auto& [shape, width] : {Case{R"({ "type": "box", "size": [0.1, 0.43] })", 0.43},
                                       Case{R"({ "type": "box", "size": [0.02, 0.3] })", 0.3},  // thinner than a cell
                                       Case{R"({ "type": "sphere", "radius": 0.17 })", 0.34}}) {
        auto session = open(duct(shape, "[0.41, 0.53]", R"("velocity": [1.5, 0], "inflow": true)"));
        for (int n = 0; n < 5; ++n) {
            session.step_to_frame();
            for (const int column : {24, 40, 64})
                EXPECT_NEAR(flux_through(session, column), 1.5 * width, 2e-4) << shape;
            EXPECT_NEAR(flux_through(session, 4), 0, 1e-6) << "the closed end";
        }
    }
}

// Aslant: the shape is seen at 45 degrees, and the far end still takes it all.
TEST(Inflow, AreaIsSeenAlongTheVelocity) {
    auto session =
        open(duct(R"({ "type": "box", "size": [0.2, 0.2] })", "[0.5, 0.5]", R"("velocity": [1, 1], "inflow": true)"));
    session.step_to_frame();
    EXPECT_NEAR(flux_through(session, 60), std::sqrt(2.0) * 0.2 * std::sqrt(2.0), 1e-4);
}

// A vent in the wall: only the part that lies in the domain blows.
TEST(Inflow, WhatLiesBeyondTheDomainBlowsNothing) {
    auto session =
        open(duct(R"({ "type": "box", "size": [0.2, 0.5] })", "[0, 0]", R"("velocity": [2, 0], "inflow": true)"));
    session.step_to_frame();
    EXPECT_NEAR(flux_through(session, 40), 2 * 0.25, 1e-4);
}

// Without it nothing comes in: what the source moves forward it takes from behind.
TEST(Inflow, AVelocityAloneBringsNothing) {
    auto session = open(duct(R"({ "type": "box", "size": [0.1, 0.4] })", "[0.4, 0.5]", R"("velocity": [1.5, 0])"));
    session.step_to_frame();
    EXPECT_NEAR(flux_through(session, 40), 0, 1e-6);
}

/// What examine() says of a source in a closed room.
std::string said_of(const std::string& source) {
    const scene::Reading reading = scene::read_scene(
        R"({ "tidelock": 1, "dimension": 2, "domain": { "size": [1, 1], "cells": 32 }, "time": { "duration": 1 },
             "fluid": { "sources": [ { "shape": { "type": "sphere", "radius": 0.1 }, "position": [0.5, 0.5], )" +
        source + " } ] } }");
    scene::MeshStore meshes;
    std::string text;
    for (const auto& p : scene::all_problems(reading, {}, meshes))
        text += (p.severity == scene::Severity::error ? "error " : "warning ") + p.path + ": " + p.text + "\n";
    return text;
}

TEST(Inflow, CheckSaysWhatAClosedRoomMakesOfASource) {
    EXPECT_NE(said_of(R"("velocity": [1, 0])").find("warning fluid.sources[0].velocity: moves the gas"),
              std::string::npos);
    EXPECT_NE(said_of(R"("velocity": [1, 0], "inflow": true)").find("error fluid.sources[0].inflow: blows"),
              std::string::npos);
    EXPECT_NE(said_of(R"("inflow": true)").find("needs a velocity"), std::string::npos);
    EXPECT_NE(said_of(R"("inflow": true, "velocity": [0, 0])").find("needs a velocity"), std::string::npos);
    EXPECT_EQ(said_of(R"("smoke": 1)"), "");
}

}  // namespace
}  // namespace tidelock
