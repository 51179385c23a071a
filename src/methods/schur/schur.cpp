#include "methods/schur/schur.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "couple/solid_obstacles.h"
#include "fluid/forces.h"
#include "fluid/transport.h"
#include "solid/contact_motion.h"

namespace tidelock {

namespace {

/// How near bodies come: the pressure needs the centre of a cell between a body and a wall, and between two bodies.
constexpr double wall_gap_cells = 0.51, body_gap_cells = 1.01;
constexpr double thin_share = 0.02;       ///< share of a body's volume whose lift may be missing without a note
constexpr double joint_gap_cells = 1e-6;  ///< how far a joint may come apart without a note
constexpr double volume_mismatch = 1e-3;  ///< part of the right-hand side that no pressure can answer, without a note

/// Runs a stage under its name and notes the seconds that it took.
template <int D, class F>
void stage(StepReport<D>& report, const char* name, F&& f) {
    const ScopedTimer timer(name);
    const double start = wall_seconds();
    f();
    report.seconds.emplace_back(name, wall_seconds() - start);
}

template <int D>
WallBox<D> wall_box(const Smoke<D>& smoke) {
    WallBox<D> walls;
    walls.box.low = smoke.grid.origin;
    walls.box.high = smoke.grid.upper();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side)
            walls.closed[static_cast<std::size_t>(a)][static_cast<std::size_t>(side)] = !smoke.sides.is_open(a, side);
    return walls;
}

template <int D>
ContactOptions contact_options(double dx, const Vec<D>& gravity, double dt) {
    ContactOptions options;
    options.distances = {body_gap_cells * dx, wall_gap_cells * dx};
    options.longest_move = dx;
    // What gravity and the lift of the fluid can give a body in a step (a body of no weight starts with up to 2 g).
    options.resting_speed = 2 * gravity.norm() * dt;
    options.solver.least_speed = gravity.norm() * dt;
    return options;
}

/// Largest speed on the faces and of the bodies' surfaces [m/s].
template <int D>
double largest_speed(const World<D>& world) {
    const auto& set = *world.smoke.set();
    std::vector<double> most(static_cast<std::size_t>(set.count()), 0.0);
    parallel_for("largest speed", set.count(), [&](std::ptrdiff_t b) {
        double here = 0;
        for (int a = 0; a < D; ++a) {
            const double* u = world.smoke.velocity[a].brick(b);
            for (int i = 0; i < Brick<D>::cells; ++i) here = std::max(here, std::abs(u[i]));
        }
        most[static_cast<std::size_t>(b)] = here;
    });
    double speed = 0;
    for (double v : most) speed = std::max(speed, v);
    for (const auto& body : world.bodies) {
        if (body.type == BodyType::fixed) continue;
        const double reach = std::isfinite(body.radius) ? body.radius : 0;
        speed = std::max(speed, body.velocity.norm() + reach * body.angular_velocity().norm());
    }
    return speed;
}

template <int D>
bool all_finite(const Field<D, double>& field) {
    // A sum is finite only if every part of it is (no sum of smoke or temperatures overflows).
    return std::isfinite(ordered_sum("finite", field.set().count(), 0.0, [&](std::ptrdiff_t b) {
        double sum = 0;
        for (int i = 0; i < Brick<D>::cells; ++i) sum += field.brick(b)[i];
        return sum;
    }));
}

/// Cells inside solids hold no smoke and no heat.
template <int D>
void clear_solids(const Mask<D>& solid, Smoke<D>& smoke) {
    const double ambient = smoke.temperature.background();
    parallel_for("clear solids", solid.set().count(), [&](std::ptrdiff_t b) {
        const MaskValue* s = solid.brick(b);
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (s[i] != 0) smoke.density.brick(b)[i] = 0, smoke.temperature.brick(b)[i] = ambient;
    });
}

/// Bodies whose volume the faces of an axis do not count move no fluid with that part.
template <int D>
void note_thin_bodies(const Interface<D>& interface, const std::vector<RigidBody<D>>& bodies, StepReport<D>& report) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t a = 0; a < D; ++a) {
            const double missing = interface.uncounted[i][a];
            const bool reaches_out = !interface.uncounted_moment[i][a].isZero(0);  // by design, then
            if (bodies[i].dynamic() && !reaches_out && missing > thin_share * bodies[i].volume)
                report.notes.push_back(
                    {"thin " + bodies[i].name,
                     fmt::format("'{}' is small for its cells: {:.0f} % of its volume along {} is lifted without "
                                 "moving the fluid; use smaller cells",
                                 bodies[i].name, 100 * missing / bodies[i].volume, "xyz"[a])});
        }
}

}  // namespace

