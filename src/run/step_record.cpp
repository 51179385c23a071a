#include "run/step_record.h"

#include "base/process_memory.h"

namespace tidelock {

namespace {

template <class V>
std::vector<double> numbers(const V& v) {
    return {v.data(), v.data() + v.size()};
}

std::vector<double> numbers(const Rotation<2>& r) { return {r.angle()}; }
std::vector<double> numbers(const Rotation<3>& r) {
    const auto& q = r.quaternion();
    return {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace

template <int D>
StepRecord make_record(const World<D>& world, const StepDone<D>& done) {
    const StepReport<D>& report = done.report;
    StepRecord r;
    r.step = world.clock.step;
    r.frame = done.frame;
    r.time = world.clock.time;
    r.dt = report.dt;
    for (const NamedSolve& s : report.solves)
        r.solves.push_back({s.name,
                            s.solver,
                            s.bodies,
                            s.unknowns,
                            s.report.iterations,
                            {s.report.initial_residual, s.report.residual},
                            s.report.converged(),
                            s.report.seconds,
                            s.report.history,
                            s.report.times});
    r.seconds.emplace_back("total", done.seconds);
    r.seconds.insert(r.seconds.end(), report.seconds.begin(), report.seconds.end());
    const auto& flow = report.flow;
    r.fluid = FluidRecord{flow.cells,          flow.volume,    numbers(flow.momentum),
                          flow.kinetic_energy, flow.max_speed, flow.max_divergence};
    if (report.momentum) r.fluid->momentum_error = report.momentum->share();
    if (world.has_liquid()) {
        const VolumeLedger& ledger = world.liquid().ledger;
        r.fluid->ledger = LedgerRecord{ledger.expected, ledger.drift(), ledger.poured, ledger.drained};
        r.fluid->particles = world.liquid().particles.size();
    }
    for (const BubbleReport& b : report.bubbles) r.bubbles.push_back({b.volume, b.target, b.pressure});
    for (std::size_t i = 0; i < world.solids.bodies.size(); ++i) {
        const auto& body = world.solids.bodies[i];
        r.bodies.push_back({body.name, numbers(body.position), numbers(body.rotation), numbers(body.velocity),
                            numbers(body.angular_velocity()), numbers(report.loads[i].force),
                            numbers(report.loads[i].torque)});
    }
    r.halvings = report.halvings;
    r.failures = report.failures;
    r.contacts = {report.contacts, report.max_penetration};
    r.memory_mb = resident_memory() / 1e6;
    return r;
}

template StepRecord make_record(const World<2>&, const StepDone<2>&);
template StepRecord make_record(const World<3>&, const StepDone<3>&);

}  // namespace tidelock
