/// A tank of fluid with bodies in it, for tests: the least that solve_coupled() needs.
#pragma once

#include "couple/bubbles.h"
#include "couple/coupled_solve.h"
#include "couple/level_in_solids.h"
#include "fluid/smoke.h"
#include "grid/activation.h"

namespace tidelock {

template <int D>
struct Tank {
    Grid<D> grid;
    Sides<D> sides;
    BrickSetPtr<D> set;
    std::vector<RigidBody<D>> bodies;
    FaceField<D, double> velocity;
    Field<D, double> pressure;
    InterfaceScheme scheme = InterfaceScheme::constraint;
    double density = 1000;
    Vec<D> gravity = -9.81 * Vec<D>::Unit(1);
    std::optional<DistanceFunction<D>> liquid;  ///< where the fluid is; everywhere if empty
    bool settled = false;                       ///< settle_in_solids is asked what phi is in solids
    FlowMeasures<D> flow;                       ///< after release()

    explicit Tank(const Coord<D>& cells, double dx = 1.0, const Sides<D>& openings = {}) : sides(openings) {
        grid.cells = cells;
        grid.dx = dx;
        set = smoke_bricks<D>(grid, sides);
        velocity = FaceField<D, double>(set, 0.0);
        pressure = Field<D, double>(set, 0.0);
    }
    void add(std::shared_ptr<const Shape<D>> shape, double body_density, const Vec<D>& at,
             const Rotation<D>& turn = {}) {
        RigidBody<D> body;
        body.name = "body" + std::to_string(bodies.size());
        set_shape<D>(body, std::move(shape), body_density, 0, {at, turn}, body.name);
        bodies.push_back(body);
    }
    /// Gravity over dt on every face and every rigid body.
    void weigh(double dt) {
        for (int a = 0; a < D; ++a)
            for (std::ptrdiff_t b = 0; b < set->count(); ++b)
                for (int i = 0; i < Brick<D>::cells; ++i) {
                    const Coord<D> cell = first_cell<D>(set->brick(b)) + local_coord<D>(i);
                    if ((cell.array() <= grid.last_index(Centring<D>::face(a)).array()).all())
                        velocity[a].brick(b)[i] += dt * gravity[a];
                }
        for (auto& body : bodies)
            if (body.dynamic()) body.velocity += dt * gravity;
    }
    /// One step of gravity and pressure from rest.
    SolveReport release(double dt, double tolerance = 1e-10, std::optional<ReferenceMethod> method = {}) {
        const auto interface = this->interface();
        const auto faces = flow_faces(interface);
        const CoupledSystem<D> system(faces, interface, bodies, {}, method);
        weigh(dt);
        SolveOptions options;
        options.tolerance = tolerance;
        if (method) options.max_iterations = 50000;
        const SolveReport report = solve(system, dt, options).solve;
        flow = measure(system);
        return report;
    }
    CoupledReport<D> solve(const CoupledSystem<D>& system, double dt, const SolveOptions& options) {
        return solve_coupled<D>(system, dt, options, {velocity, bodies, pressure});
    }
    [[nodiscard]] FlowMeasures<D> measure(const CoupledSystem<D>& system) const {
        return system.flow.measure(velocity, system.coupling.velocities());
    }
    [[nodiscard]] Interface<D> interface() const {
        return build_interface<D>(grid, set, RigidSurfaces<D>(bodies), scheme);
    }
    [[nodiscard]] Medium<D> medium() const { return {grid, sides, density, gravity}; }
    [[nodiscard]] FlowFaces<D> flow_faces(const Interface<D>& interface) const {
        if (!liquid) return gas_faces<D>(medium(), interface);
        auto phi = distances();
        if (settled) settle_in_solids<D>(grid, interface, RigidSurfaces<D>(bodies), gravity, phi);
        return liquid_faces<D>(medium(), interface, RigidSurfaces<D>(bodies),
                               {phi, liquid_contents<D>(grid, interface, phi)});
    }
    /// `liquid` at the cells' centres.
    [[nodiscard]] Field<D, double> distances() const {
        Field<D, double> phi(set, 0.0);
        for (std::ptrdiff_t b = 0; b < set->count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i)
                phi.brick(b)[i] =
                    (*liquid)(grid.cell_centre(Coord<D>(first_cell<D>(set->brick(b)) + local_coord<D>(i))));
        return phi;
    }
};

template <int D>
Rotation<D> turned_by(double angle) {
    if constexpr (D == 2)
        return Rotation<2>(angle);
    else
        return Rotation<3>(Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized())));
}

}  // namespace tidelock
