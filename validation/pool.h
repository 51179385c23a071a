/// A tank of liquid with bodies in it and the method that moves them: what validations and tests begin with.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "methods/schur/schur.h"
#include "stage/liquid_fill.h"

namespace tidelock {

template <int D>
struct Pool {
    static constexpr double g = 9.81;
    World<D> world;
    LiquidParameters<D> liquid;
    MethodSetup<D> setup;
    std::unique_ptr<Method<D>> method;

    /// 1 m wide and n cells along every axis.
    Pool(int n, LiquidTransport transport, LiquidSurface surface)
        : Pool(Coord<D>::Constant(n), 1.0 / n, transport, surface) {}
    Pool(const Coord<D>& cells, double dx, LiquidTransport transport, LiquidSurface surface) {
        world.domain.grid.cells = cells;
        world.domain.grid.dx = dx;
        world.domain.gravity = -g * Vec<D>::Unit(1);
        liquid.transport = transport;
        liquid.surface = surface;
    }
    RigidBody<D>& add(std::shared_ptr<const Shape<D>> shape, double density, const Vec<D>& at, BodyType type,
                      double angle = 0) {
        RigidBody<D> body;
        body.name = "body" + std::to_string(world.solids.bodies.size());
        Rotation<D> turn;
        if constexpr (D == 2) turn = Rotation<2>(angle);
        set_shape<D>(body, std::move(shape), density, 0, {at, turn}, body.name);
        body.type = type;
        return world.solids.add(std::move(body));
    }
    void fill(const DistanceFunction<D>& shape) {
        fill_liquid<D>(liquid, shape, world);
        setup.fluid = liquid;
        method = make();
    }
    void fill_to(double level) {
        fill([=](const Vec<D>& x) { return x[1] - level; });
    }
    [[nodiscard]] std::unique_ptr<Method<D>> make() const { return std::make_unique<Schur<D>>(setup, SchurSettings{}); }
    /// A step no longer than dt.
    StepReport<D> step(double dt) { return method->advance(world, std::min(dt, method->largest_step(world))); }
};

}  // namespace tidelock
