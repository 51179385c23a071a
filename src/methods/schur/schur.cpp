#include "methods/schur/schur.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "couple/solid_obstacles.h"
#include "fluid/forces.h"
#include "fluid/transport.h"
#include "methods/schur/body_step.h"

namespace tidelock {

namespace {

template <int D>
bool all_finite(const Field<D, double>& field) {
    // A sum is finite only if every part of it is (no sum of smoke or temperatures overflows).
    return std::isfinite(ordered_sum("finite", field.set().count(), 0.0, [&](std::ptrdiff_t b) {
        double sum = 0;
        for (int i = 0; i < Brick<D>::cells; ++i) sum += field.brick(b)[i];
        return sum;
    }));
}

}  // namespace

template <int D>
double Schur<D>::largest_step(const World<D>& world) const {
    const auto& p = parameters_.smoke;
    const double dx = world.domain.grid.dx;
    // What gravity can do within the step: hot gas rises with beta (T - T_ambient) g, a body of no weight in the plane
    // or in space starts with at most 2 g (numerics/cases 1).
    double lift = 0;
    for (const auto& source : parameters_.sources)
        lift = std::max(lift, std::abs(p.lift_per_kelvin * (source.temperature - p.ambient_temperature)));
    for (const auto& body : world.solids.bodies)
        if (body.dynamic()) lift = std::max(lift, 2.0);
    const double speed = largest_speed<D>(world.smoke().velocity, world.solids.bodies) +
                         std::sqrt(lift * world.domain.gravity.norm() * dx);
    return speed > 0 ? parameters_.cfl * dx / speed : std::numeric_limits<double>::infinity();
}

template <int D>
StepReport<D> Schur<D>::advance(World<D>& world, double dt) {
    const SmokeParameters<D>& gas = parameters_.smoke;
    Smoke<D>& smoke = world.smoke();
    const Domain<D>& domain = world.domain;
    const Grid<D>& grid = domain.grid;
    auto& bodies = world.solids.bodies;
    StepReport<D> report;
    report.dt = dt;
    BodyStep<D> step(world, dt);
    stage(report, "bodies", [&] { step.move(report); });
    Interface<D> interface;
    stage(report, "interface", [&] { interface = step.interface(smoke.set(), parameters_.interface, report); });

    // u* of [A18] eq. (12), with rays clipped at the moving solids.
    FaceField<D, double> velocity(smoke.set(), 0.0);
    stage(report, "advect", [&] {
        const double reach = largest_speed<D>(smoke.velocity, bodies) * dt;
        const SolidObstacles<D> obstacles(grid, *smoke.set(), step.surfaces(), reach);
        const Wind<D> wind{grid, domain.sides, smoke.velocity, dt, bodies.empty() ? nullptr : &obstacles};
        advect_velocity<D>(wind, gas.transport, velocity);
        Field<D, double> density(smoke.set(), 0.0), temperature(smoke.set(), gas.ambient_temperature);
        const Field<D, double>* const in[] = {&smoke.density, &smoke.temperature};
        Field<D, double>* const out[] = {&density, &temperature};
        std::vector<Coord<D>> hidden;
        advect_cells<D>(wind, gas.transport, in, out, hidden);
        // Cells that see no other get ambient air: what was there may have been on the other side of a thin solid.
        (void)fill_hidden<D>(wind, interface.solid, std::move(hidden), out);
        if (!all_finite<D>(density) || !all_finite<D>(temperature))
            throw SimulationError(fmt::format(
                "step {}, stage advect: smoke or temperature holds a number that is not finite", world.clock.step + 1));
        smoke.density = std::move(density);
        smoke.temperature = std::move(temperature);
        clear_solids<D>(interface.solid, smoke);
    });

    // Forces on the fluid, f of [A18] eq. (12), and on the bodies: u* and v*.
    stage(report, "forces", [&] {
        const GasForces<D> forces{grid, domain.gravity, gas, interface.solid, dt};
        fade<D>(gas, dt, smoke);
        confine_vorticity<D>(forces, smoke.velocity, velocity);
        for (const auto& source : parameters_.sources)
            if (source.active(world.clock.time)) apply_source<D>(grid, source, interface.solid, smoke, velocity);
        add_weight<D>(forces, smoke, velocity);
        step.weigh();
    });

    stage(report, "contact", [&] {
        step.expect_rest(gas.fluid_density, [](const Vec<D>&) { return true; });
        step.resist(report);
    });

    // [A18] eq. (15) to (17).
    stage(report, "solve", [&] {
        const FlowFaces<D> flow = gas_faces<D>({grid, domain.sides, gas.fluid_density, domain.gravity}, interface);
        const CoupledSystem<D> system(flow, interface, bodies, step.joint_rows(), parameters_.reference_solver);
        step.solve(system, parameters_.solver, parameters_.observe, velocity, smoke.pressure, report);
    });
    smoke.velocity = std::move(velocity);
    world.clock.advance(dt);
    return report;
}

template class Schur<2>;
template class Schur<3>;

}  // namespace tidelock
