/// A box of fluid with bodies, for stages on their own.
#pragma once

#include <memory>
#include <string>

#include "stage/step.h"

namespace tidelock {

template <int D>
World<D> tank(int cells) {
    World<D> world;
    world.domain.grid.cells = Coord<D>::Constant(cells);
    world.domain.grid.dx = 1.0 / cells;
    world.domain.gravity = -9.81 * Vec<D>::Unit(1);
    return world;
}

template <int D>
RigidBody<D>& add(World<D>& world, std::shared_ptr<const Shape<D>> shape, double density, const Vec<D>& at) {
    RigidBody<D> body;
    body.name = "body" + std::to_string(world.solids.bodies.size());
    set_shape<D>(body, std::move(shape), density, 0, {at, {}}, body.name);
    return world.solids.add(std::move(body));
}

}  // namespace tidelock
