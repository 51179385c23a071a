#include "couple/coupled_solve.h"

#include <cmath>

#include "couple/flow_operator.h"
#include "solve/pressure_solver.h"

namespace tidelock {

namespace {

constexpr double volume_mismatch = 1e-3;  ///< of the flow in a closed region: rounding and solid shares leave less

/// Momentum of fluid and bodies, of which the dynamic ones move with v [kg m/s].
template <int D>
Vec<D> momentum_of(const CoupledSystem<D>& system, const CoupledState<D>& state, const Eigen::VectorXd& v) {
    Vec<D> sum = system.flow.pushed_momentum(state.velocity, v);
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
        if (const int place = system.rows.layout().place_of(i); place >= 0)
            sum += state.bodies[i].mass * DofLayout<D>::part(v, place).template head<D>();
    return sum;
}

template <int D>
void close_sides(const CoupledSystem<D>& system, const CoupledState<D>& state) {
    tidelock::close_sides<D>(system.faces.medium.grid, system.faces.medium.sides, state.velocity);
}

/// What was solved for becomes the state.
template <int D>
void take_over(const CoupledSystem<D>& system, double dt, const double* p, const Eigen::VectorXd& v,
               const CoupledState<D>& state) {
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
        if (const int place = system.rows.layout().place_of(i); place >= 0)
            state.bodies[i].set_twist(DofLayout<D>::part(v, place));
    system.flow.set_solid_faces(v, state.velocity);
    fill_solids<D>(system.faces.medium.grid, system.interface, state.bodies, state.velocity);
    close_sides<D>(system, state);
    keep_pressure<D>(dt, p, state.pressure);
}

}  // namespace

template <int D>
CoupledSystem<D>::CoupledSystem(const FlowFaces<D>& flow_faces, const Interface<D>& meeting,
                                const std::vector<RigidBody<D>>& bodies, const std::vector<JointRow<D>>& joints,
                                std::optional<ReferenceMethod> reference)
    : faces(flow_faces),
      interface(meeting),
      rows(faces, interface, bodies),
      coupling(faces, interface, rows, bodies, joints),
      solver(make_solver(reference)),
      flow(faces, interface, rows, solver->op()) {}

template <int D>
std::unique_ptr<CoupledSolver<D>> CoupledSystem<D>::make_solver(std::optional<ReferenceMethod> reference) const {
    auto op = flow_operator<D>(faces, interface);
    if (!reference)
        return std::make_unique<PressureSolver<D>>(std::move(op), coupling.terms(), MultigridOptions{}, faces.merged);
    return std::make_unique<ReferenceSolver<D>>(
        *reference, std::move(op), coupling.terms(),
        needs_constraints(*reference) ? coupling.constraints() : Constraints<D>());
}

template <int D>
CoupledReport<D> solve_coupled(const CoupledSystem<D>& system, double dt, const SolveOptions& options,
                               const CoupledState<D>& state, const SystemObserver<D>& observe) {
    const FlowSystem<D>& flow = system.flow;
    const RigidCoupling<D>& coupling = system.coupling;
    const RigidTerms<D>& terms = system.solver->bodies();
    close_sides<D>(system, state);
    // v_bar = Mbar^-1 (M v* + J^T beta_c (u*_c - k)), u_c = J v_bar + k.
    const Eigen::VectorXd momentum = coupling.momentum(dt, state.velocity);
    const Eigen::VectorXd v_bar = coupling.without_pressure(terms, momentum);
    flow.set_solid_faces(v_bar, state.velocity);
    // Sigma p = G_f^T u*_f + G_c^T (J v_bar + k): [A18] eq. (17).
    BigArray<double> b(static_cast<std::size_t>(system.solver->op().size())), p(b.size());
    flow.right_hand_side(dt, state.velocity, v_bar, b);
    flow.first_guess(dt, state.pressure, p.data());
    if (observe.system) observe.system({system, b.data(), p.data()});
    // With M v_bar and J v_bar: the momentum of u* and v*.
    const Vec<D> before = observe.momentum ? momentum_of<D>(system, state, v_bar) : Vec<D>::Zero();
    CoupledReport<D> report{system.solver->solve(b.data(), p.data(), options), {}, {}, {}};
    if (report.solve.status == SolveStatus::not_finite) return report;
    // A loss of that share of a region's flow is at least this much of the right-hand side's size.
    if (report.solve.incompatibility * std::sqrt(static_cast<double>(system.solver->op().unknowns())) > volume_mismatch)
        report.sealed =
            find_sealed<D>(flow, system.interface, system.rows, system.solver->null_space(), b.data(), volume_mismatch);
    // u_f = u*_f - beta_f^-1 G_f p, v = v_bar - Mbar^-1 K p, u_c = J v + k: [A18] eq. (15), (16).
    flow.push(dt, p.data(), state.velocity);
    const Eigen::VectorXd v = terms.empty() ? v_bar : Eigen::VectorXd(v_bar - system.solver->body_answer());
    report.joint_impulses = coupling.joint_impulses(terms, momentum, v, p.data());
    take_over<D>(system, dt, p.data(), v, state);
    if (observe.momentum) {
        const FlowMeasures<D> after = flow.measure(state.velocity, v);
        report.momentum = {momentum_of<D>(system, state, v) - before - flow.side_impulse(dt, state.pressure),
                           system.faces.medium.density * after.volume * after.max_speed};
    }
    return report;
}

#define TIDELOCK_INSTANTIATE(D)                                                                   \
    template struct CoupledSystem<D>;                                                             \
    template CoupledReport<D> solve_coupled(const CoupledSystem<D>&, double, const SolveOptions&, \
                                            const CoupledState<D>&, const SystemObserver<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
