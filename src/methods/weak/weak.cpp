#include "methods/weak/weak.h"

#include <cmath>
#include <limits>

#include "couple/flow_operator.h"
#include "couple/given_loads.h"
#include "solve/pressure_solver.h"
#include "stage/body_stage.h"
#include "stage/lift_at_rest.h"
#include "stage/measures.h"
#include "stage/motors.h"

namespace tidelock {

namespace {

/// How the rounds of a step come to agree: the change of I that a round asks for, over I, as velocities of the bodies.
struct Rounds {
    int done = 0;
    double first = 0, last = std::numeric_limits<double>::infinity();

    void note(double change, double size) {
        last = size > 0 ? std::sqrt(change / size) : 0;
        if (done == 0) first = last;
    }
    [[nodiscard]] NamedSolve report(Eigen::Index unknowns, double tolerance) const {
        NamedSolve solve;
        solve.name = "rounds";
        solve.solver = "relaxation";
        solve.unknowns = unknowns;
        solve.report.status = last <= tolerance ? SolveStatus::converged : SolveStatus::iteration_limit;
        solve.report.iterations = done;
        solve.report.initial_residual = first;
        solve.report.residual = last;
        solve.remedy = "coupling.rounds, coupling.relaxation";
        return solve;
    }
};

}  // namespace

WeakSettings WeakSettings::from(const Settings& settings) {
    return {settings.choice<InterfaceScheme>("interface"), settings.integer("rounds"), settings.number("relaxation"),
            settings.number("round_tolerance")};
}

template <int D>
Weak<D>::Weak(MethodSetup<D> setup, const WeakSettings& settings)
    : flow_(make_flow<D>(setup.fluid, setup.cfl)),
      solver_(setup.solver),
      on_failure_(setup.on_failure),
      settings_(settings),
      measure_momentum_(setup.observer.momentum) {}

template <int D>
StepReport<D> Weak<D>::advance(World<D>& world, double dt) {
    Step<D> step(world, dt, on_failure_);
    const BodyStage<D> bodies(world, dt);
    step.run("bodies", [&] {
        bodies.move(step);
        expect_rest<D>(
            flow_->density(), [&](const Vec<D>& x) { return flow_->wet(world, x); }, step);
    });
    step.run("interface",
             [&] { step.interface = find_interface<D>(world.velocity().set_ptr(), settings_.interface, step); });
    flow_->carry(step);
    step.run("forces", [&] {
        flow_->add_forces(step);  // u*
        bodies.add_forces(step);
    });
    step.run("contact", [&] { bodies.rest(step); });  // v*
    note_motors_at_limit<D>(step);
    const FlowFaces<D> faces = step.run("surface", [&] { return flow_->faces(step); });
    step.run("solve", [&] { exchange(faces, step); });
    flow_->finish(faces, step);
    world.clock.advance(dt);
    return std::move(step.report);
}

/// What all rounds of a step share.
template <int D>
struct Weak<D>::Exchange {
    Exchange(const FlowFaces<D>& faces, Step<D>& step)
        : rows(faces, step.interface, step.world.solids.bodies),
          coupling(faces, step.interface, rows, step.world.solids.bodies,
                   rows_of<D>(step.world.solids.joints, step.world.solids.bodies)),
          wet(coupling.terms()),
          alone(coupling.bodies_alone()),
          solver(flow_operator<D>(faces, step.interface), {}, {}, faces.merged),
          flow(faces, step.interface, rows, solver.op()),
          v_star(coupling.velocities()),
          momentum(coupling.momentum(step.dt, step.velocity)),
          p(static_cast<std::size_t>(solver.op().size())) {
        flow.first_guess(step.dt, step.world.pressure(), p.data());
    }
    /// v* + M^-1 I.
    [[nodiscard]] Eigen::VectorXd answer(const Eigen::VectorXd& impulse) const {
        return alone.empty() ? v_star : Eigen::VectorXd(v_star + alone.solve_mass(impulse));
    }
    /// How much an impulse moves the bodies [(N s)^2 / kg].
    [[nodiscard]] double size_of(const Eigen::VectorXd& impulse) const {
        return alone.empty() ? 0 : impulse.dot(alone.solve_mass(impulse));
    }

