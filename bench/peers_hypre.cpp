/// hypre on one of our problems: started by bench_poisson as `mpirun -np 2 peers_hypre ...` (Debian's hypre has no
/// threads).
///
/// peers_hypre --domain closed --body static --cells 128,256,128 [--configurations pfmg-rb,pfmg-jacobi,...] [--repeats
/// N] Prints one JSON object a line. Every rank makes the whole problem (not timed) and hands its half to hypre (timed:
/// set-up). hypre::PFMG works on the box around the unknowns with identity rows in it: one box a rank is what it is
/// fastest at; BoomerAMG gets the unknowns alone.
#include <HYPRE.h>
#include <HYPRE_utilities.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/parallel.h"
#include "base/timer.h"
#include "bench_common.h"
#include "peers_hypre.h"

namespace tidelock::bench {
namespace {

struct Configuration {
    std::string name;
    PfmgOptions pfmg;
    double strong = 0;  ///< > 0: BoomerAMG with this threshold
};

/// "pfmg-rb", "pfmg-jacobi", "amg-0.25" (a strength threshold), or "pfmg/relax/rap/skip/levels/sweeps" for a search.
/// Red-black relaxation forces the non-Galerkin coarse operators, whatever rap says.
Configuration configuration_of(const std::string& name) {
    if (name == "pfmg-rb") return {name, {2, 1, 0, 0, 1}, 0};
    if (name == "pfmg-jacobi") return {name, {1, 0, 1, 0, 1}, 0};
    if (name.rfind("amg-", 0) == 0) return {name, {}, std::stod(name.substr(4))};
    PfmgOptions o;
    if (std::sscanf(name.c_str(), "pfmg/%d/%d/%d/%d/%d", &o.relax, &o.rap, &o.skip, &o.levels, &o.sweeps) == 5)
        return {name, o, 0};
    throw InputError("--configurations",
                     "\"{}\" is unknown. Known: pfmg-rb, pfmg-jacobi, amg-THRESHOLD, pfmg/relax/rap/skip/levels/sweeps",
                     name);
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
}

Share make_share(std::ptrdiff_t bricks) {
    Share share;
    MPI_Comm_rank(MPI_COMM_WORLD, &share.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &share.ranks);
    share.first_slot = bricks * share.rank / share.ranks;
    share.end_slot = bricks * (share.rank + 1) / share.ranks;
    return share;
}

double reduce(double value, MPI_Op operation) {
    double result = 0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
    return result;
}

/// The solution of all ranks, on all ranks.
std::vector<double> collect(const PreparedSolver& solver, std::size_t size) {
    std::vector<double> part(size, 0.0), whole(size, 0.0);
    solver.add_solution(part.data());
    MPI_Allreduce(part.data(), whole.data(), static_cast<int>(size), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return whole;
}

template <int D>
void run_one(const Configuration& configuration, const PoissonProblem<D>& problem, const PoissonOperator<D>& op,
             const Share& share, int repeats) {
    MPI_Barrier(MPI_COMM_WORLD);
    reset_peak_memory();
    const auto before = static_cast<double>(resident_memory());
    const auto prepare = [&] {
        return configuration.strong > 0 ? prepare_boomeramg<D>(problem, op, share, configuration.strong)
                                        : prepare_pfmg<D>(problem, op, share, configuration.pfmg);
    };
    double setup = 1e300;  // the first one touches fresh memory
    for (int i = 1; i < repeats; ++i) setup = std::min(setup, prepare().setup_seconds);
    const auto solver = prepare();
    setup = reduce(std::min(setup, solver.setup_seconds), MPI_MAX);
    double seconds = 0, residual = 1, tolerance = target_residual;
    int iterations = 0;
    for (int attempt = 0; attempt < 6 && residual > target_residual; ++attempt, tolerance *= 0.7) {
        seconds = best_of(repeats, [&] {
            MPI_Barrier(MPI_COMM_WORLD);
            iterations = solver.solve(tolerance);
            MPI_Barrier(MPI_COMM_WORLD);
        });
        residual = true_residual(op, problem.rhs, collect(solver, problem.rhs.size()));
    }
    // collect() holds two vectors of ours.
    const double ours = 2.0 * static_cast<double>(problem.rhs.size()) * sizeof(double);
    const double memory =
        reduce(std::max(0.0, static_cast<double>(peak_memory()) - before - ours), MPI_SUM) / (1 << 20);
    const double assembly = reduce(solver.assembly_seconds, MPI_MAX);
    const double slowest = reduce(seconds, MPI_MAX);
    if (share.rank > 0) return;
    fmt::print("{}\n", Json()
                           .set("solver", "hypre " + configuration.name)
                           .set("assembly_s", assembly)
                           .set("setup_s", setup)
                           .set("solve_s", slowest)
                           .set("iterations", iterations)
                           .set("residual", residual)
                           .set("megabytes", memory)
                           .set("note", residual <= target_residual ? "" : "did not converge")
                           .text());
    std::fflush(stdout);
}

template <int D>
void run_all(const Options& options, const std::vector<std::string>& extents) {
    Coord<D> cells;
    for (int a = 0; a < D; ++a) cells[a] = std::stoi(extents[static_cast<std::size_t>(a)]);
    const ProblemSpec spec{options.get("domain", "closed"), options.get("body", "static"), 1.0};
    const auto problem = make_problem<D>(spec, cells);
    const auto op = problem.make_operator();
    const Share share = make_share(op.set().count());
    for (const auto& name : split(options.get("configurations", "pfmg-rb,pfmg-jacobi,amg-0.25")))
        run_one<D>(configuration_of(name), problem, op, share, std::stoi(options.get("repeats", "16")));
}

void run(const Options& options) {
    const ThreadLimit one(1);  // a rank, a core
    const auto extents = split(options.get("cells", "64,64,64"));
    if (extents.size() == 2) return run_all<2>(options, extents);
    if (extents.size() == 3) return run_all<3>(options, extents);
    throw InputError("--cells", "must be two or three numbers such as 64,64,64, got \"{}\"", options.get("cells", ""));
}

}  // namespace
}  // namespace tidelock::bench

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    int status = 0;
    try {
        tidelock::bench::run(
            tidelock::bench::parse_options(argc, argv, {"domain", "body", "cells", "configurations", "repeats"}));
    } catch (const tidelock::Error& error) {
        fmt::print(stderr, "peers_hypre: {}\n", error.what());
        status = 1;
    }
    HYPRE_Finalize();
    MPI_Finalize();
    return status;
}
