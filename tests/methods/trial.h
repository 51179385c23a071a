/// A box of gas (as heavy as water unless told otherwise) with bodies in it, for the tests of methods.
#pragma once

#include <memory>
#include <string>

#include "methods/method.h"

namespace tidelock {

template <int D>
struct Trial {
    World<D> world;
    SmokeParameters<D> gas;
    MethodSetup<D> options;  ///< all but the fluid

    Trial(int n, double dx, const Sides<D>& sides = {}) {
        Grid<D> grid;
        grid.cells = Coord<D>::Constant(n);
        grid.dx = dx;
        world.domain = {grid, -9.81 * Vec<D>::Unit(1), sides};
        world.fluid = make_smoke<D>(grid, sides, 293.15);
        gas.fluid_density = 1000;
    }
    RigidBody<D>& add(std::shared_ptr<const Shape<D>> shape, double density, const Vec<D>& at,
                      const Rotation<D>& turn = {}) {
        RigidBody<D> body;
        body.name = "body" + std::to_string(world.solids.bodies.size());
        set_shape<D>(body, std::move(shape), density, 0, {at, turn}, body.name);
        return world.solids.add(std::move(body));
    }
    void heat(const Vec<D>& at, double radius, double kelvin) {
        SmokeSource<D> source;
        source.shape = std::make_shared<Sphere<D>>(radius);
        source.pose = Pose<D>(at, {});
        source.temperature = 293.15 + kelvin;
        gas.sources.push_back(source);
    }
    [[nodiscard]] MethodSetup<D> setup() const {
        MethodSetup<D> out = options;
        out.fluid = gas;
        return out;
    }
};

}  // namespace tidelock
