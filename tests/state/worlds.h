/// Worlds with something in every part of their state.
#pragma once

#include "state/world.h"

namespace tidelock::worlds {

/// Values that nobody sees twice.
template <class T>
void fill(std::span<T> values, double seed) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(seed + 0.25 * static_cast<double>(i));
}

template <int D>
World<D> with_bodies() {
    World<D> world;
    world.clock = {0.25, 7, 2};
    world.domain.grid.cells = Coord<D>::Constant(20);
    world.domain.grid.dx = 0.05;
    world.domain.gravity = -9.81 * Vec<D>::Unit(1);
    for (int i = 0; i < 2; ++i) {
        RigidBody<D> body;
        body.name = "body";
        set_shape<D>(body, std::make_shared<Sphere<D>>(0.1), 3, 0, {Vec<D>::Constant(0.3 + 0.3 * i), {}}, "body");
        Twist<D> twist;
        for (int d = 0; d < rigid_dof<D>; ++d) twist[d] = 0.1 / (d + 1.0 + i);
        body.set_twist(twist);
        for (int n = 0; n < 3; ++n) move<D>(body, 0, 0.1);
        world.solids.add(std::move(body));
    }
    world.solids.loads[1] = Twist<D>::Constant(1.0 / 3);
    world.solids.contacts = {{0, 1, 17, Vec<D>::Constant(0.1)}, {1, -4, 4000000000u, Vec<D>::Unit(1)}};
    return world;
}

template <int D>
World<D> smoky() {
    World<D> world = with_bodies<D>();
    auto& smoke = world.fluid.template emplace<Smoke<D>>(make_smoke<D>(world.domain.grid, world.domain.sides, 293.15));
    for (int a = 0; a < D; ++a) fill(smoke.velocity[a].values(), a);
    fill(smoke.density.values(), 3);
    fill(smoke.temperature.values(), 4);
    fill(smoke.pressure.values(), 5);
    return world;
}

template <int D>
World<D> wet() {
    World<D> world = with_bodies<D>();
    auto& liquid = world.fluid.template emplace<Liquid<D>>();
    const auto lattice = lattice_for_faces<D>(world.domain.grid.cells);
    const auto set = std::make_shared<const BrickSet<D>>(lattice, std::vector{Coord<D>(Coord<D>::Zero())});
    liquid.velocity = FaceField<D, double>(set, 0.0);
    for (int a = 0; a < D; ++a) fill(liquid.velocity[a].values(), a);
    liquid.phi = Field<D, double>(set, 0.5);
    liquid.pressure = Field<D, double>(set, 0.0);
    liquid.bubbles.label = Field<D, std::int32_t>(set, 0);
    fill(liquid.phi.values(), 3);
    fill(liquid.pressure.values(), 4);
    fill(liquid.bubbles.label.values(), 5);
    liquid.bubbles.target = {0.1, 0.2};
    liquid.bubbles.missing = {0.01, 0.02};
    liquid.particles.with_affine = true;
    for (int p = 0; p < 5; ++p) {
        liquid.particles.add(Vec<D>::Constant(0.1 * p));
        liquid.particles.velocity.back().setConstant(p);
        liquid.particles.affine.back().setConstant(0.1 + p);
        liquid.markers.position.push_back(Vec<D>::Constant(0.2 * p));
        liquid.markers.radius.push_back(0.01 * p);
        liquid.markers.sign.push_back(p % 2 == 0 ? 1 : -1);
    }
    liquid.ledger = {1, 2, 3, 4, 5};
    liquid.progress = {{Vec<D>::Constant(0.7), true}, {Vec<D>::Zero(), false}};
    return world;
}

}  // namespace tidelock::worlds
