/// Solves Sigma x = b, Sigma = L_N + K^T Mbar^-1 K, by conjugate gradients in double preconditioned with one V-cycle in
/// float: the pressure of a fluid with rigid bodies in it (METHODS 2.5), or without.
///
/// An iteration makes two passes over the double vectors and the V-cycle's over the float ones:
///   direction   p = z + beta p, and p.Sigma p
///   update      x += alpha p, r -= alpha Sigma p, |r|, and r in float for the cycle
/// Sigma p is recomputed in the second pass instead of stored.
#pragma once

#include <optional>

#include "solve/multigrid.h"
#include "solve/regions.h"
#include "solve/report.h"

namespace tidelock {

template <int D>
class PressureSolver {
  public:
    /// Pockets of `op` that touch a body become unknowns. Entries of bodies at other cells without an unknown are left
    /// out.
    explicit PressureSolver(PoissonOperator<D> op, const RigidTerms<D>& bodies = {},
                            const MultigridOptions& options = {});

    /// Vectors have op().size() entries, zero where there is no unknown. x holds the first guess on entry and the
    /// solution on return; the null component of b is removed (and reported), that of x is zero.
    SolveReport solve(const double* b, double* x, const SolveOptions& options = {});

    [[nodiscard]] const PoissonOperator<D>& op() const { return op_; }
    [[nodiscard]] const RigidTerms<D>& bodies() const { return bodies_; }
    [[nodiscard]] const NullSpace<D>& null_space() const { return null_space_; }
    [[nodiscard]] const Multigrid<D, float>& multigrid() const { return multigrid_; }

    /// y = Sigma x.
    void apply(const double* x, double* y) const;
    /// Memory of the operator, all levels and all vectors [bytes].
    [[nodiscard]] std::size_t bytes() const;
    /// Bytes that one iteration must move between memory and cache at least, each array counted once per pass.
    [[nodiscard]] double bytes_per_iteration() const;

  private:
    struct Run;
    std::optional<SolveStatus> begin(Run& run);
    SolveStatus iterate(Run& run);
    bool step(Run& run, double scale, double& last_rz);
    void recompute_residual(Run& run);

    void load_residual(double scale);
    double form_residual(const double* b, const double* x, bool nonzero, double& removed);
    double direction(const float* z, double scale, double beta);
    double update(double alpha, double* x, double scale);
    void step_back(const double* x, double alpha);

    PoissonOperator<D> op_;
    RigidTerms<D> bodies_;
    std::vector<std::int32_t> run_start_;  ///< per brick: its first run of the bodies; one more at the end
    NullSpace<D> null_space_;
    Multigrid<D, float> multigrid_;
    BigArray<double> r_, p_, p_next_, best_;
    Eigen::VectorXd body_step_;  ///< Mbar^-1 K p
};

}  // namespace tidelock
