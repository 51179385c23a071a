/// One problem solved by hypre on the ranks of MPI_COMM_WORLD (private to peers_hypre).
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

#include "peers.h"

namespace tidelock::bench {

/// This rank's share: bricks [first, end) of the set, in its order (z, y, x), so that ranks own contiguous slabs.
struct Share {
    int rank = 0, ranks = 1;
    std::ptrdiff_t first_slot = 0, end_slot = 0;
};

/// A hypre solver that has been set up: solve(tolerance) leaves the solution and the number of iterations.
struct PreparedSolver {
    double assembly_seconds = 0, setup_seconds = 0;
    std::function<int(double tolerance)> solve;
    std::function<void(double* x)> add_solution;  ///< this rank's values into a zeroed vector of the operator's size
};

struct PfmgOptions {
    int relax = 2;   ///< 1 weighted Jacobi, 2 red-black Gauss-Seidel (symmetric)
    int rap = 1;     ///< 0 Galerkin, 1 non-Galerkin 5/7-point
    int skip = 1;    ///< leave relaxation out on some levels, as hypre advises for isotropic problems
    int levels = 0;  ///< at most this many; 0: all, and on a singular system down to about 4 cells an axis
    int sweeps = 1;  ///< before and after each coarse correction
};
/// PCG with one PFMG V-cycle on the box around the unknowns; cells without an unknown are rows of the identity.
template <int D>
PreparedSolver prepare_pfmg(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, const Share& share,
                            const PfmgOptions& options);

/// PCG with one BoomerAMG V-cycle on the unknowns alone: HMIS coarsening, extended+i interpolation with four entries a
/// row, one aggressive level, symmetric hybrid Gauss-Seidel; `strong` is the strength threshold.
template <int D>
PreparedSolver prepare_boomeramg(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, const Share& share,
                                 double strong);

}  // namespace tidelock::bench