template <int D>
double Schur<D>::largest_step(const World<D>& world) const {
    const auto& p = parameters_.smoke;
    const double dx = world.smoke.grid.dx;
    // What gravity can do within the step: hot gas rises with beta (T - T_ambient) g, a body of no weight in the plane
    // or in space starts with at most 2 g (VALIDATION A1, A2).
    double lift = 0;
    for (const auto& source : parameters_.sources)
        lift = std::max(lift, std::abs(p.lift_per_kelvin * (source.temperature - p.ambient_temperature)));
    for (const auto& body : world.bodies)
        if (body.dynamic()) lift = std::max(lift, 2.0);
    const double speed = largest_speed(world) + std::sqrt(lift * p.gravity.norm() * dx);
    return speed > 0 ? parameters_.cfl * dx / speed : std::numeric_limits<double>::infinity();
}

template <int D>
StepReport<D> Schur<D>::advance(World<D>& world, double dt) {
    if (!(dt > 0) || !std::isfinite(dt))
        throw SimulationError(fmt::format("step {}: the time step must be positive, got {} s", world.step + 1, dt));
    const SmokeParameters<D>& gas = parameters_.smoke;
    Smoke<D>& smoke = world.smoke;
    const Grid<D>& grid = smoke.grid;
    auto& bodies = world.bodies;
    StepReport<D> report;
    report.dt = dt;

    // Bodies collide and move with the velocities of the last solve (Eq. 14).
    const WallBox<D> walls = wall_box<D>(smoke);
    const ContactOptions contact = contact_options<D>(grid.dx, gas.gravity, dt);
    const JointGroups<D> joints(world.joints, bodies);
    std::vector<Pose<D>> before;
    std::vector<Twist<D>> twists;
    stage(report, "bodies", [&] {
        for (const auto& body : bodies) before.push_back(body.pose());
        const MoveReport moved = collide_and_move<D>(bodies, walls, contact, world.time, dt, joints);
        for (const auto& body : bodies) twists.push_back(body.twist());
        report.contacts = moved.bounces;
        if (moved.joint_error > joint_gap_cells * grid.dx)
            report.notes.push_back(
                {"joints", fmt::format("joints have come apart by {:.2g} m; use smaller steps", moved.joint_error)});
        if (moved.held > 0)
            report.notes.push_back(
                {"held", fmt::format("{} would have gone through each other and stayed where they were; "
                                     "use smaller steps",
                                     moved.first_held)});
    });

    // Constraint faces and dual masses (4.3).
    Interface<D> interface;
    stage(report, "interface", [&] {
        interface = build_interface<D>(grid, smoke.set(), bodies, parameters_.interface);
        note_thin_bodies<D>(interface, bodies, report);
    });

    // u* of Eq. 12, with rays clipped at the moving solids.
    FaceField<D, double> velocity(smoke.set(), 0.0);
    stage(report, "advect", [&] {
        const double reach = largest_speed(world) * dt;
        const SolidObstacles<D> obstacles(grid, *smoke.set(), bodies, before, twists, reach);
        const Wind<D> wind{grid, smoke.sides, smoke.velocity, dt, bodies.empty() ? nullptr : &obstacles};
        advect_velocity<D>(wind, gas.transport, velocity);
        Field<D, double> density(smoke.set(), 0.0), temperature(smoke.set(), gas.ambient_temperature);
        const Field<D, double>* const in[] = {&smoke.density, &smoke.temperature};
        Field<D, double>* const out[] = {&density, &temperature};
        std::vector<Coord<D>> hidden;
        advect_cells<D>(wind, gas.transport, in, out, hidden);
        fill_hidden<D>(wind, interface.solid, std::move(hidden), out);
        if (!all_finite<D>(density) || !all_finite<D>(temperature))
            throw SimulationError(fmt::format(
                "step {}, stage advect: smoke or temperature holds a number that is not finite", world.step + 1));
        smoke.density = std::move(density);
        smoke.temperature = std::move(temperature);
        clear_solids<D>(interface.solid, smoke);
    });

    // Forces on the fluid and on the bodies: u* and v*.
    stage(report, "forces", [&] {
        fade<D>(smoke, gas, dt);
        confine_vorticity<D>(smoke, smoke.velocity, interface.solid, gas.vorticity_confinement, dt, velocity);
        for (const auto& source : parameters_.sources)
            if (source.active(world.time)) apply_source<D>(source, interface.solid, smoke, velocity);
        add_weight<D>(smoke, gas, interface.solid, dt, velocity);
        for (auto& body : bodies)
            if (body.dynamic()) body.velocity += dt * gas.gravity;
        drive<D>(world.joints, dt, bodies);
    });

    // What bodies rest on holds them, before the fluid does its part (METHODS 2.12, step 5), which is expected to be
    // that of the step before. There is no second pass after the solve (step 7): what still approaches is stopped by
    // the collisions that the next step begins with, before anything moves.
    stage(report, "contact", [&] {
        const RestReport rest = resist<D>(bodies, twists, world.loads, walls, contact, dt, world.contacts, joints);
        report.contacts = std::max(report.contacts, rest.contacts);
        report.max_penetration = rest.max_penetration;
    });

    // Eq. 17.
    std::vector<Twist<D>> unforced, from_joints;
    for (const auto& body : bodies) unforced.push_back(body.twist());
    stage(report, "solve", [&] {
        CoupledPressure<D> coupled(grid, smoke.sides, interface, bodies, gas.fluid_density, gas.gravity,
                                   parameters_.method, rows_of<D>(world.joints, bodies));
        const SolveReport solved =
            coupled.project(dt, parameters_.solver, velocity, bodies, smoke.pressure, parameters_.observe);
        report.solves.push_back({"coupled", coupled.solver().name(), coupled.solver().body_treatment(),
                                 coupled.unknowns(), solved,
                                 solved.iterations * coupled.solver().bytes_per_iteration()});
        if (solved.status == SolveStatus::not_finite)
            throw SimulationError(fmt::format(
                "step {}, stage solve: the right-hand side holds a number that is not finite", world.step + 1));
        if (solved.incompatibility > volume_mismatch)
            report.notes.push_back(
                {"volume",
                 fmt::format(
                     "a closed region changes its volume (prescribed motion or a source presses on a fluid that "
                     "has no way out): {:.2g} of the flow could not be balanced",
                     solved.incompatibility)});
        report.flow = coupled.measure(velocity, bodies);
        from_joints = coupled.joint_impulses();
    });
    smoke.velocity = std::move(velocity);

    world.loads.assign(bodies.size(), Twist<D>::Zero());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        BodyLoad<D> load;
        if (bodies[i].dynamic()) {
            const Twist<D> impulse = bodies[i].mass_matrix() * (bodies[i].twist() - unforced[i]) - from_joints[i];
            world.loads[i] = impulse / dt;
            load.force = world.loads[i].template head<D>();
            load.torque = world.loads[i].template tail<rotation_dof<D>>();
        }
        report.loads.push_back(load);
        if (!bodies[i].position.allFinite() || !bodies[i].twist().allFinite())
            throw SimulationError(
                fmt::format("step {}: the state of body '{}' is not finite", world.step + 1, bodies[i].name));
    }
    if (!std::isfinite(report.flow.max_speed))
        throw SimulationError(fmt::format("step {}, stage solve: the velocity is not finite", world.step + 1));
    world.time += dt;
    ++world.step;
    return report;
}

template class Schur<2>;
template class Schur<3>;

}  // namespace tidelock
