#include "solve/krylov.h"

#include <cmath>
#include <utility>

#include "solve/krylov_run.h"
#include "solve/vector_ops.h"

namespace tidelock {
namespace {

/// One run of CG from the residual run.r(), until it converges (true) or something stops it (false, status set).
bool descend(KrylovRun& run, bool flexible) {
    const auto n = run.size();
    auto z = run.vector(), p = run.vector(), q = run.vector();
    double* r = run.r();
    double rho = 0;  // r.z
    for (bool first = true; run.may_continue(); first = false) {
        run.precondition(r, z.data());
        const double rho_before = std::exchange(rho, dot(n, r, z.data()));
        if (!(rho > 0) || !std::isfinite(rho)) return run.stop(SolveStatus::breakdown), false;
        // Polak-Ribiere: r_old = r + alpha q, and q still holds alpha * A p, so z.(r - r_old) = -z.q.
        const double beta = first ? 0 : (flexible ? -dot(n, z.data(), q.data()) : rho) / rho_before;
        scale_and_add(n, z.data(), beta, p.data());

        run.system().apply(p.data(), q.data());
        run.project(q.data());
        const double curvature = dot(n, p.data(), q.data());
        const double slope = flexible ? dot(n, r, p.data()) : rho;
        const double alpha = slope / curvature;
        if (!(curvature > 0) || !std::isfinite(alpha)) return run.stop(SolveStatus::breakdown), false;
        if (flexible) scale(n, alpha, q.data(), q.data());
        const double squares = add_scaled_squares(n, flexible ? -1.0 : -alpha, q.data(), r);
        if (!run.accept(squares)) return run.stop(SolveStatus::breakdown), false;
        add_scaled(n, alpha, p.data(), run.x());
        if (run.met()) return true;
    }
    return false;
}

/// State of the QR factorisation of MINRES's tridiagonal matrix, with the names of Paige and Saunders.
struct Rotation {
    double c = -1, s = 0, dbar = 0, epsilon = 0, phibar;
    double old_epsilon = 0, delta = 0, gamma = 0, phi = 0;

    /// Takes in the next column (alpha on the diagonal, beta beneath). False if the matrix is singular here.
    bool turn(double alpha, double beta) {
        old_epsilon = epsilon;
        delta = c * dbar + s * alpha;
        const double gbar = s * dbar - c * alpha;
        epsilon = s * beta;
        dbar = -c * beta;
        gamma = std::sqrt(gbar * gbar + beta * beta);
        if (!(gamma > 0) || !std::isfinite(gamma)) return false;
        c = gbar / gamma;
        s = beta / gamma;
        phi = c * phibar;
        phibar = s * phibar;
        return true;
    }
};

/// One run of MINRES from the residual run.r(); as descend().
bool lanczos(KrylovRun& run) {
    const auto n = run.size();
    auto v = run.vector(), y = run.vector(), older = run.vector(), newer = run.vector();
    auto w = run.vector(), w1 = run.vector(), w2 = run.vector();
    copy(n, run.r(), newer.data());
    run.precondition(newer.data(), y.data());
    double beta = std::sqrt(dot(n, newer.data(), y.data())), beta_before = 0;
    if (!(beta > 0) || !std::isfinite(beta)) return run.stop(SolveStatus::breakdown), false;
    Rotation rotation{.phibar = beta};
    for (bool first = true; run.may_continue(); first = false) {
        scale(n, 1 / beta, y.data(), v.data());
        run.system().apply(v.data(), y.data());
        run.project(y.data());
        if (!first) add_scaled(n, -beta / beta_before, older.data(), y.data());
        const double alpha = dot(n, v.data(), y.data());
        add_scaled(n, -alpha / beta, newer.data(), y.data());
        std::swap(older, newer);
        std::swap(newer, y);  // newer: beta_{k+1} times the next Lanczos vector
        run.precondition(newer.data(), y.data());
        beta_before = beta;
        const double squared = dot(n, newer.data(), y.data());
        beta = std::sqrt(squared);
        // A negative square beyond rounding: the preconditioner is not positive definite.
        constexpr double rounding = 1e-14;
        if (!(squared >= 0)) {
            if (!(std::abs(squared) <= rounding * (alpha * alpha + beta_before * beta_before)))
                return run.stop(SolveStatus::breakdown), false;
            beta = 0;
        }
        if (!rotation.turn(alpha, beta)) return run.stop(SolveStatus::breakdown), false;

        std::swap(w1, w2);
        std::swap(w2, w);  // w = (v - old_epsilon w1 - delta w2) / gamma
        scale(n, 1 / rotation.gamma, v.data(), w.data());
        add_scaled(n, -rotation.old_epsilon / rotation.gamma, w1.data(), w.data());
        add_scaled(n, -rotation.delta / rotation.gamma, w2.data(), w.data());

        scale(n, rotation.s * rotation.s, run.r(), run.r());
        const double along = beta > 0 ? -rotation.phibar * rotation.c / beta : 0;
        const double squares = add_scaled_squares(n, along, newer.data(), run.r());
        if (!run.accept(squares)) return run.stop(SolveStatus::breakdown), false;
        add_scaled(n, rotation.phi, w.data(), run.x());
        if (run.met()) return true;
        if (beta == 0) return run.stop(SolveStatus::breakdown), false;  // the Krylov space is exhausted
    }
    return false;
}

template <class Method>
SolveReport solve(const LinearSystem& system, const double* b, double* x, const SolveOptions& options,
                  Method&& method) {
    KrylovRun run(system, b, x, options);
    if (run.start())
        while (method(run) && !run.verify()) {
        }
    return run.finish();
}

}  // namespace

SolveReport conjugate_gradients(const LinearSystem& system, const double* b, double* x, const SolveOptions& options) {
    return solve(system, b, x, options, [](KrylovRun& run) { return descend(run, false); });
}

SolveReport flexible_conjugate_gradients(const LinearSystem& system, const double* b, double* x,
                                         const SolveOptions& options) {
    return solve(system, b, x, options, [](KrylovRun& run) { return descend(run, true); });
}

SolveReport minres(const LinearSystem& system, const double* b, double* x, const SolveOptions& options) {
    return solve(system, b, x, options, lanczos);
}

}  // namespace tidelock
