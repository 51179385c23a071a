/// Krylov solvers for operators given as functions: conjugate gradients, their flexible form, and MINRES.
///
/// Source   [HS52] (CG); [Not00] (flexible, beta of Polak-Ribiere: numerics/multigrid 3); [PS75] (MINRES), with the
///          residual vector carried along by r_k = s_k^2 r_{k-1} - phi_k c_k v_{k+1}, [CPS11] section 2.
///
/// Promises, for all three:
///  - the status is `converged` only if the residual recomputed from the returned x meets the tolerance; if a
///    recurrence says so and the recomputed residual does not, the solve restarts from there (and gives up with
///    `breakdown` when a restart gains nothing: the tolerance is below what double precision can reach for this
///    system);
///  - x never holds a NaN. At an iteration or time limit it is the latest iterate: of all so far the one with the least
///    error in the energy norm (conjugate gradients; for a pressure, the least kinetic energy left to remove) or the
///    least residual (MINRES), unless rounding has driven it off (report.h, drifted). After a breakdown it is the one
///    with the least residual. Non-finite b or x on entry: `not_finite`, x untouched;
///  - the same bits on any number of threads, if the operator's and the preconditioner's are;
///  - b = 0 (after projection) gives x = 0, converged, no iterations.
#pragma once

#include <cstddef>
#include <functional>

#include "solve/report.h"

namespace tidelock {

/// out = operator * in, over flat vectors of a fixed length that do not overlap. Must not throw numerical outcomes.
using Apply = std::function<void(const double* in, double* out)>;
/// Removes in place what lies in the operator's null space; an orthogonal projection.
using Projector = std::function<void(double* v)>;
/// Square of the size of a residual.
using SquaredNorm = std::function<double(const double* r)>;

/// A symmetric system and what helps to solve it.
struct LinearSystem {
    std::ptrdiff_t size = 0;  ///< length of all vectors
    Apply apply = {};         ///< symmetric; positive (semi)definite for conjugate gradients
    Apply precondition = {};  ///< optional, symmetric positive definite: an approximate inverse; empty for none
    Projector project = {};   ///< optional, applied to b, residuals and preconditioned residuals; empty: regular system
    SquaredNorm measure = {};  ///< optional: what the tolerance and the report are about; empty for r.r
};

/// Textbook preconditioned CG. The preconditioner must be one fixed symmetric positive definite operator.
SolveReport conjugate_gradients(const LinearSystem& system, const double* b, double* x,
                                const SolveOptions& options = {});

/// CG for a preconditioner that is slightly nonlinear or unsymmetric: one vector and one dot product more.
SolveReport flexible_conjugate_gradients(const LinearSystem& system, const double* b, double* x,
                                         const SolveOptions& options = {});

/// MINRES for symmetric systems, indefinite or singular and consistent ones included; preconditioner positive definite.
SolveReport minres(const LinearSystem& system, const double* b, double* x, const SolveOptions& options = {});

}  // namespace tidelock