    const SolidRows<D> rows;
    const RigidCoupling<D> coupling;
    const RigidTerms<D> wet, alone;  ///< with the fluid that bodies carry along; without any
    PressureSolver<D> solver;
    const FlowSystem<D> flow;
    const Eigen::VectorXd v_star, momentum;
    BigArray<double> p;
};

template <int D>
void Weak<D>::exchange(const FlowFaces<D>& faces, Step<D>& step) const {
    close_sides<D>(faces.medium.grid, faces.medium.sides, step.velocity);
    Exchange of(faces, step);
    const GivenLoads<D> given(faces, step.interface, step.world.solids.bodies, step.velocity);
    const auto set = step.velocity.set_ptr();
    FaceField<D, double> u_star;
    if (settings_.rounds > 1) u_star = step.velocity.remapped(set);
    Eigen::VectorXd impulse = step.dt * of.rows.layout().gather(step.world.solids.loads), v, found;
    Rounds rounds;
    for (; rounds.done < settings_.rounds && rounds.last > settings_.tolerance; ++rounds.done) {
        if (rounds.done > 0) step.velocity = u_star.remapped(set);
        v = of.answer(impulse);  // v_k
        project(of, v, step);    // p_k
        found = of.coupling.impulse(of.wet, of.momentum, v, of.p.data());
        rounds.note(of.size_of(found - impulse), of.size_of(found));
        impulse += settings_.relaxation * (found - impulse);  // I_k+1
    }
    if (settings_.rounds > 1) step.report.solves.push_back(rounds.report(v.size(), settings_.tolerance));
    const FlowMeasures<D> measured = of.flow.measure(step.velocity, v);
    report_flow<D>(measured, step);
    move_bodies(of, impulse, step);
    report_given_loads<D>(given.loads(step.dt, step.velocity, step.world.pressure()), step);
    if (!measure_momentum_) return;
    MomentumError<D> momentum{.scale = faces.medium.density * measured.volume * measured.max_speed};
    for (int place = 0; place < of.rows.layout().count(); ++place)  // what the bodies got beyond what the fluid lost
        momentum.error += DofLayout<D>::part(Eigen::VectorXd(impulse - found), place).template head<D>();
    step.report.momentum = momentum;
}

/// u_f = u*_f - beta_f^-1 G_f p_k and u_c = J v_k + k in place of u*.
template <int D>
void Weak<D>::project(Exchange& of, const Eigen::VectorXd& v, Step<D>& step) const {
    BigArray<double> b(of.p.size());
    of.flow.set_solid_faces(v, step.velocity);
    of.flow.right_hand_side(step.dt, step.velocity, v, b);
    const SolveReport solve = of.solver.solve(b.data(), of.p.data(), solver_);
    report_solve<D>({"pressure", of.solver.name(), of.solver.body_treatment(), of.solver.op().unknowns(),
                     of.solver.levels(), solve, solve.iterations * of.solver.bytes_per_iteration()},
                    solver_, step);
    of.flow.push(step.dt, of.p.data(), step.velocity);
}

/// v = v* + M^-1 I, and what is left in the world of the fluid's last round.
template <int D>
void Weak<D>::move_bodies(const Exchange& of, const Eigen::VectorXd& impulse, Step<D>& step) {
    const Eigen::VectorXd v = of.answer(impulse);
    auto& bodies = step.world.solids.bodies;
    std::vector<Twist<D>> loads(bodies.size(), Twist<D>::Zero());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const int place = of.rows.layout().place_of(i);
        if (place < 0) continue;
        bodies[i].set_twist(DofLayout<D>::part(v, place));
        loads[i] = DofLayout<D>::part(impulse, place) / step.dt;
    }
    const Medium<D>& medium = of.flow.flow().medium;
    fill_solids<D>(medium.grid, step.interface, bodies, step.velocity);
    close_sides<D>(medium.grid, medium.sides, step.velocity);
    keep_pressure<D>(step.dt, of.p.data(), step.world.pressure());
    report_loads<D>(std::move(loads), step);
}

template class Weak<2>;
template class Weak<3>;

}  // namespace tidelock
