/// A way to solve Sigma x = b, Sigma = L_N + K^T Mbar^-1 K: the pressure of a fluid with rigid bodies in it
/// (numerics/coupling 3), or without.
///
/// PressureSolver is ours; ReferenceSolver holds those that [A18] compares. All work on the same system, take
/// the same right-hand side and stop on the same residual, |b - Sigma x| / |b|.
#pragma once

#include <string>

#include "solve/regions.h"
#include "solve/report.h"

namespace tidelock {

template <int D>
class CoupledSolver {
  public:
    virtual ~CoupledSolver() = default;
    CoupledSolver(const CoupledSolver&) = delete;
    CoupledSolver& operator=(const CoupledSolver&) = delete;

    /// Vectors have op().size() entries, zero where there is no unknown. x holds the first guess on entry and the
    /// solution on return; the null component of b is removed (and reported), that of x is zero.
    virtual SolveReport solve(const double* b, double* x, const SolveOptions& options = {}) = 0;

    /// As a scene names it.
    [[nodiscard]] virtual std::string name() const = 0;
    /// How the preconditioner treats bodies; "none" if it does not see them.
    [[nodiscard]] virtual std::string body_treatment() const = 0;
    /// Levels of its multigrid; 0 without.
    [[nodiscard]] virtual int levels() const { return 0; }
    /// Memory of the operator, all levels and all vectors [bytes].
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    /// Bytes that one iteration must move between memory and cache at least; 0: not counted.
    [[nodiscard]] virtual double bytes_per_iteration() const { return 0; }

    [[nodiscard]] const PoissonOperator<D>& op() const { return op_; }
    [[nodiscard]] const RigidTerms<D>& bodies() const { return bodies_; }
    [[nodiscard]] const NullSpace<D>& null_space() const { return null_space_; }
    /// Mbar^-1 K x of the last solution: what the bodies' velocities change by. Better than to compute it from x
    /// (solve/body_balance.h).
    [[nodiscard]] const Eigen::VectorXd& body_answer() const { return answer_; }
    /// y = Sigma x: the Schur complement of [A18] section 3.1, in the form L_N + K^T Mbar^-1 K.
    void apply(const double* x, double* y) const;

  protected:
    /// Pockets of `op` that touch a body become unknowns. Entries of bodies at other cells without an unknown are left
    /// out.
    CoupledSolver(PoissonOperator<D> op, const RigidTerms<D>& bodies);

    PoissonOperator<D> op_;
    RigidTerms<D> bodies_;
    NullSpace<D> null_space_;
    Eigen::VectorXd answer_;
};

}  // namespace tidelock
