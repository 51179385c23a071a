#include "reproduce/example_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/dimension.h"
#include "base/process_memory.h"
#include "base/timer.h"
#include "reproduce/study_run.h"

namespace tidelock::reproduce {

namespace {

template <int D>
ExampleStudy study(const scene::Scene& scene, int steps, const Say& say) {
    (void)reset_peak_memory();  // where it cannot, the peak is that of the process so far
    ExampleStudy out;
    double begun = 0;
    run_study<D>(
        scene, [&](MethodSetup<D>&) { begun = wall_seconds(); },
        [&](const Session<D>& session, const StepDone<D>& done) {
            const StepReport<D>& report = done.report;
            const auto& bodies = session.world().solids.bodies;
            ++out.steps;
            out.time = session.time();
            out.touching += report.contacts > 0 ? 1 : 0;
            for (const NamedSolve& solve : report.solves) {
                out.unknowns = std::max(out.unknowns, solve.unknowns);
                out.levels = std::max(out.levels, solve.levels);
                out.iterations += solve.report.iterations;
                out.most_iterations = std::max(out.most_iterations, solve.report.iterations);
                out.failed += solve.report.converged() ? 0 : 1;
            }
            for (const auto& [name, seconds] : report.seconds)
                if (name == "solve") out.projection_seconds += seconds;
            out.bodies = static_cast<int>(
                std::count_if(bodies.begin(), bodies.end(), [](const auto& b) { return b.dynamic(); }));
            if (out.steps % 10 == 0 || out.steps == steps)
                say(fmt::format("  step {}, t = {:.3f} s: {} unknowns, {} iterations, {:.1f} s a step", out.steps,
                                session.time(), report.solves.empty() ? 0 : report.solves.front().unknowns,
                                report.solves.empty() ? 0 : report.solves.front().report.iterations,
                                (wall_seconds() - begun) / out.steps));
            return out.steps < steps;
        });
    out.step_seconds = (wall_seconds() - begun) / std::max(1, out.steps);
    out.projection_seconds /= std::max(1, out.steps);
    out.iterations /= std::max(1, out.steps);
    out.peak_bytes = peak_memory();
    return out;
}

}  // namespace

ExampleStudy study_example(const scene::Scene& scene, int steps, const Say& say) {
    return visit_dimension(scene.dimension, [&]<int D>(Dimension<D>) { return study<D>(scene, steps, say); });
}

}  // namespace tidelock::reproduce
