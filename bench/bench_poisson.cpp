/// The pressure solver against others, on the problems of poisson_problems.h, all to a true relative residual of 1e-6.
///
/// bench_poisson [--quick] [--threads N] [--json FILE] [--case TEXT] [--size 128x256x128]
///               [--peers all|none|hypre names]
///   --case   only problems whose name holds TEXT, such as "closed static" or "dynamic"
///   --size   only this size
///   --peers  hypre configurations (peers_hypre.cpp), comma separated; none leaves Eigen out too
///
/// Set-up is what a solver does with the finished matrix: for hypre and Eigen, turning our operator into their matrix
/// is not in it (assembly_s in the JSON file), for ours the making of the operator is not. MB is the growth of peak
/// resident memory for the others, and the stated bytes for ours. "ms/iter" is, for ours, the time between the ends of
/// the first iteration and the last, over one less than their number; for the others the solve over its iterations.
/// "bound" is ms/iter over the least time for an iteration's memory traffic (PressureSolver::bytes_per_iteration counts
/// it) at the triad bandwidth of the same threads. "x ours" is solve time over ours on all threads. Times are the best
/// of 16, for hypre too (Eigen's and incomplete Cholesky's, which take minutes, of one); triad, all threads and one
/// thread take turns, so that what else the machine does meets all three. The sparse problem is set beside a closed box
/// that fills the same domain, per cell of active bricks.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/parallel.h"
#include "bench_common.h"
#include "our_solvers.h"

namespace tidelock::bench {
namespace {

struct Run {
    Options options;
    int threads = 1;
    std::vector<Json> results;
};

std::string size_name(const auto& cells) { return fmt::format("{}", fmt::join(cells.begin(), cells.end(), "x")); }

std::vector<ProblemSpec> specs(bool sparse, bool quick) {
    std::vector<ProblemSpec> all;
    for (const std::string domain : {"closed", "open", "surface", "sparse"}) {
        if ((domain == "sparse") != sparse) continue;
        all.push_back({domain, "static", 1});
        for (const double ratio : {0.001, 1.0, 1000.0})
            if (!quick || ratio == 0.001) all.push_back({domain, "dynamic", ratio});
        all.push_back({domain, "eight", 1});
        if (!quick) all.push_back({domain, "jump", 1});
    }
    return all;
}

/// Collects the rows of one problem.
class Report {
  public:
    Report(Run& run, std::string problem, std::string size)
        : run_(run),
          problem_(std::move(problem)),
          size_(std::move(size)),
          table_({"solver", "threads", "set-up s", "solve s", "iterations", "residual", "MB", "ms/iter", "bound",
                  "x ours", "note"}) {}

    /// `iteration`: seconds of one iteration, by default the solve's over their number; `least`: seconds that an
    /// iteration's memory traffic takes at the least, 0 if not known.
    void add(const PeerResult& r, int threads, double iteration = 0, double least = 0, std::uint64_t hash = 0) {
        const double per_iteration = iteration > 0 ? iteration : r.iterations > 0 ? r.solve_seconds / r.iterations : 0;
        const double bound = least > 0 ? per_iteration / least : 0;
        const double ratio = ours_ > 0 ? r.solve_seconds / ours_ : 0;
        const auto number = [](double v, const char* form) {
            return v > 0 ? fmt::format(fmt::runtime(form), v) : std::string("-");
        };
        table_.add({r.solver, std::to_string(threads), fmt::format("{:.3f}", r.setup_seconds),
                    fmt::format("{:.3f}", r.solve_seconds), std::to_string(r.iterations),
                    fmt::format("{:.1e}", r.residual), fmt::format("{:.0f}", r.megabytes),
                    number(per_iteration * 1e3, "{:.2f}"), number(bound, "{:.2f}"), number(ratio, "{:.2f}"), r.note});
        run_.results.push_back(Json()
                                   .set("problem", problem_)
                                   .set("size", size_)
                                   .set("solver", r.solver)
                                   .set("threads", threads)
                                   .set("assembly_s", r.assembly_seconds)
                                   .set("setup_s", r.setup_seconds)
                                   .set("solve_s", r.solve_seconds)
                                   .set("iterations", r.iterations)
                                   .set("residual", r.residual)
                                   .set("megabytes", r.megabytes)
                                   .set("ms_per_iteration", per_iteration * 1e3)
                                   .set("over_bandwidth_bound", bound)
                                   .set("times_ours", ratio)
                                   .set("solution_hash", hash == 0 ? "" : fmt::format("{:016x}", hash))
                                   .set("note", r.note));
    }
    void set_ours(double seconds) { ours_ = seconds; }
    /// How many times as fast as one thread the solve is, and set-up and solve; and the triads [bytes/s].
    void set_gain(int threads, double solve, double whole, double triad, double triad_of_one) {
        gain_ = fmt::format(
            "{} threads are {:.2f} times as fast as one ({:.2f} with set-up); triad {:.1f} GB/s, on one {:.1f}\n",
            threads, solve, whole, triad * 1e-9, triad_of_one * 1e-9);
        run_.results.push_back(Json()
                                   .set("problem", problem_)
                                   .set("size", size_)
                                   .set("threads", threads)
                                   .set("threads_gain_solve", solve)
                                   .set("threads_gain", whole)
                                   .set("triad_gb_per_s", triad * 1e-9)
                                   .set("triad_one_thread_gb_per_s", triad_of_one * 1e-9));
    }
    [[nodiscard]] std::string text() const { return table_.text() + gain_; }

