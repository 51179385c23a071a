#include "reproduce/solver_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/dimension.h"
#include "base/error.h"
#include "reproduce/study_run.h"

namespace tidelock::reproduce {

namespace {

template <int D>
class Sampler {
  public:
    Sampler(const SolverStudyOptions& options, const Say& say) : options_(options), say_(say) {
        for (const auto& name : options.solvers) {
            study_.solvers.emplace_back();
            study_.solvers.back().name = name;
        }
    }

    void sample(const ObservedSystem<D>& system, double time) {
        const int index = static_cast<int>(study_.times.size());
        study_.times.push_back(time);
        std::string line = fmt::format("  t = {:.3f} s:", time);
        for (SolverResult& result : study_.solvers) {
            const SolveReport report = solve(system, result, index);
            line += fmt::format(" {} {}{}", result.name, report.iterations, report.converged() ? "" : "+");
        }
        say_(line);
    }

    SolverStudy take() {
        const auto samples = static_cast<double>(study_.times.size());
        for (SolverResult& r : study_.solvers) {
            r.iterations /= samples;
            r.setup_seconds /= samples;
            r.solve_seconds /= samples;
        }
        return std::move(study_);
    }

  private:
    /// In a simulation every step finds the memory of the step before, in a study each solver that of another one: an
    /// iteration beforehand, so that no one pays for fresh pages.
    static void touch_memory(const ObservedSystem<D>& system, const std::string& name) {
        const auto solver = system.coupled.make_solver(with_word<ReferenceMethod>(name));
        BigArray<double> x(static_cast<std::size_t>(solver->op().size()));
        SolveOptions options;
        options.max_iterations = 1;
        (void)solver->solve(system.right_hand_side, x.data(), options);
    }

    SolveReport solve(const ObservedSystem<D>& system, SolverResult& result, int index) {
        touch_memory(system, result.name);
        const double begun = wall_seconds();
        const auto solver = system.coupled.make_solver(with_word<ReferenceMethod>(result.name));
        result.setup_seconds += wall_seconds() - begun;
        BigArray<double> x(static_cast<std::size_t>(solver->op().size()));
        SolveOptions options;
        options.tolerance = options_.tolerance;
        options.max_iterations = options_.max_iterations;
        options.record_history = index == options_.samples / 2;
        SolveReport report = solver->solve(system.right_hand_side, x.data(), options);
        result.solve_seconds += report.seconds;
        result.iterations += report.iterations;
        result.converged = result.converged && report.converged();
        result.bodies = solver->body_treatment();
        const auto cells = solver->op().set().cells();
        result.bytes_per_cell =
            std::max(result.bytes_per_cell, static_cast<double>(solver->bytes()) / static_cast<double>(cells));
        if (options.record_history) {
            result.history = report.history;
            result.history_time = report.times;
        }
        if (study_.cells == 0) {
            study_.cells = cells;
            study_.unknowns = solver->op().unknowns();
            study_.bodies = solver->bodies().bodies();
        }
        return report;
    }

    const SolverStudyOptions& options_;
    const Say& say_;
    SolverStudy study_;
};

template <int D>
SolverStudy study(const scene::Scene& scene, const SolverStudyOptions& options, const Say& say) {
    Sampler<D> sampler(options, say);
    double time = 0;
    int taken = 0;
    const auto adjust = [&](MethodSetup<D>& setup) {
        setup.observer.system = [&](const ObservedSystem<D>& system) {
            if (time + 1e-12 < taken * scene.time.duration / options.samples) return;
            ++taken;
            sampler.sample(system, time);
        };
    };
    run_study<D>(scene, adjust, [&](const Session<D>& session, const StepDone<D>&) {
        time = session.time();
        return taken < options.samples;
    });
    return sampler.take();
}

}  // namespace

const SolverResult& SolverStudy::of(std::string_view name) const {
    const auto found = std::find_if(solvers.begin(), solvers.end(), [&](const auto& s) { return s.name == name; });
    if (found == solvers.end()) throw InputError("reproduce", "the study has no solver '{}'", name);
    return *found;
}

SolverStudy study_solvers(const scene::Scene& scene, const SolverStudyOptions& options, const Say& say) {
    return visit_dimension(scene.dimension, [&]<int D>(Dimension<D>) { return study<D>(scene, options, say); });
}

}  // namespace tidelock::reproduce
