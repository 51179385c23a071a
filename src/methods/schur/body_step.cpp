#include "methods/schur/body_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tidelock {

namespace {

/// How near bodies come: the pressure needs the centre of a cell between a body and a wall, and between two bodies.
constexpr double wall_gap_cells = 0.51, body_gap_cells = 1.01;
constexpr double thin_share = 0.02;       ///< share of a body's volume whose lift may be missing without a note
constexpr double joint_gap_cells = 1e-6;  ///< how far a joint may come apart without a note
constexpr double volume_mismatch = 1e-3;  ///< part of the right-hand side that no pressure can answer, without a note

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
ContactOptions contact_options(const Domain<D>& domain, double dt) {
    const double dx = domain.grid.dx;
    ContactOptions options;
    options.distances = {body_gap_cells * dx, wall_gap_cells * dx};
    options.longest_move = dx;
    // What gravity and the lift of the fluid can give a body in a step (a body of no weight starts with up to 2 g).
    options.resting_speed = 2 * domain.gravity.norm() * dt;
    options.solver.least_speed = domain.gravity.norm() * dt;
    return options;
}

/// Force and torque of a fluid at rest on a body: the weight of what it displaces, at the middle of that. On a lighter
/// body it is what is left of that for a ball that sets off, as its fluid must move too (numerics/cases 1): one that
/// cannot, under a lid, is held too weakly in this step. The share that is wet is counted in cells.
template <int D>
Twist<D> lift_at_rest(const Domain<D>& domain, const RigidBody<D>& body, double density, const PointTest<D>& wet) {
    const Grid<D>& grid = domain.grid;
    const Pose<D> pose = body.pose();
    const Vec<D> reach = Vec<D>::Constant(body.radius + grid.dx);
    const Coord<D> low = grid.to_cells(body.position - reach).array().floor().template cast<int>(),
                   count = grid.to_cells(body.position + reach).array().ceil().template cast<int>() - low.array();
    const auto rows = count.template tail<D - 1>().template cast<std::ptrdiff_t>().prod();
    double all = 0, below = 0;
    Vec<D> middle = Vec<D>::Zero(), wet_middle = middle;
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
        Coord<D> cell = low;
        auto rest = row;
        for (int a = 1; a < D; rest /= count[a], ++a) cell[a] += static_cast<int>(rest % count[a]);
        const Vec<D> start = grid.cell_centre(cell);
        const double half = 0.5 * count[0] * grid.dx;
        if (body.distance(pose.to_body(start + half * Vec<D>::Unit(0))) > half + grid.dx) continue;
        for (int i = 0; i < count[0]; ++i) {
            const Vec<D> x = start + i * grid.dx * Vec<D>::Unit(0);
            const double share = std::clamp(0.5 - body.distance(pose.to_body(x)) / grid.dx, 0.0, 1.0);
            if (share <= 0) continue;
            all += share, middle += share * x;
            if (wet(x)) below += share, wet_middle += share * x;
        }
    }
    Twist<D> load = Twist<D>::Zero();
    if (below <= 0) return load;
    constexpr double added = 1.0 / (D - 1);  // mass of a ball over that of the fluid it displaces
    const double displaced = density * body.volume * (below / all);
    const double held = std::min(1.0, (1 + added) * body.mass / (body.mass + added * displaced));
    const Vec<D> lift = -held * displaced * domain.gravity, arm = wet_middle / below - middle / all;
    load.template head<D>() = lift;
    load.template tail<rotation_dof<D>>() = moment<D>(arm, lift);
    return load;
}

}  // namespace

template <int D>
double largest_speed(const FaceField<D, double>& velocity, const std::vector<RigidBody<D>>& bodies) {
    const auto& set = velocity.set();
    std::vector<double> most(static_cast<std::size_t>(set.count()), 0.0);
    parallel_for("largest speed", set.count(), [&](std::ptrdiff_t b) {
        double here = 0;
        for (int a = 0; a < D; ++a) {
            const double* u = velocity[a].brick(b);
            for (int i = 0; i < Brick<D>::cells; ++i) here = std::max(here, std::abs(u[i]));
        }
        most[static_cast<std::size_t>(b)] = here;
    });
    double speed = 0;
    for (double v : most) speed = std::max(speed, v);
    for (const auto& body : bodies) {
        if (body.type == BodyType::fixed) continue;
        const double reach = std::isfinite(body.radius) ? body.radius : 0;
        speed = std::max(speed, body.velocity.norm() + reach * body.angular_velocity().norm());
    }
    return speed;
}

template <int D>
BodyStep<D>::BodyStep(World<D>& world, double dt)
    : world_(world),
      dt_(dt),
      walls_(wall_box<D>(world.domain)),
      contact_(contact_options<D>(world.domain, dt)),
      joints_(world.solids.joints, world.solids.bodies) {
    if (!(dt > 0) || !std::isfinite(dt))
        throw SimulationError(
            fmt::format("step {}: the time step must be positive, got {} s", world.clock.step + 1, dt));
}

template <int D>
void BodyStep<D>::move(StepReport<D>& report) {
    for (const auto& body : world_.solids.bodies) before_.push_back(body.pose());
    const MoveReport moved =
        collide_and_move<D>(world_.solids.bodies, {walls_, contact_, joints_}, world_.clock.time, dt_);
    for (const auto& body : world_.solids.bodies) twists_.push_back(body.twist());
    report.contacts = moved.bounces;
    if (moved.joint_error > joint_gap_cells * world_.domain.grid.dx)
        report.notes.push_back(
            {"joints", fmt::format("joints have come apart by {:.2g} m; use smaller steps", moved.joint_error)});
    if (moved.held > 0)
        report.notes.push_back({"held", fmt::format("{} would have gone through each other and stayed where they were; "
                                                    "use smaller steps",
                                                    moved.first_held)});
}