  private:
    Run& run_;
    std::string problem_, size_, gain_;
    Table table_;
    double ours_ = 0;
};

/// Our solver on so many threads: the best of its turns, and the triad's.
template <int D>
struct Turns {
    int threads;
    OurResult ours{};
    double triad = 0;  ///< bytes/s
    bool same_bits = true;

    void take(const PoissonProblem<D>& problem, const PoissonOperator<D>& op) {
        {
            const ThreadLimit limit(threads);
            triad = std::max(triad, triad_bandwidth(2));
        }
        auto now = run_ours<D>(problem, op, threads, 2);
        auto& best = ours.common;
        if (best.iterations > 0) {
            now.common.setup_seconds = std::min(now.common.setup_seconds, best.setup_seconds);
            now.common.solve_seconds = std::min(now.common.solve_seconds, best.solve_seconds);
            now.iteration_seconds = std::min(now.iteration_seconds, ours.iteration_seconds);
            same_bits = same_bits && now.hash == ours.hash;
        }
        ours = now;
        if (!same_bits) ours.common.note += " DIFFERENT BITS from run to run";
    }
};

template <int D>
void run_ours_on_threads(Run& run, Report& report, const PoissonProblem<D>& problem, const PoissonOperator<D>& op) {
    std::vector<Turns<D>> all{{.threads = run.threads}};
    if (run.threads > 1) all.push_back({.threads = 1});
    for (int round = 0; round < (run.options.quick ? 1 : 8); ++round)
        for (auto& turns : all) turns.take(problem, op);
    const auto& first = all.front();
    report.set_ours(first.ours.common.solve_seconds);
    for (auto& [threads, ours, triad, same_bits] : all) {
        if (ours.hash != first.ours.hash) ours.common.note += " DIFFERENT BITS on one thread";
        report.add(ours.common, threads, ours.iteration_seconds, ours.bytes_per_iteration / triad, ours.hash);
    }
    if (all.size() == 1) return;
    const auto& one = all.back();
    const double solve = one.ours.common.solve_seconds / first.ours.common.solve_seconds;
    const double whole = (one.ours.common.solve_seconds + one.ours.common.setup_seconds) /
                         (first.ours.common.solve_seconds + first.ours.common.setup_seconds);
    report.set_gain(first.threads, solve, whole, first.triad, one.triad);
}

template <int D>
void run_problem(Run& run, const ProblemSpec& spec, const Coord<D>& cells) {
    const auto problem = make_problem<D>(spec, cells);
    const auto op = problem.make_operator();
    fmt::print("\n{} {}: {} unknowns, {} of {} bricks stored, {} coupled cells\n", spec.name(), size_name(cells),
               op.unknowns(), op.stored_bricks(), op.set().count(), problem.bodies.entries().size());
    std::fflush(stdout);
    Report report(run, spec.name(), size_name(cells));
    run_ours_on_threads<D>(run, report, problem, op);
    const auto iccg = run_our_iccg<D>(problem, op, run.threads);
    report.add(iccg.common, run.threads, 0, 0, iccg.hash);
    const auto peers = run.options.get("peers", "pfmg-rb,pfmg-jacobi,amg-0.25");
    std::string why;
    if (problem.bodies.empty() && peers != "none") {
        for (const auto& r : run_eigen<D>(problem, op)) report.add(r, r.threads);
        for (const auto& r : run_hypre<D>(problem, peers, why)) report.add(r, r.threads);
    }
    fmt::print("{}{}{}", report.text(), why, why.empty() ? "" : "\n");
    std::fflush(stdout);
}

/// A problem's least time and its memory.
template <int D>
struct Cost {
    PoissonProblem<D> problem;
    PoissonOperator<D> op = problem.make_operator();
    double setup = 1e300, solve = 1e300, megabytes = 0;

