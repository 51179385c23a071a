/// A tank of liquid with bodies in it and the method that moves them: what validations and tests begin with.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "methods/schur/schur.h"
#include "run/session.h"
#include "stage/liquid_fill.h"

namespace tidelock {

template <int D>
class Pool {
  public:
    static constexpr double g = 9.81;
    LiquidParameters<D> liquid;
    MethodSetup<D> setup;

    /// 1 m wide and n cells along every axis.
    Pool(int n, LiquidTransport transport, LiquidSurface surface)
        : Pool(Coord<D>::Constant(n), 1.0 / n, transport, surface) {}
    Pool(const Coord<D>& cells, double dx, LiquidTransport transport, LiquidSurface surface) {
        start_.domain.grid.cells = cells;
        start_.domain.grid.dx = dx;
        start_.domain.gravity = -g * Vec<D>::Unit(1);
        liquid.transport = transport;
        liquid.surface = surface;
    }
    RigidBody<D>& add(std::shared_ptr<const Shape<D>> shape, double density, const Vec<D>& at, BodyType type,
                      double angle = 0) {
        RigidBody<D> body;
        body.name = "body" + std::to_string(start_.solids.bodies.size());
        Spin<D> about = Spin<D>::Zero();
        about[rotation_dof<D> - 1] = angle;
        const Rotation<D> turn = Rotation<D>().turned(about);
        set_shape<D>(body, std::move(shape), density, 0, {at, turn}, body.name);
        body.type = type;
        return start_.solids.add(std::move(body));
    }
    /// The session begins; bodies, sources and settings come before.
    void fill(const DistanceFunction<D>& shape) {
        fill_liquid<D>(liquid, shape, start_);
        setup.fluid = liquid;
        session_.emplace(std::move(start_), make());
    }
    void fill_to(double level) {
        fill([=](const Vec<D>& x) { return x[1] - level; });
    }
    [[nodiscard]] std::unique_ptr<Method<D>> make() const { return std::make_unique<Schur<D>>(setup, SchurSettings{}); }
    /// A step no longer than dt.
    StepReport<D> step(double dt) { return session_->step(dt).report; }

    [[nodiscard]] World<D>& world() { return session_ ? session_->world() : start_; }
    [[nodiscard]] const World<D>& world() const { return session_ ? session_->world() : start_; }

  private:
    World<D> start_;
    std::optional<Session<D>> session_;
};

}  // namespace tidelock