template <int D>
Interface<D> BodyStep<D>::interface(const BrickSetPtr<D>& set, InterfaceScheme scheme, StepReport<D>& report) const {
    const auto& bodies = world_.solids.bodies;
    Interface<D> out = build_interface<D>(world_.domain.grid, set, RigidSurfaces<D>(bodies), scheme);
    // Bodies whose volume the faces of an axis do not count move no fluid with that part.
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t a = 0; a < D; ++a) {
            const double missing = out.uncounted[i][a];
            const bool reaches_out = !out.uncounted_moment[i][a].isZero(0);  // by design, then
            if (bodies[i].dynamic() && !reaches_out && missing > thin_share * bodies[i].volume)
                report.notes.push_back(
                    {"thin " + bodies[i].name,
                     fmt::format("'{}' is small for its cells: {:.0f} % of its volume along {} is lifted without "
                                 "moving the fluid; use smaller cells",
                                 bodies[i].name, 100 * missing / bodies[i].volume, "xyz"[a])});
        }
    return out;
}

template <int D>
void BodyStep<D>::weigh() {
    for (auto& body : world_.solids.bodies)
        if (body.dynamic()) body.velocity += dt_ * world_.domain.gravity;
    drive<D>(world_.solids.joints, dt_, world_.solids.bodies);
}

template <int D>
void BodyStep<D>::expect_rest(double density, const PointTest<D>& wet) {
    if (world_.clock.step > 0) return;
    const auto& bodies = world_.solids.bodies;
    world_.solids.loads.assign(bodies.size(), Twist<D>::Zero());
    parallel_for("lift at rest", static_cast<std::ptrdiff_t>(bodies.size()), [&](std::ptrdiff_t n) {
        const auto& body = bodies[static_cast<std::size_t>(n)];
        if (body.dynamic() && body.volume > 0)
            world_.solids.loads[static_cast<std::size_t>(n)] = lift_at_rest<D>(world_.domain, body, density, wet);
    });
}

template <int D>
void BodyStep<D>::resist(StepReport<D>& report) {
    const RestReport rest = tidelock::resist<D>(world_.solids.bodies, twists_, world_.solids.loads,
                                                {walls_, contact_, joints_}, dt_, world_.solids.contacts);
    report.contacts = std::max(report.contacts, rest.contacts);
    report.max_penetration = rest.max_penetration;
}

template <int D>
void BodyStep<D>::solve(const CoupledSystem<D>& system, const SolveOptions& options, const SystemObserver<D>& observe,
                        FaceField<D, double>& velocity, Field<D, double>& pressure, StepReport<D>& report) {
    std::vector<Twist<D>> unforced;
    for (const auto& body : world_.solids.bodies) unforced.push_back(body.twist());
    const CoupledReport<D> coupled =
        solve_coupled<D>(system, dt_, options, {velocity, world_.solids.bodies, pressure}, observe);
    const SolveReport& solved = coupled.solve;
    const CoupledSolver<D>& solver = *system.solver;
    report.solves.push_back({"coupled", solver.name(), solver.body_treatment(), solver.op().unknowns(), solver.levels(),
                             solved, solved.iterations * solver.bytes_per_iteration()});
    if (solved.status == SolveStatus::not_finite)
        throw SimulationError(fmt::format("step {}, stage solve: the right-hand side holds a number that is not finite",
                                          world_.clock.step + 1));
    if (solved.incompatibility > volume_mismatch)
        report.notes.push_back(
            {"volume", fmt::format("a closed region changes its volume (prescribed motion or a source presses on a "
                                   "fluid that has no way out): {:.2g} of the flow could not be balanced",
                                   solved.incompatibility)});
    report.flow = system.flow.measure(velocity, system.coupling.velocities());
    if (!std::isfinite(report.flow.max_speed))
        throw SimulationError(fmt::format("step {}, stage solve: the velocity is not finite", world_.clock.step + 1));
    note_loads(unforced, coupled.joint_impulses, report);
}

template <int D>
void BodyStep<D>::note_loads(const std::vector<Twist<D>>& unforced, const std::vector<Twist<D>>& from_joints,
                             StepReport<D>& report) {
    const auto& bodies = world_.solids.bodies;
    world_.solids.loads.assign(bodies.size(), Twist<D>::Zero());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        BodyLoad<D> load;
        if (bodies[i].dynamic()) {  // -J^T W^T lambda of [A18] eq. (16), over dt
            world_.solids.loads[i] =
                (bodies[i].mass_matrix() * (bodies[i].twist() - unforced[i]) - from_joints[i]) / dt_;
            load.force = world_.solids.loads[i].template head<D>();
            load.torque = world_.solids.loads[i].template tail<rotation_dof<D>>();
        }
        report.loads.push_back(load);
        if (!bodies[i].position.allFinite() || !bodies[i].twist().allFinite())
            throw SimulationError(
                fmt::format("step {}: the state of body '{}' is not finite", world_.clock.step + 1, bodies[i].name));
    }
}

#define TIDELOCK_INSTANTIATE(D)                                                                   \
    template double largest_speed(const FaceField<D, double>&, const std::vector<RigidBody<D>>&); \
    template class BodyStep<D>;
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
