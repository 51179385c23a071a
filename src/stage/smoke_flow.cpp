#include "stage/smoke_flow.h"

#include <limits>

#include "couple/solid_obstacles.h"
#include "fluid/forces.h"
#include "fluid/sources.h"
#include "fluid/transport.h"
#include "stage/measures.h"

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
double SmokeFlow<D>::largest_step(const World<D>& world) const {
    const double dx = world.domain.grid.dx;
    // What gravity can do within the step: hot gas rises with beta (T - T_ambient) g, a body of no weight in the plane
    // or in space starts with at most 2 g (numerics/cases 1).
    double lift = 0;
    for (const auto& source : gas_.sources)
        lift = std::max(lift, std::abs(gas_.lift_per_kelvin * (source.temperature - gas_.ambient_temperature)));
    for (const auto& body : world.solids.bodies)
        if (body.dynamic()) lift = std::max(lift, 2.0);
    double moving = largest_speed<D>(world.velocity(), world.solids.bodies);
    for (const auto& source : gas_.sources)  // what will blow in is as fast
        if (source.inflow && source.active(world.clock.time)) moving = std::max(moving, source.velocity->norm());
    const double speed = moving + std::sqrt(lift * world.domain.gravity.norm() * dx);
    return speed > 0 ? cfl_ * dx / speed : std::numeric_limits<double>::infinity();
}

template <int D>
void SmokeFlow<D>::carry(Step<D>& step) {
    step.run("advect", [&] { advect(step); });
}

template <int D>
void SmokeFlow<D>::advect(Step<D>& step) const {
    Smoke<D>& smoke = step.world.smoke();
    const Domain<D>& domain = step.world.domain;
    const auto& bodies = step.world.solids.bodies;
    const double reach = largest_speed<D>(smoke.velocity, bodies) * step.dt;
    const SolidObstacles<D> obstacles(domain.grid, *smoke.set(), step.surfaces, reach);
    const Wind<D> wind{domain.grid, domain.sides, smoke.velocity, step.dt,
                       step.world.solids.empty() ? nullptr : &obstacles};
    step.velocity = FaceField<D, double>(smoke.set(), 0.0);
    advect_velocity<D>(wind, gas_.transport, step.velocity);

    Field<D, double> density(smoke.set(), 0.0), temperature(smoke.set(), gas_.ambient_temperature);
    const Field<D, double>* const in[] = {&smoke.density, &smoke.temperature};
    Field<D, double>* const out[] = {&density, &temperature};
    std::vector<Coord<D>> hidden;
    advect_cells<D>(wind, gas_.transport, in, out, hidden);
    // Cells that see no other keep ambient air: what was there may have been on the other side of a thin solid.
    (void)fill_hidden<D>(wind, step.interface.solid, std::move(hidden), out);
    if (!all_finite<D>(density) || !all_finite<D>(temperature))
        step.fail("advect", "smoke or temperature holds a number that is not finite");
    smoke.density = std::move(density);
    smoke.temperature = std::move(temperature);
    clear_solids<D>(step.interface.solid, smoke);
}

template <int D>
void SmokeFlow<D>::add_forces(Step<D>& step) {
    Smoke<D>& smoke = step.world.smoke();
    const Domain<D>& domain = step.world.domain;
    const Mask<D>& solid = step.interface.solid;
    const GasForces<D> forces{domain.grid, domain.gravity, gas_, solid, step.dt};
    fade<D>(gas_, step.dt, smoke);
    confine_vorticity<D>(forces, smoke.velocity, step.velocity);
    for (const auto& source : gas_.sources)
        if (source.active(step.world.clock.time)) apply_source<D>(domain.grid, source, solid, smoke, step.velocity);
    add_weight<D>(forces, smoke, step.velocity);
}

template <int D>
FlowFaces<D> SmokeFlow<D>::faces(Step<D>& step) {
    const Domain<D>& domain = step.world.domain;
    auto faces = gas_faces<D>({domain.grid, domain.sides, gas_.fluid_density, domain.gravity}, step.interface);
    add_inflows(step, faces);
    return faces;
}

template <int D>
void SmokeFlow<D>::add_inflows(const Step<D>& step, FlowFaces<D>& faces) {
    for (std::size_t i = 0; i < gas_.sources.size(); ++i) {
        const SmokeSource<D>& source = gas_.sources[i];
        if (!source.inflow || !source.active(step.world.clock.time)) continue;
        const Inflow<D>& inflow = inflows_.try_emplace(i, step.world.domain.grid, source).first->second;
        FlowSource out;
        for (const InflowCell& cell : inflow.cells(step.interface.solid)) {
            out.cells.push_back({cell.slot, cell.local});
            out.shares.push_back(cell.flux);
            out.flux += cell.flux;
        }
        for (double& share : out.shares) share /= out.flux;
        if (out.flux > 0) faces.sources.push_back(std::move(out));
    }
}

template <int D>
void SmokeFlow<D>::finish(const FlowFaces<D>&, Step<D>& step) {
    step.world.smoke().velocity = std::move(step.velocity);
}

template class SmokeFlow<2>;
template class SmokeFlow<3>;

}  // namespace tidelock
