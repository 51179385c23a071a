/// Our solvers as bench_poisson runs them.
#pragma once

#include <cstdint>

#include "peers.h"

namespace tidelock::bench {

struct OurResult {
    PeerResult common;
    int threads = 1;
    std::uint64_t hash = 0;          ///< of the solution's bits: must not depend on the number of threads
    double iteration_seconds = 0;    ///< of one iteration alone; 0: not measured
    double bytes_per_iteration = 0;  ///< memory traffic that an iteration cannot avoid; 0: not stated
};

/// The multigrid-preconditioned solver; times are the best of `repeats`.
template <int D>
OurResult run_ours(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, int threads, int repeats);

/// Textbook CG with MIC(0) of the fluid part of the operator: the usual way in graphics.
template <int D>
OurResult run_our_iccg(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, int threads);

}  // namespace tidelock::bench
