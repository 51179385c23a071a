#include "our_solvers.h"

#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "base/timer.h"
#include "bench_common.h"
#include "solve/incomplete_cholesky.h"
#include "solve/krylov.h"
#include "solve/pressure_solver.h"
#include "solve/vector_ops.h"

namespace tidelock::bench {
namespace {

/// FNV-1a over 64-bit words.
std::uint64_t hash_bits(const std::vector<double>& x) {
    std::uint64_t hash = 14695981039346656037u;
    for (const double v : x) {
        std::uint64_t bits;
        std::memcpy(&bits, &v, sizeof(bits));
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

template <int D>
void apply_all(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, const double* in, double* out) {
    op.apply(in, out);
    std::fill(out + op.set().cells(), out + op.size(), 0.0);
    if (!problem.bodies.empty()) problem.bodies.apply_add(in, out);
}

template <int D>
double coupled_residual(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, const std::vector<double>& x) {
    std::vector<double> r(x.size(), 0.0);
    apply_all(problem, op, x.data(), r.data());
    return std::sqrt(subtract_from_squares(op.size(), problem.rhs.data(), r.data())) /
           norm(op.size(), problem.rhs.data());
}

/// Removes the mean over the unknowns.
template <int D>
Projector make_projector(const PoissonOperator<D>& op) {
    return [&op](double* v) {
        const auto sum = ordered_sum("mean", op.set().count(), 0.0, [&](std::ptrdiff_t b) {
            double part = 0;
            for (int i = 0; i < Brick<D>::cells; ++i) part += v[b * Brick<D>::cells + i];
            return part;
        });
        const double mean = sum / static_cast<double>(op.unknowns());
        parallel_for("remove mean", op.set().count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i) v[b * Brick<D>::cells + i] -= op.unknown(b)[i] * mean;
        });
    };
}

template <int D>
void conclude(OurResult& result, const SolveReport& report, const PoissonProblem<D>& problem,
              const PoissonOperator<D>& op, const std::vector<double>& x) {
    result.common.iterations = report.iterations;
    result.common.residual = coupled_residual(problem, op, x);
    result.common.note = report.converged() ? "" : to_string(report.status);
    result.hash = hash_bits(x);
}

/// From the end of the first iteration to that of the last: without what a solve does before and after them.
double seconds_per_iteration(const std::vector<double>& ends) {
    return ends.size() < 2 ? 0 : (ends.back() - ends.front()) / static_cast<double>(ends.size() - 1);
}

}  // namespace

template <int D>
OurResult run_ours(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, int threads, int repeats) {
    const ThreadLimit limit(threads);
    OurResult result;
    result.threads = threads;
    result.common.solver = "tidelock";
    // More than once, as the steps of a simulation do: the first set-up touches fresh memory.
    std::optional<PressureSolver<D>> built;
    result.common.setup_seconds = 1e300;
    for (int i = 0; i < repeats; ++i) {
        built.reset();
        double start = wall_seconds();
        auto own = problem.make_operator();
        result.common.assembly_seconds = wall_seconds() - start;
        start = wall_seconds();
        built.emplace(std::move(own), problem.bodies);
        result.common.setup_seconds = std::min(result.common.setup_seconds, wall_seconds() - start);
    }
    auto& solver = *built;
    std::vector<double> x(problem.rhs.size());
    SolveReport report;
    result.common.solve_seconds = result.iteration_seconds = 1e300;
    for (int i = 0; i < repeats; ++i) {
        std::fill(x.begin(), x.end(), 0.0);
        report = solver.solve(problem.rhs.data(), x.data(), {.tolerance = target_residual, .record_history = true});
        result.common.solve_seconds = std::min(result.common.solve_seconds, report.seconds);
        result.iteration_seconds = std::min(result.iteration_seconds, seconds_per_iteration(report.times));
    }
    result.common.megabytes = static_cast<double>(solver.bytes()) / (1 << 20);
    result.bytes_per_iteration = solver.bytes_per_iteration();
    conclude(result, report, problem, op, x);
    return result;
}

template <int D>
OurResult run_our_iccg(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, int threads) {
    const ThreadLimit limit(threads);
    OurResult result;
    result.threads = threads;
    result.common.solver = "tidelock MIC(0)-CG";
    reset_peak_memory();
    const auto before = resident_memory();
    const double start = wall_seconds();
    const IncompleteCholesky<D> ic(op);
    result.common.setup_seconds = wall_seconds() - start;
    LinearSystem system{.size = op.size(),
                        .apply = [&](const double* in, double* out) { apply_all(problem, op, in, out); },
                        .precondition = [&](const double* in, double* out) { ic.apply(in, out); },
                        .project = {}};
    if (problem.singular) system.project = make_projector<D>(op);
    std::vector<double> x(problem.rhs.size(), 0.0);
    const auto report = conjugate_gradients(system, problem.rhs.data(), x.data(),
                                            {.tolerance = target_residual, .max_iterations = 20000});
    result.common.solve_seconds = report.seconds;
    result.common.megabytes =
        static_cast<double>(peak_memory() - std::min(peak_memory(), before) + op.bytes()) / (1 << 20);
    conclude(result, report, problem, op, x);
    return result;
}

#define TIDELOCK_INSTANTIATE(D)                                                                    \
    template OurResult run_ours<D>(const PoissonProblem<D>&, const PoissonOperator<D>&, int, int); \
    template OurResult run_our_iccg<D>(const PoissonProblem<D>&, const PoissonOperator<D>&, int)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock::bench
