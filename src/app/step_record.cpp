#include "app/step_record.h"

#include "base/error.h"
#include "base/process_memory.h"

namespace tidelock::app {

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

template <int D>
Placement<D> place_in(const BodyRecord& record) {
    constexpr std::size_t turns = D == 2 ? 1 : 4;
    if (record.position.size() != D || record.rotation.size() != turns)
        throw InputError("steps.jsonl", "body '{}' has {} coordinates, not {}", record.name, record.position.size(), D);
    Placement<D> place;
    std::copy_n(record.position.begin(), D, place.position.data());
    const auto& r = record.rotation;
    if constexpr (D == 2)
        place.rotation = Rotation<2>(r[0]);
    else
        place.rotation = Rotation<3>(Eigen::Quaterniond(r[0], r[1], r[2], r[3]));
    return place;
}

}  // namespace

template <int D>
StepRecord make_record(const World<D>& world, const StepReport<D>& report, std::int64_t frame, double seconds) {
    StepRecord r;
    r.step = world.clock.step;
    r.frame = frame;
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
    r.seconds.emplace_back("total", seconds);
    r.seconds.insert(r.seconds.end(), report.seconds.begin(), report.seconds.end());
    const auto& flow = report.flow;
    r.fluid = FluidRecord{flow.cells,          flow.volume,    numbers(flow.momentum),
                          flow.kinetic_energy, flow.max_speed, flow.max_divergence};
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
    r.contacts = {report.contacts, report.max_penetration};
    r.memory_mb = resident_memory() / 1e6;
    return r;
}

template <int D>
void Tracks<D>::add(double time, const std::vector<RigidBody<D>>& bodies) {
    times.push_back(time);
    auto& row = places.emplace_back();
    for (const auto& body : bodies) row.push_back({body.position, body.rotation});
}

template <int D>
Tracks<D> tracks_from_log(const std::vector<RigidBody<D>>& start, const std::vector<StepRecord>& log,
                          std::int64_t last) {
    Tracks<D> tracks;
    tracks.add(0, start);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const StepRecord& r = log[i];
        if (r.frame > last) break;
        if (r.bodies.size() != start.size())
            throw InputError("steps.jsonl", "step {} has {} bodies, the scene has {}", r.step, r.bodies.size(),
                             start.size());
        if (i + 1 < log.size() && log[i + 1].frame == r.frame) continue;
        tracks.times.push_back(r.time);
        auto& row = tracks.places.emplace_back();
        for (const BodyRecord& body : r.bodies) row.push_back(place_in<D>(body));
    }
    return tracks;
}

#define TIDELOCK_INSTANTIATE(D)                                                                   \
    template StepRecord make_record(const World<D>&, const StepReport<D>&, std::int64_t, double); \
    template struct Tracks<D>;                                                                    \
    template Tracks<D> tracks_from_log(const std::vector<RigidBody<D>>&, const std::vector<StepRecord>&, std::int64_t);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock::app
