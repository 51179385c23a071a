/// Solves Sigma x = b by conjugate gradients in double, preconditioned with one V-cycle in float.
///
/// An iteration makes three passes over the double vectors and the V-cycle's over the float ones:
///   direction   p = z + beta p
///   curvature   p.Sigma p
///   update      x += alpha p, r -= alpha Sigma p, |r|, and r in float for the cycle
/// Sigma p is recomputed in the last pass instead of stored. Unknowns that share a value (solve/merged_cells.h) are one
/// unknown each in the cycle (solve/group_unknowns.h); p is constant on them, and r averaged.
#pragma once

#include <optional>

#include "solve/body_balance.h"
#include "solve/coupled_solver.h"
#include "solve/merged_cells.h"
#include "solve/multigrid.h"

namespace tidelock {

template <int D>
class PressureSolver final : public CoupledSolver<D> {
  public:
    /// `merged`: unknowns that share a value; x is made constant on them, and of b only their sums count.
    explicit PressureSolver(PoissonOperator<D> op, const RigidTerms<D>& bodies = {},
                            const MultigridOptions& options = {}, MergedCells<D> merged = {});

    SolveReport solve(const double* b, double* x, const SolveOptions& options = {}) override;

    [[nodiscard]] std::string name() const override { return "auto"; }
    [[nodiscard]] std::string body_treatment() const override { return bodies_.empty() ? "none" : "in-cycle"; }
    [[nodiscard]] int levels() const override { return multigrid_.levels(); }
    [[nodiscard]] std::size_t bytes() const override;
    /// Each array counted once per pass.
    [[nodiscard]] double bytes_per_iteration() const override;
    [[nodiscard]] const Multigrid<D, float>& multigrid() const { return multigrid_; }

  private:
    struct Run;
    std::optional<SolveStatus> begin(Run& run);
    void choose_start(Run& run);
    void start_from_zero(double* x);
    SolveStatus iterate(Run& run);
    bool step(Run& run, double scale, double& last_rz);
    void recompute_residual(Run& run);

    void load_residual(double scale);
    struct Residual;
    Residual form_residual(const double* b, const double* x, bool nonzero);
    double direction(const float* z, double scale, double beta);
    double update(double alpha, double* x, double scale);
    void step_back(const double* x, double alpha);

    using CoupledSolver<D>::op_, CoupledSolver<D>::bodies_, CoupledSolver<D>::null_space_, CoupledSolver<D>::answer_;
    std::vector<std::int32_t> run_start_;  ///< per brick: its first run of the bodies; one more at the end
    MergedCells<D> merged_;
    Multigrid<D, float> multigrid_;
    BigArray<double> r_, p_, best_;
    BodyBalance<D> balance_;
    Eigen::VectorXd body_step_, best_answer_;  ///< Mbar^-1 K p, and that of best_
};

}  // namespace tidelock
