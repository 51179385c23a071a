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
        // A step in which what falls with 2 g crosses three cells.
        const double dx = world.domain.grid.dx;
        EXPECT_NEAR(flow->largest_step(world), 3 * dx / std::sqrt(2 * 9.81 * dx), 1e-12);
        const auto faces = pass_through<2>(*flow, world, 0.01);
        EXPECT_EQ(faces.links.size(), 16u) << "one up from each column";
        EXPECT_NEAR(world.liquid().velocity[1].at(Coord2(8, 4)), -0.0981, 1e-12);
        // Without a solve all of it falls, and what of that meets the floor is moved apart again.
        EXPECT_NEAR(world.liquid().ledger.present, 0.5, 1e-3);
    }
}

}  // namespace
}  // namespace tidelock
