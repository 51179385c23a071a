/// What a solve did. Every solver returns one, and the compiler does not let it be dropped.
#pragma once

#include <string>
#include <vector>

namespace tidelock {

enum class SolveStatus {
    converged,        ///< the recomputed residual is below the tolerance
    iteration_limit,  ///< stopped at the iteration limit with the best iterate so far (krylov.h says in what sense)
    time_limit,       ///< stopped at the wall-clock limit, the same
    breakdown,        ///< the operator or the preconditioner is not positive definite; the iterate of least residual
    not_finite        ///< the right-hand side or the first guess holds a NaN or an infinity; the guess is untouched
};

std::string to_string(SolveStatus status);

struct SolveOptions {
    double tolerance = 1e-6;      ///< [-] on |b - A x| / |b|, in (0, 1)
    int max_iterations = 500;     ///< [-] at least 0
    double time_limit = 0;        ///< [s] wall clock for the whole solve; 0: none
    bool record_history = false;  ///< keep the recurrence's residual after each iteration
};

/// Throws InputError unless tolerance is in (0, 1), max_iterations >= 0 and time_limit is >= 0 and finite.
void validate(const SolveOptions& options);

/// Conjugate gradients that are stopped at a limit keep their latest iterate: of all it has the least error in the
/// energy norm, although its residual may have risen on the way. Once rounding rules, it has not: when the residual is
/// this much above the least one, the iterate of that one is kept instead.
inline bool drifted(double latest_residual, double least_residual) { return latest_residual > 100 * least_residual; }

struct [[nodiscard]] SolveReport {
    SolveStatus status = SolveStatus::breakdown;
    int iterations = 0;
    double initial_residual = 0;  ///< [-] |b - A x0| / |b|
    double residual = 0;          ///< [-] |b - A x| / |b|, recomputed from x at the end, not the recurrence's value
    double incompatibility = 0;   ///< [-] part of b in the operator's null space that was removed, over |b|
    double seconds = 0;           ///< [s] wall clock of this solve, set-up not included
    std::vector<double> history;  ///< [-] recurrence residual after each iteration, if asked for
    std::vector<double> times;    ///< [s] since the start, with history

    [[nodiscard]] bool converged() const { return status == SolveStatus::converged; }
};

/// Whether the iterate is no answer at all. One that missed its tolerance by little is one: the residual is the part of
/// the divergence that is left. A ten-thousandth of it is far more than rounding leaves of any system that can be
/// solved; with twice that a body in a gap that closed had two kilometres a second. A limit of time is the user's bargain: any finite iterate.
[[nodiscard]] bool failed(const SolveReport& report, double tolerance);

}  // namespace tidelock
