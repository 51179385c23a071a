/// Other people's solvers on our problems: Eigen's in this process, hypre's on two MPI ranks in a process of its own.
///
/// All solve the same matrix to the same residual: 1e-6 relative, recomputed by our operator on the returned solution;
/// a solver whose own criterion stops too early is run again with a tighter one.
#pragma once

#include <string>
#include <vector>

#include "poisson_problems.h"

namespace tidelock::bench {

inline constexpr double target_residual = 1e-6;

struct PeerResult {
    std::string solver;
    double assembly_seconds = 0;  ///< from our operator to its matrix
    double setup_seconds = 0, solve_seconds = 0;
    int iterations = 0;
    int threads = 1;       ///< or ranks
    double residual = 0;   ///< |b - A x| / |b| by our operator
    double megabytes = 0;  ///< growth of the peak resident memory over matrix, set-up and solve, all ranks
    std::string note;
};

/// Eigen's conjugate gradients with its IncompleteCholesky in natural order (AMD order needs more iterations on grids).
template <int D>
std::vector<PeerResult> run_eigen(const PoissonProblem<D>& problem, const PoissonOperator<D>& op);

/// Starts peers_hypre from this program's folder on two ranks. Empty, with a reason in `why`, if it cannot run.
template <int D>
std::vector<PeerResult> run_hypre(const PoissonProblem<D>& problem, const std::string& configurations,
                                  std::string& why);

/// |b - A x| / |b|.
template <int D>
double true_residual(const PoissonOperator<D>& op, const std::vector<double>& b, const std::vector<double>& x);

/// f(row, column, value) for every entry of the matrix: rows and columns are places in the operator's vectors.
template <int D, class F>
void for_entries(const PoissonOperator<D>& op, std::ptrdiff_t first_slot, std::ptrdiff_t end_slot, F&& f) {
    constexpr int cells = Brick<D>::cells;
    const auto& set = op.set();
    for (std::ptrdiff_t b = first_slot; b < end_slot; ++b)
        for (int i = 0; i < cells; ++i) {
            if (!op.unknown(b)[i]) continue;
            const Coord<D> c = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            double diagonal = op.excess(b)[i];
            const auto neighbour = [&](int axis, int side, double value) {
                diagonal += value;
                if (value == 0) return;
                Coord<D> n = c;
                n[axis] += side;
                f(b * cells + i, std::ptrdiff_t{set.find(brick_of<D>(n))} * cells + local_index<D>(n), -value);
            };
            for (int a = 0; a < D; ++a) {
                neighbour(a, -1, op.conductance(a, b)[i]);
                neighbour(a, 1, op.upper_conductance(a, b, i));
            }
            f(b * cells + i, b * cells + i, diagonal);
        }
}

}  // namespace tidelock::bench