    void measure(int threads, int repeats) {
        const auto ours = run_ours<D>(problem, op, threads, repeats);
        setup = std::min(setup, ours.common.setup_seconds);
        solve = std::min(solve, ours.common.solve_seconds);
        megabytes = ours.common.megabytes;
    }
    [[nodiscard]] double per_cell() const { return (setup + solve) / static_cast<double>(op.set().cells()); }
    [[nodiscard]] double per_unknown() const { return (setup + solve) / static_cast<double>(op.unknowns()); }
};

/// The sparse problem's cost per cell of its active bricks, and per unknown, over the filled domain's; and its memory.
/// The two take turns, so that what else the machine does meets both.
template <int D>
void compare_with_dense(Run& run, const Coord<D>& cells) {
    Cost<D> thin{make_problem<D>({.domain = "sparse"}, cells)}, full{make_problem<D>({.domain = "closed"}, cells)};
    for (int round = 0; round < (run.options.quick ? 2 : 10); ++round) {
        thin.measure(run.threads, 8);
        full.measure(run.threads, 2);
    }
    const double per_cell = thin.per_cell() / full.per_cell();
    const double per_unknown = thin.per_unknown() / full.per_unknown();
    const double memory = thin.megabytes / full.megabytes;
    fmt::print(
        "\nsparse static over closed static, {}: {:.0f} ns per cell of active bricks over {:.0f} is {:.2f} "
        "({:.2f} per unknown); {:.0f} MB over {:.0f} is {:.1f} %\n",
        size_name(cells), 1e9 * thin.per_cell(), 1e9 * full.per_cell(), per_cell, per_unknown, thin.megabytes,
        full.megabytes, 100 * memory);
    run.results.push_back(Json()
                              .set("problem", "sparse over dense")
                              .set("size", size_name(cells))
                              .set("time_per_active_cell", per_cell)
                              .set("time_per_unknown", per_unknown)
                              .set("memory", memory));
}

template <int D>
void run_size(Run& run, const Coord<D>& cells, bool sparse = false) {
    const auto wanted_size = run.options.get("size", ""), wanted_case = run.options.get("case", "");
    if (!wanted_size.empty() && wanted_size != size_name(cells)) return;
    for (const auto& spec : specs(sparse, run.options.quick))
        if (spec.name().find(wanted_case) != std::string::npos) run_problem<D>(run, spec, cells);
    if (sparse && std::string("sparse static").find(wanted_case) != std::string::npos)
        compare_with_dense<D>(run, cells);
}

void run_all(const Options& options) {
    Run run;
    run.options = options;
    run.threads = options.threads > 0 ? options.threads : thread_count();
    fmt::print("{} threads\n", run.threads);
    if (options.quick) {
        run_size<2>(run, {64, 128});
        run_size<3>(run, {32, 32, 32});
        run_size<3>(run, {96, 96, 96}, true);
    } else {
        run_size<2>(run, {128, 256});
        run_size<3>(run, {64, 64, 64});
        run_size<3>(run, {128, 128, 128});
        run_size<3>(run, {128, 256, 128});
        run_size<3>(run, {256, 256, 256}, true);
    }
    if (!options.json.empty()) write_json(options.json, run.results);
}

}  // namespace
}  // namespace tidelock::bench

int main(int argc, char** argv) {
    try {
        tidelock::bench::run_all(tidelock::bench::parse_options(argc, argv, {"case", "size", "peers"}));
    } catch (const tidelock::Error& error) {
        fmt::print(stderr, "bench_poisson: {}\n", error.what());
        return 1;
    }
    return 0;
}
