#include "methods/schur/schur.h"

#include "couple/given_loads.h"
#include "stage/body_stage.h"
#include "stage/lift_at_rest.h"
#include "stage/measures.h"
#include "stage/motors.h"

namespace tidelock {

namespace {

template <int D>
std::vector<Twist<D>> twists_of(const Solids<D>& solids) {
    std::vector<Twist<D>> twists;
    for (const auto& body : solids.bodies) twists.push_back(body.twist());
    return twists;
}

}  // namespace

SchurSettings SchurSettings::from(const Settings& settings) {
    SchurSettings out;
    out.interface = settings.choice<InterfaceScheme>("interface");
    out.reference_solver = with_word<ReferenceMethod>(settings.word("solver.name"));  // "auto" is none of them
    return out;
}

template <int D>
Schur<D>::Schur(MethodSetup<D> setup, const SchurSettings& settings)
    : flow_(make_flow<D>(setup.fluid, setup.cfl)),
      solver_(setup.solver),
      on_failure_(setup.on_failure),
      settings_(settings),
      observer_(std::move(setup.observer)) {}

template <int D>
StepReport<D> Schur<D>::advance(World<D>& world, double dt) {
    Step<D> step(world, dt, on_failure_);
    const BodyStage<D> bodies(world, dt);
    step.run("bodies", [&] {
        bodies.move(step);  // positions of [A18] eq. (14)
        expect_rest<D>(
            flow_->density(), [&](const Vec<D>& x) { return flow_->wet(world, x); }, step);
    });
    step.run("interface", [&] {
        step.interface = find_interface<D>(world.velocity().set_ptr(), settings_.interface, step);  // section 4.3
    });
    flow_->carry(step);  // [A18] eq. (12), with rays clipped at the moving solids
    step.run("forces", [&] {
        flow_->add_forces(step);  // f of [A18] eq. (12): now u*
        bodies.add_forces(step);  // F / m, torque of [A18] eq. (14): now v*, but for
    });
    step.run("contact", [&] { bodies.rest(step); });                                     // what bodies rest on
    const FlowFaces<D> faces = step.run("surface", [&] { return flow_->faces(step); });  // beta, G; section 5
    step.run("solve", [&] { solve(faces, step); });                                      // [A18] eq. (15) to (17)
    flow_->finish(faces, step);
    world.clock.advance(dt);
    return std::move(step.report);
}

/// [A18] eq. (17), and eq. (15) and (16) for u and v; once more where a motor cannot do what its row asks for.
template <int D>
void Schur<D>::solve(const FlowFaces<D>& faces, Step<D>& step) const {
    Solids<D>& solids = step.world.solids;
    Motors<D> motors(step);
    const GivenLoads<D> given(faces, step.interface, solids.bodies, step.velocity);
    FaceField<D, double> u_star;
    if (!motors.empty()) u_star = step.velocity.remapped(step.velocity.set_ptr());
    for (;;) {
        const std::vector<Twist<D>> unforced = twists_of(solids);
        const CoupledSystem<D> system(faces, step.interface, solids.bodies, motors.rows(), settings_.reference_solver);
        const CoupledReport<D> coupled = solve_coupled<D>(
            system, step.dt, solver_, {step.velocity, solids.bodies, step.world.pressure()}, observer_);
        const bool solved = coupled.solve.status != SolveStatus::not_finite;
        if (!solved || !motors.exceeded(coupled.joint_impulses)) {
            report(system, coupled, unforced, step);
            return report_given_loads<D>(given.loads(step.dt, step.velocity, step.world.pressure()), step);
        }
        step.velocity = u_star.remapped(u_star.set_ptr());
        for (std::size_t i = 0; i < unforced.size(); ++i)
            if (solids.bodies[i].dynamic()) solids.bodies[i].set_twist(unforced[i]);
        motors.give_in(coupled.joint_impulses, step);
    }
}

template <int D>
void Schur<D>::report(const CoupledSystem<D>& system, const CoupledReport<D>& coupled,
                      const std::vector<Twist<D>>& unforced, Step<D>& step) const {
    const CoupledSolver<D>& solver = *system.solver;
    report_solve<D>({"coupled", solver.name(), solver.body_treatment(), solver.op().unknowns(), solver.levels(),
                     coupled.solve, coupled.solve.iterations * solver.bytes_per_iteration()},
                    solver_, step);
    report_flow<D>(system.flow.measure(step.velocity, system.coupling.velocities()), step);
    report_sealed<D>(coupled.sealed, step);
    step.report.momentum = coupled.momentum;
    std::vector<Twist<D>> loads(unforced.size(), Twist<D>::Zero());
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const RigidBody<D>& body = step.world.solids.bodies[i];
        if (body.dynamic())  // -J^T W^T lambda of [A18] eq. (16), over dt
            loads[i] = (body.mass_matrix() * (body.twist() - unforced[i]) - coupled.joint_impulses[i]) / step.dt;
    }
    report_loads<D>(std::move(loads), step);
}

template class Schur<2>;
template class Schur<3>;

}  // namespace tidelock
