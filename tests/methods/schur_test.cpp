/// The whole step: what must hold over many of them.
#include "methods/schur/schur.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/error.h"
#include "methods/trial.h"
#include "state/world_copy.h"
#include "state/world_hash.h"

namespace tidelock {
namespace {

template <int D>
Schur<D> schur_of(const Trial<D>& run, const SchurSettings& settings = {}) {
    return Schur<D>(run.setup(), settings);
}

// numerics/cases 5: nothing leaves a sealed tank in which a body falls, turns and is stopped, over 1000 steps.
TEST(Schur, SealedTankKeepsItsVolume) {
    Trial<2> run(40, 0.025);
    run.add(std::make_shared<Box<2>>(Vec2(0.3, 0.14)), 1500, Vec2(0.45, 0.7), Rotation<2>(0.4));
    run.options.solver.tolerance = 1e-11;
    auto schur = schur_of(run);
    const auto& grid = run.world.domain.grid;
    double outflow = 0, lowest = 1;
    for (int s = 0; s < 1000; ++s) {
        const auto report = schur.advance(run.world, 0.002);
        ASSERT_TRUE(report.solves[0].report.converged()) << "step " << s;
        // Net volume that all cells lose in the step.
        outflow += 0.002 * report.flow.max_divergence * report.flow.volume;
        lowest = std::min(lowest, run.world.solids.bodies[0].position[1]);
    }
    EXPECT_LT(outflow, 1e-8 * (grid.upper() - grid.origin).prod());
    EXPECT_LT(lowest, 0.35) << "the body should have sunk";
    for (const auto& x : run.world.solids.bodies[0].samples->points()) {
        const Vec2 at = run.world.solids.bodies[0].pose().to_world(x);
        EXPECT_TRUE((at.array() > 0).all() && (at.array() < 1).all()) << "and stayed inside";
    }
}

// numerics/cases 11: what starts symmetric stays so.
TEST(Schur, KeepsMirrorSymmetry) {
    Trial<2> run(64, 1.0 / 64);
    run.gas.fluid_density = 1.2;
    run.add(std::make_shared<Sphere<2>>(0.12), 0.4, Vec2(0.5, 0.6));
    run.heat(Vec2(0.5, 0.15), 0.08, 100);
    auto schur = schur_of(run);
    for (int s = 0; s < 30; ++s) (void)schur.advance(run.world, 0.01);
    EXPECT_GT(run.world.solids.bodies[0].position[1], 0.62) << "something must have happened";
    EXPECT_NEAR(run.world.solids.bodies[0].position[0], 0.5, 1e-6);
    const auto& u = run.world.smoke().velocity;
    double worst = 0, speed = 0;
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 32; ++x) {
            worst = std::max(worst, std::abs(u[1].at(Coord2(x, y)) - u[1].at(Coord2(63 - x, y))));
            worst = std::max(worst, std::abs(u[0].at(Coord2(x, y)) + u[0].at(Coord2(64 - x, y))));
            speed = std::max(speed, std::abs(u[1].at(Coord2(x, y))));
        }
    EXPECT_GT(speed, 0.05);
    // The solver stops at a relative residual of 1e-6, and the flow amplifies.
    EXPECT_LT(worst, 1e-3 * speed);
}

// Bodies a thousand times lighter and heavier than the fluid, with large steps: no energy from nowhere.
template <int D>
void expect_stable(double ratio) {
    Trial<D> run(D == 2 ? 48 : 24, D == 2 ? 1.0 / 48 : 1.0 / 24);
    run.add(std::make_shared<Sphere<D>>(0.15), ratio * 1000, Vec<D>::Constant(0.5));
    const double cell = run.world.domain.grid.dx, fluid_mass = 1000;
    auto schur = schur_of(run);
    const double start = run.world.solids.bodies[0].position[1];
    for (int s = 0; s < 60; ++s) {
        const double dt = std::min(schur.largest_step(run.world), 0.02);
        const auto report = schur.advance(run.world, dt);
        const auto& body = run.world.solids.bodies[0];
        // What gravity can have given: the body's weight less the fluid's that takes its place, over the way moved.
        // Fluid shares of the interface come and go with the cells, so a cell's way is allowed for.
        const double given =
            std::abs(body.mass - fluid_mass * body.volume) * 9.81 * (std::abs(body.position[1] - start) + cell);
        ASSERT_LT(report.flow.kinetic_energy + body.kinetic_energy(), 1.2 * given)
            << "ratio " << ratio << ", step " << s;
        if (report.contacts > 0) break;
    }
    EXPECT_GT(std::abs(run.world.solids.bodies[0].position[1] - start), 0.2) << "ratio " << ratio;
}
TEST(Schur, StableAtExtremeDensityRatios) {
    for (double ratio : {1e-3, 1e3}) {
        expect_stable<2>(ratio);
        expect_stable<3>(ratio);
    }
}

// Two heavy boxes in water, one on the other on the floor: what the fluid lifts and gravity pulls comes to rest.
TEST(Schur, AStackUnderWaterRests) {
    Trial<2> run(32, 1.0 / 32);
    const double dx = 1.0 / 32, edge = 0.25;
    run.add(std::make_shared<Box<2>>(Vec2(edge, edge)), 2500, Vec2(0.5, edge / 2 + 0.01 * dx));
    run.add(std::make_shared<Box<2>>(Vec2(edge, edge)), 2500, Vec2(0.51, 1.5 * edge + 0.02 * dx));
    for (auto& body : run.world.solids.bodies) body.friction = 0.4;
    const auto start = run.world.solids.bodies;
    auto schur = schur_of(run);
    StepReport<2> report;
    for (int s = 0; s < 200; ++s) {
        report = schur.advance(run.world, 0.005);
        ASSERT_EQ(report.max_penetration, 0) << "step " << s;
    }
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_LT((run.world.solids.bodies[i].position - start[i].position).norm(), 0.1 * dx) << "body " << i;
    EXPECT_EQ(report.contacts, 2);
    // At rest: no body moves by more than a hundredth of what gravity gives it in a step.
    for (const auto& body : run.world.solids.bodies) EXPECT_LT(body.velocity.norm(), 0.01 * 9.81 * 0.005);
}

// A light box under the ceiling, and one that rises to it: the ceiling bears what lifts them, less their weight.
TEST(Schur, ALightBoxRestsUnderTheCeiling) {
    for (const double start : {1.0 - 0.1 - 0.01 / 32, 0.8}) {
        Trial<2> run(32, 1.0 / 32);
        run.add(std::make_shared<Box<2>>(Vec2(0.25, 0.2)), 300, Vec2(0.5, start));
        auto schur = schur_of(run);
        const double dt = 0.005, displaced = 1000 * 9.81 * 0.05;
        double fastest = 0, lift = 0;
        const auto& body = run.world.solids.bodies[0];
        for (int s = 0; s < 300; ++s) {
            const auto report = schur.advance(run.world, dt);
            ASSERT_EQ(report.max_penetration, 0) << "step " << s;
            if (s < 200) continue;
            ASSERT_NEAR(body.position[1], 0.9, 0.02 / 32) << "step " << s;
            fastest = std::max(fastest, body.velocity.norm());
            lift += report.loads[0].force[1] / 100;
        }
        // The ceiling's share is found from the lift of the step before. With fluid that moves along three times as
        // heavy as the box that settles slowly; without it the solve would leave an approach of 3.3 times this speed.
        EXPECT_LT(fastest, 9.81 * dt) << "of what gravity gives in a step";
        EXPECT_NEAR(lift, displaced, 0.03 * displaced) << "Archimedes, on average";
    }
}

// What lies on the floor under water is lifted as if water went under it: it starts with what is left of (1 - ratio) g
// for its mass and what moves along, and does not stick.
TEST(Schur, ALightBoxRisesFromTheFloor) {
    for (const double gap : {0.0, 0.51}) {
        Trial<2> run(32, 1.0 / 32);
        const double start = 0.125 + gap / 32;
        run.add(std::make_shared<Box<2>>(Vec2(0.25, 0.25)), 500, Vec2(0.5, start));
        auto schur = schur_of(run);
        for (int s = 0; s < 60; ++s) (void)schur.advance(run.world, 0.005);
        // Water under it, 0.51 cells thick: rho L^3 / (12 F) = 82 kg/m, beside 31 kg/m of its own and 60 around it: 0.18 g,
        // less at first where it sheds vortices.
        const double way = run.world.solids.bodies[0].position[1] - start;
        EXPECT_GT(way, 0.5 * 0.1 * 9.81 * 0.09) << gap;
        EXPECT_LT(way, 0.5 * 0.18 * 9.81 * 0.09) << gap;
    }
}

// What touches a wall or another body, and weighs what it displaces, stays where it is.
TEST(Schur, NeutralBoxesThatTouchRest) {
    Trial<2> run(32, 1.0 / 32);
    run.options.solver.tolerance = 1e-11;
    run.add(std::make_shared<Box<2>>(Vec2(0.25, 0.2)), 1000, Vec2(0.4, 0.1));
    run.add(std::make_shared<Box<2>>(Vec2(0.2, 0.15)), 1000, Vec2(0.45, 0.275));
    run.add(std::make_shared<Box<2>>(Vec2(0.3, 0.02)), 1000, Vec2(0.8, 0.01));  // less than a cell thick
    auto schur = schur_of(run);
    for (int s = 0; s < 20; ++s) (void)schur.advance(run.world, 0.005);
    for (const auto& body : run.world.solids.bodies)
        EXPECT_LT(body.velocity.norm() + body.angular_velocity().norm() * body.radius, 1e-6 * 9.81 * 0.005)
            << body.name;
}

// How solids touch is not the grid's matter, and a thin gas is nothing: a disc on a slope slides g sin(a) t^2 / 2
// without turning, or rolls two thirds of it, and touches the slope by a thousandth of its radius.
TEST(Schur, ADiscOnASlopeRollsOnAnyGrid) {
    const double radius = 0.1, slope = 20 * std::numbers::pi / 180;
    const Vec2 normal(std::sin(slope), std::cos(slope)), foot(0.25, 0.6);
    for (const int cells : {15, 60})
        for (const double friction : {0.0, 0.5}) {
            Trial<2> run(cells, 1.0 / cells);
            run.gas.fluid_density = 1e-3;
            RigidBody<2> ground;
            ground.type = BodyType::fixed;
            set_shape<2>(ground, std::make_shared<Plane<2>>(normal), 1, 0, {foot, {}}, "ground");
            run.world.solids.add(std::move(ground));
            run.add(std::make_shared<Sphere<2>>(radius), 5000, foot + 1.001 * radius * normal);
            for (auto& body : run.world.solids.bodies) body.friction = friction;
            const auto& disc = run.world.solids.bodies[1];
            const Vec2 start = disc.position;
            auto schur = schur_of(run);
            for (int s = 0; s < 40; ++s) (void)schur.advance(run.world, 0.01);
            // In the first step nothing is known of the forces yet: its half is missing, 1/1600 of the way.
            const double expected = 0.5 * 9.81 * std::sin(slope) * 0.16 * (friction > 0 ? 2.0 / 3 : 1);
            EXPECT_NEAR((disc.position - start).norm(), expected, 1e-3 * expected) << cells << ", " << friction;
            EXPECT_NEAR((disc.position - foot).dot(normal), radius, 2e-3 * radius) << cells;
            if (friction == 0) {
                EXPECT_LT(disc.angular_velocity().norm(), 1e-9) << cells;
            }
        }
}

// In a closed shell no wider than 13 cells, too, a disc rolls to and fro with 2 pi sqrt(3 (R - r) / (2 g)), longer by 0.25 %
// at 0.2 rad: what moves beside a thin wall must not seem to change the room inside.
TEST(Schur, ADiscInAShellSwings) {
    const double radius = 0.1, shell = 0.5, skin = 0.02 / 16, way = shell - 0.5 * skin - 1.001 * radius, angle = 0.2;
    Trial<2> run(16, 1.2 / 16);
    run.gas.fluid_density = 1e-3;
    RigidBody<2> bowl;
    bowl.type = BodyType::fixed;
    set_shape<2>(bowl, std::make_shared<Sphere<2>>(shell), 1, skin, {Vec2(0.6, 0.6), {}}, "bowl");
    run.world.solids.add(std::move(bowl));
    run.add(std::make_shared<Sphere<2>>(radius), 5000, Vec2(0.6, 0.6) + way * Vec2(std::sin(angle), -std::cos(angle)));
    for (auto& body : run.world.solids.bodies) body.friction = 1;
    auto schur = schur_of(run);
    std::vector<double> passages;
    for (double before = 1; passages.size() < 3 && run.world.clock.time < 3;) {
        (void)schur.advance(run.world, 0.01);
        const double now = run.world.solids.bodies[1].position[0] - 0.6;
        if ((now < 0) != (before < 0)) passages.push_back(run.world.clock.time - 0.01 * now / (now - before));
        before = now;
    }
    ASSERT_EQ(passages.size(), 3U);
    const double period = 2 * std::numbers::pi * std::sqrt(1.5 * way / 9.81) * (1 + angle * angle / 16);
    EXPECT_NEAR(passages[2] - passages[0], period, 0.005 * period);
}

// A plank on a hinge in water, driven by a motor: what turns it is the motor, its weight and the fluid, and nothing is
// lost at the hinge. The angular momentum about the axis changes by the sum of their torques.
template <int D>
void expect_torque_balance() {
    Trial<D> run(D == 2 ? 40 : 24, D == 2 ? 1.0 / 40 : 1.0 / 24);
    run.options.solver.tolerance = 1e-10;
    Vec<D> size = Vec<D>::Constant(0.15), hinge = Vec<D>::Constant(0.5);
    size[0] = 0.4;
    hinge[0] = 0.35;
    auto& body = run.add(std::make_shared<Box<D>>(size), 700, Vec<D>::Constant(0.5));
    auto& joints = run.world.solids.joints;
    joints = {make_joint<D>(JointKind::hinge, 0, -1, hinge, Vec<D>(Vec<D>::Unit(D - 1)), run.world.solids.bodies)};
    const double torque = 0.4 * body.mass * 9.81 * 0.15, dt = 0.005;
    joints[0].torque = torque;
    auto schur = schur_of(run);
    const auto about_hinge = [&](const Vec<D>& force, const Spin<D>& own) {
        return (own + moment<D>(body.position - hinge, force))[rotation_dof<D> - 1];
    };
    const auto spin = [&](const RigidBody<D>& b) { return about_hinge(b.mass * b.velocity, b.angular_momentum); };
    double most = 0;
    for (int s = 0; s < 60; ++s) {
        // The motion alone, which comes before the forces.
        auto moved = run.world.solids.bodies;
        const JointGroups<D> groups(joints, moved);
        ASSERT_LT(groups.move_all(moved, run.world.clock.time, dt), 1e-12);
        groups.project_velocities(moved);
        const auto report = schur.advance(run.world, dt);
        ASSERT_LT((body.position - moved[0].position).norm(), 1e-14);
        const double fluid = about_hinge(report.loads[0].force, report.loads[0].torque);
        const double weight = about_hinge(body.mass * run.world.domain.gravity, Spin<D>::Zero());
        ASSERT_NEAR((spin(body) - spin(moved[0])) / dt, torque + weight + fluid, 1e-8 * std::abs(weight))
            << "step " << s;
        most = std::max(most, std::abs(fluid / weight));
        for (const auto& row : rows_of<D>(joints, run.world.solids.bodies)) ASSERT_LT(std::abs(row.value), 1e-11);
    }
    EXPECT_GT(most, 0.3) << "the fluid has its part in it";
    EXPECT_GT(std::abs(coordinate_of<D>(joints[0], run.world.solids.bodies).value), 0.02);
}
TEST(Schur, TorquesAboutAHingeBalance) {
    expect_torque_balance<2>();
    expect_torque_balance<3>();
}

/// A box in hot gas after some steps.
template <int D>
Trial<D> busy_trial(int steps) {
    Trial<D> run(D == 2 ? 64 : 32, D == 2 ? 1.0 / 64 : 1.0 / 32);
    run.gas.fluid_density = 1.2;
    run.gas.vorticity_confinement = 0.3;
    run.add(std::make_shared<Box<D>>(Vec<D>::Constant(0.2)), 0.5, Vec<D>::Constant(0.55));
    run.heat(Vec<D>::Constant(0.4), 0.15, 200);
    auto schur = schur_of(run);
    for (int s = 0; s < steps; ++s) (void)schur.advance(run.world, 0.02);
    return run;
}

template <int D>
std::uint64_t hash_after(int steps, int threads) {
    const ThreadLimit limit(threads);
    return hash_of(busy_trial<D>(steps).world);
}
TEST(Schur, SameBitsOnAnyNumberOfThreads) {
    EXPECT_EQ(hash_after<2>(4, 1), hash_after<2>(4, 2));
    EXPECT_EQ(hash_after<3>(4, 1), hash_after<3>(4, 2));
}

// Everything that the next step depends on is in the World, and a clone has it.
TEST(Schur, ACloneTakesTheSameSteps) {
    auto run = busy_trial<2>(2);
    World<2> copy = clone(run.world);
    EXPECT_EQ(hash_of(copy), hash_of(run.world));
    for (World<2>* world : {&run.world, &copy}) {
        auto schur = schur_of(run);
        for (int s = 0; s < 2; ++s) (void)schur.advance(*world, 0.02);
    }
    EXPECT_EQ(hash_of(copy), hash_of(run.world));
    EXPECT_EQ(hash_of(run.world), hash_after<2>(4, 2));
}

// Hot gas rises, and a light plate in its way is carried up with it.
TEST(Schur, APlumeLiftsAPlate) {
    Trial<2> run(64, 1.0 / 64);
    run.gas.fluid_density = 1.2;
    run.add(std::make_shared<Box<2>>(Vec2(0.3, 0.08)), 1.2, Vec2(0.5, 0.5));
    run.heat(Vec2(0.5, 0.2), 0.1, 150);
    auto schur = schur_of(run);
    for (int s = 0; s < 40; ++s) (void)schur.advance(run.world, 0.02);
    EXPECT_GT(run.world.solids.bodies[0].position[1], 0.51);
    EXPECT_GT(run.world.smoke().density.at(Coord2(32, 20)), 0.5);
}

// Cells that a body leaves have no pressure of their own from the step before. Next to that of a fluid at rest (here
// 10 kPa) nothing is a bad guess: it made first residuals of 100.
TEST(Schur, UncoveredCellsStartNearTheirPressure) {
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional}) {
        Trial<2> run(48, 1.0 / 48);
        auto& body = run.add(std::make_shared<Box<2>>(Vec2(0.25, 0.2)), 100, Vec2(0.5, 0.3));
        const double dx = run.world.domain.grid.dx;
        auto schur = schur_of(run, {.interface = scheme});
        int crossed = 0;
        for (int s = 0; s < 12; ++s) {
            const double before = body.position[1];
            const auto report = schur.advance(run.world, 0.03);
            if (std::abs(body.position[1] - before) > 0.9 * dx) ++crossed;
            if (s == 0) continue;
            EXPECT_LT(report.solves[0].report.initial_residual, 3) << "step " << s;
        }
        EXPECT_GE(crossed, 3) << "the body should have moved by cells";
    }
}

TEST(Schur, NumbersThatAreNotFiniteEndTheRunByName) {
    Trial<2> run(32, 1.0 / 32);
    run.world.smoke().velocity[1].ref(Coord2(10, 10)) = std::numeric_limits<double>::quiet_NaN();
    auto schur = schur_of(run);
    try {
        (void)schur.advance(run.world, 0.01);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("step 1"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace tidelock
