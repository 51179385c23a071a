/// What the Krylov solvers share (private to solve/): checks on entry, the best iterate, limits, restarts, the report.
///
/// Life of a solve: start() once; then per iteration may_continue(), and accept() with the squared norm of the new
/// residual *before* x is updated, so that x is saved only when the residual begins to rise; when met() says that the
/// recurrence has converged, or anything ends the loop, verify() recomputes the residual. finish() writes the report.
#pragma once

#include "base/big_array.h"
#include "solve/krylov.h"

namespace tidelock {

class KrylovRun {
  public:
    KrylovRun(const LinearSystem& system, const double* b, double* x, const SolveOptions& options);

    /// Checks the input and forms r = b - A x. False if there is nothing left to do; then call finish() with no status.
    bool start();
    /// False at a limit: the status is set.
    bool may_continue();
    /// A new residual of this squared norm; x still holds the iterate before. False if it is not finite.
    bool accept(double squares);
    /// The recurrence's residual meets the tolerance.
    [[nodiscard]] bool met() const { return norm_ <= options_.tolerance * scale_; }
    /// Recomputes r from x. True if the solve is over: really converged, or a restart gained nothing. False: restart
    /// from r.
    bool verify();
    void stop(SolveStatus status) { report_.status = status; }
    SolveReport finish();

    void precondition(const double* in, double* out) const;
    void project(double* v) const;

    [[nodiscard]] std::ptrdiff_t size() const { return system_.size; }
    [[nodiscard]] const LinearSystem& system() const { return system_; }
    [[nodiscard]] double* x() { return x_; }
    [[nodiscard]] double* r() { return r_.data(); }
    [[nodiscard]] BigArray<double> vector() const { return BigArray<double>(static_cast<std::size_t>(system_.size)); }

  private:
    double recompute();
    [[nodiscard]] double size_of(const double* v) const;
    bool project_right_hand_side(const double* b);

    const LinearSystem& system_;
    const SolveOptions& options_;
    SolveReport report_;
    const double* given_b_;
    double* x_;
    BigArray<double> b_, r_, best_;
    double scale_ = 1;           ///< |b|
    double norm_ = 0;            ///< |r| of the recurrence, at x
    double best_norm_ = 0;       ///< lowest |r| so far
    bool saved_ = false;         ///< best_ holds the iterate of best_norm_; otherwise x does
    bool recomputed_ = true;     ///< norm_ is not the recurrence's
    double verified_norm_ = -1;  ///< |r| at the last restart
    double start_time_;
};

}  // namespace tidelock
