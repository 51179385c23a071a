/// Both kinds of fluid through the same calls.
#include "stage/flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stage/liquid_fill.h"
#include "stage/measures.h"
#include "tank.h"

namespace tidelock {
namespace {

/// What a method does, with a solve that changes nothing.
template <int D>
FlowFaces<D> pass_through(Flow<D>& flow, World<D>& world, double dt) {
    Step<D> step(world, dt);
    step.interface = find_interface<D>(world.velocity().set_ptr(), InterfaceScheme::fractional, step);
    flow.carry(step);
    flow.add_forces(step);
    FlowFaces<D> faces = flow.faces(step);
    flow.finish(faces, step);
    return faces;
}

TEST(Flow, AGasFillsTheDomain) {
    World<2> world = tank<2>(16);
    world.fluid = make_smoke<2>(world.domain.grid, world.domain.sides, 293.15);
    SmokeParameters<2> gas;
    gas.fluid_density = 2;
    const auto flow = make_flow<2>(gas, 3);
    EXPECT_EQ(flow->density(), 2);
    EXPECT_TRUE(flow->wet(world, Vec2(0.5, 0.99)));
    EXPECT_TRUE(std::isinf(flow->largest_step(world))) << "nothing moves, and nothing makes it";
    const auto faces = pass_through<2>(*flow, world, 0.01);
    EXPECT_EQ(faces.medium.density, 2);
    EXPECT_TRUE(faces.links.empty());
    EXPECT_NEAR(world.smoke().velocity[1].at(Coord2(8, 8)), -0.0981, 1e-15) << "it falls, as nothing was solved";
}

TEST(Flow, ALiquidEndsAtItsSurface) {
    for (const auto transport : {LiquidTransport::apic, LiquidTransport::semi_lagrangian}) {
        World<2> world = tank<2>(16);
        LiquidParameters<2> liquid;
        liquid.transport = transport;
        liquid.surface =
            transport == LiquidTransport::apic ? LiquidSurface::particles : LiquidSurface::particle_level_set;
        EXPECT_EQ(fill_liquid<2>(
                      liquid, [](const Vec2& x) { return x[1] - 0.5; }, world),
                  0);
        const auto flow = make_flow<2>(liquid, 3);
        EXPECT_TRUE(flow->wet(world, Vec2(0.5, 0.4)));
        EXPECT_FALSE(flow->wet(world, Vec2(0.5, 0.6)));
        // Waves two cells long: sqrt(dx / g) times 2 / sqrt(5 - (3 - sqrt(8))), less than three cells with what 2 g adds while
        // one is crossed.
        const double dx = world.domain.grid.dx;
        EXPECT_NEAR(flow->largest_step(world), 2 / std::sqrt(2 + std::sqrt(8.0)) * std::sqrt(dx / 9.81), 1e-12);
        for (auto& v : world.liquid().particles.velocity) v[0] = 10;
        for (auto& v : world.liquid().velocity[0].values()) v = 10;
        EXPECT_NEAR(flow->largest_step(world), 3 * dx / (5 + std::sqrt(25 + 2 * 9.81 * dx)), 1e-12);
        for (auto& v : world.liquid().particles.velocity) v[0] = 0;
        for (auto& v : world.liquid().velocity[0].values()) v = 0;
        const auto faces = pass_through<2>(*flow, world, 0.01);
        EXPECT_EQ(faces.links.size(), 16u) << "one up from each column";
        EXPECT_NEAR(world.liquid().velocity[1].at(Coord2(8, 4)), -0.0981, 1e-12);
        // Without a solve all of it falls, and what of that meets the floor is moved apart again.
        EXPECT_NEAR(world.liquid().ledger.present, 0.5, 1e-3);
    }
}

// Liquid may cross three cells in a step, a drop that flies alone six; faces where no particle is count for nothing.
TEST(Flow, WhatFliesAloneHardlyLimitsTheStep) {
    for (const auto transport : {LiquidTransport::apic, LiquidTransport::flip, LiquidTransport::narrow_band_flip}) {
        World<2> world = tank<2>(32);
        world.domain.gravity.setZero();
        LiquidParameters<2> liquid;
        liquid.transport = transport;
        (void)fill_liquid<2>(
            liquid, [](const Vec2& x) { return std::min(x[1] - 0.3, (x - Vec2(0.52, 0.5)).norm() - 0.02); }, world);
        Particles<2>& particles = world.liquid().particles;
        std::vector<char> gone(particles.position.size());
        for (std::size_t p = 0; p < gone.size(); ++p) gone[p] = particles.position[p][1] > 0.4 ? 1 : 0;
        remove_particles<2>(particles, gone);
        particles.add(Vec2(0.52, 0.5));
        const auto flow = make_flow<2>(liquid, 3);
        const auto step_with = [&](const Coord2& face, double speed) {
            world.liquid().velocity[1].brick(world.liquid().set()->find(brick_of<2>(face)))[local_index<2>(face)] =
                speed;
            return flow->largest_step(world);
        };
        const double way = 3 * world.domain.grid.dx;
        const bool all = liquid.particles_are_all();
        EXPECT_NEAR(step_with({4, 3}, 1), way / 1, 1e-12) << "in the liquid";
        EXPECT_NEAR(step_with({16, 17}, 3), way / (all ? 1.5 : 3), 1e-12) << "above the drop";
        EXPECT_NEAR(step_with({4, 11}, 5), way / (all ? 1.5 : 5), 1e-12) << "in the air";
    }
}

}  // namespace
}  // namespace tidelock
