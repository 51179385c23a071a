#include "stage/body_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stage/seen_surfaces.h"

namespace tidelock {

namespace {

/// How near bodies come, of the radius of the smallest that moves: enough for normals to be sharp, nothing to be seen.
constexpr double touching_share = 1e-3;
constexpr double joint_gap_cells = 1e-6;  ///< how far a joint may come apart without a note

template <int D>
WallBox<D> wall_box(const Domain<D>& domain) {
    WallBox<D> walls;
    walls.box.low = domain.grid.origin;
    walls.box.high = domain.grid.upper();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side)
            walls.closed[static_cast<std::size_t>(a)][static_cast<std::size_t>(side)] = !domain.sides.is_open(a, side);
    return walls;
}

template <int D>
ContactOptions contact_options(const World<D>& world, double dt) {
    const Domain<D>& domain = world.domain;
    double smallest = std::numeric_limits<double>::infinity();
    for (const auto& body : world.solids.bodies)
        if (body.dynamic()) smallest = std::min(smallest, body.radius);
    const double touching = touching_share * (std::isfinite(smallest) ? smallest : domain.grid.dx);
    ContactOptions options;
    options.distances = {touching, touching};
    options.longest_move = domain.grid.dx;
    // What gravity and the lift of the fluid can give a body in a step (a body of no weight starts with up to 2 g).
    options.resting_speed = 2 * domain.gravity.norm() * dt;
    options.solver.least_speed = domain.gravity.norm() * dt;
    return options;
}

/// Half of what weight and fluid do in a step, for bodies that can have it before they move, so that positions are of
/// second order. Not for what touches a liquid: that moves with the velocities of the last solve, and a body that went
/// ahead of it would press it together or leave a gap. Not for what hangs on a joint: what that does in the step is not
/// known before it. Not in the first step, when nothing is known of the fluid yet.
template <int D>
std::vector<Twist<D>> forces_ahead(const World<D>& world, double dt) {
    constexpr double dry = 1e-9;  // of the weight, or what stops a body in a step: rounding of what no liquid touches
    const Solids<D>& solids = world.solids;
    std::vector<Twist<D>> ahead(solids.bodies.size(), Twist<D>::Zero());
    if (world.clock.step == 0) return ahead;
    std::vector<bool> hangs(ahead.size());
    for (const Joint<D>& joint : solids.joints)
        for (const int end : {joint.a, joint.b})
            if (end >= 0) hangs[static_cast<std::size_t>(end)] = true;
    for (std::size_t i = 0; i < ahead.size(); ++i) {
        const RigidBody<D>& body = solids.bodies[i];
        if (hangs[i]) continue;
        const Vec<D> weight = body.mass * world.domain.gravity;
        const double scale = weight.norm() + body.mass * body.velocity.norm() / dt;
        if (!body.dynamic() || (world.has_liquid() && solids.loads[i].template head<D>().norm() > dry * scale))
            continue;
        ahead[i] = 0.5 * dt * solids.loads[i];
        ahead[i].template head<D>() += 0.5 * dt * weight;
    }
    return ahead;
}

NamedSolve contact_solve(const ImpulseReport& impulses, int rows) {
    NamedSolve solve;
    solve.name = "contact";
    solve.solver = "gauss-seidel";
    solve.remedy = "smaller steps";
    solve.unknowns = static_cast<std::ptrdiff_t>(impulses.contacts) * rows;
    solve.report.status = impulses.converged ? SolveStatus::converged : SolveStatus::iteration_limit;
    solve.report.iterations = impulses.sweeps;
    const double unit = impulses.scale > 0 ? 1 / impulses.scale : 0;
    solve.report.initial_residual = unit * impulses.first_change;
    solve.report.residual = unit * impulses.change;
    solve.report.seconds = impulses.seconds;
    return solve;
}

}  // namespace

template <int D>
BodyStage<D>::BodyStage(const World<D>& world, double dt)
    : walls_(wall_box<D>(world.domain)),
      contact_(contact_options<D>(world, dt)),
      joints_(world.solids.joints, world.solids.bodies),
      ahead_(forces_ahead<D>(world, dt)) {}

template <int D>
void BodyStage<D>::move(Step<D>& step) const {
    auto& bodies = step.world.solids.bodies;
    for (const auto& body : bodies) step.before.push_back(body.pose());
    const MoveReport moved = collide_and_move<D>(bodies, {walls_, contact_, joints_}, step.world.clock.time, step.dt,
                                                 {ahead_, &step.world.solids.contacts});
    for (const auto& body : bodies) step.motion.push_back(body.twist());
    step.surfaces = seen_surfaces<D>(step.world, step.before, step.motion);
    step.report.contacts = moved.bounces;
    if (!moved.crushed.empty()) step.failed("bodies", moved.crushed, crush_halvings);
    if (!moved.run_over.empty()) step.failed("bodies", moved.run_over);
    if (moved.joint_error > joint_gap_cells * step.world.domain.grid.dx)
        step.note("joints", fmt::format("joints have come apart by {:.2g} m; use smaller steps", moved.joint_error));
    if (moved.held > 0)
        step.note("held", fmt::format("{} would have gone through each other and stayed where they were; use smaller "
                                      "steps",
                                      moved.first_held));
}

template <int D>
void BodyStage<D>::add_forces(Step<D>& step) const {
    Solids<D>& solids = step.world.solids;
    for (std::size_t i = 0; i < solids.bodies.size(); ++i) {
        RigidBody<D>& body = solids.bodies[i];
        if (!body.dynamic()) continue;
        body.velocity += step.dt * step.world.domain.gravity - ahead_[i].template head<D>() / body.mass;
        body.angular_momentum -= ahead_[i].template tail<rotation_dof<D>>();
    }
    drive<D>(solids.joints, step.dt, solids.bodies);
}

template <int D>
void BodyStage<D>::rest(Step<D>& step) const {
    Solids<D>& solids = step.world.solids;
    const RestReport rest =
        resist<D>(solids.bodies, step.motion, solids.loads, {walls_, contact_, joints_}, step.dt, solids.contacts);
    step.report.contacts = std::max(step.report.contacts, rest.contacts);
    step.report.max_penetration = rest.max_penetration;
    step.motors = rest.motors;
    if (!rest.crushed.empty()) step.failed("contact", rest.crushed, crush_halvings);
    if (rest.solve.contacts > 0) step.report.solves.push_back(contact_solve(rest.solve, D));
}

template class BodyStage<2>;
template class BodyStage<3>;

}  // namespace tidelock
