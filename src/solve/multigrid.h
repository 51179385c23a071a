/// One symmetric V-cycle for Sigma = L_N + K^T Mbar^-1 K, the preconditioner of the pressure solve.
///
/// Source   [MST10] for a V-cycle inside conjugate gradients; coarse operators by half-scaled
///          aggregation ([SHM22]; numerics/multigrid 2); bodies as Neumann cells with their low-rank term
///          inside the cycle on every level (numerics/multigrid 4).
/// Deviates transfers are piecewise constant, so that restriction stays inside a brick; two red-black sweeps before
///          and after, one more on each coarser level, make up for it (docs/solver.md has the measured alternatives).
///          In coarse cells that are not full a link is scaled by the way between the centroids of what is there
///          (coarse_level.cpp). The smoother solves each colour's block with the bodies' term in it (body_blocks.h).
/// Symbols  r right-hand side, x iterate, y = Mbar^-1 K x, e coarse correction.
/// Promise  V is symmetric and positive definite (tests/solve/multigrid_test.cpp); apply() gives the same bits on any
///          number of threads. Its input is the finest level's r, its output a vector of the finest level, both in
///          colour order (colour_order.h).
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "solve/stencil_level.h"

namespace tidelock {

/// Direct solve on the coarsest level. Constants that neither a known value nor a body determines are regularised.
template <int D, class T>
class CoarsestSolver {
  public:
    CoarsestSolver() = default;
    /// `level` before order_by_colour(); `force` is the size of K on the finest level: a body in one coarse cell leaves
    /// only rounding of it.
    CoarsestSolver(const StencilLevel<D, T>& level, double force);
    /// x and groups.z from r and groups.s, and y = Mbar^-1 K (x, z).
    void solve(const T* r, T* x, GroupUnknowns<D, T>& groups, Eigen::VectorXd& y) const;

  private:
    void number_unknowns(const StencilLevel<D, T>& level);
    void set_matrix(const StencilLevel<D, T>& level, double force);
    [[nodiscard]] Eigen::MatrixXd cell_matrix(const StencilLevel<D, T>& level) const;
    void add_groups(const StencilLevel<D, T>& level, Eigen::MatrixXd& a) const;
    void add_bodies(const StencilLevel<D, T>& level, double force, const Eigen::MatrixXd& floating, Eigen::MatrixXd& a);

    std::vector<std::ptrdiff_t> places_;  ///< where each cell with an unknown lies in the level's vectors
    std::vector<Eigen::Index> number_;    ///< per place in them: its unknown, or -1
    /// Per group: its unknown, or -1: those that no body touches are eliminated, so that thousands cost little.
    std::vector<Eigen::Index> group_number_;
    Eigen::Index unknowns_ = 0;
    Eigen::LLT<Eigen::MatrixXd> factor_;
    Eigen::MatrixXd answer_;  ///< Mbar^-1 K
};

template <int D, class T>
class Multigrid {
  public:
    /// `groups`: unknowns beside those of `op`, for which their cells are known values.
    Multigrid(const PoissonOperator<D>& op, const RigidTerms<D>& bodies, const MultigridOptions& options = {},
              GroupUnknowns<D, T> groups = {});

    [[nodiscard]] int levels() const { return static_cast<int>(levels_.size()); }
    [[nodiscard]] StencilLevel<D, T>& finest() { return levels_.front(); }
    /// Levels from the finest; for tests and set-up reports.
    [[nodiscard]] const StencilLevel<D, T>& level(int l) const { return levels_[static_cast<std::size_t>(l)]; }
    [[nodiscard]] const MultigridOptions& options() const { return options_; }
    [[nodiscard]] std::size_t bytes() const;

    /// z = V r with r = finest().r; returns z (valid until the next call) and sets `r_dot_z`. Of groups the right-hand
    /// side is finest().groups.s, and the result finest().groups.z.
    const T* apply(double& r_dot_z);
    /// Mbar^-1 K z of the last apply(), with K of the finest level: as exact as if z were in double.
    [[nodiscard]] const Eigen::VectorXd& body_answer() const { return y_.front(); }

  private:
    T* cycle(std::size_t l, double* r_dot_z);
    void relax_groups(std::size_t l, bool forwards, const T* x);
    void start(std::size_t l);
    /// Half a sweep; r.x per brick into `dots`, if wanted.
    void relax(std::size_t l, int colour, double* dots);
    /// Adds the runs' parts of scale K_c x in a brick to partial_.
    void gather_brick(std::size_t l, std::ptrdiff_t b, int colour, double scale);
    /// Completes a colour's step with the bodies' part, K_c z being the sum of partial_.
    void step_bodies(std::size_t l, int colour, double* dots);
    /// Whether colour 1 takes part in the transfers of a brick (sweep.h).
    [[nodiscard]] bool transfers_both(std::size_t l, std::ptrdiff_t b) const {
        const auto& level = levels_[l];
        return level.kind[static_cast<std::size_t>(b)] == BrickKind::bodied || !level.groups.empty();
    }
    void restrict_residual(std::size_t l);
    void correct(std::size_t l, const T* correction);
    void settle(std::size_t l, const Eigen::VectorXd& answer);

    MultigridOptions options_;
    std::vector<StencilLevel<D, T>> levels_;
    CoarsestSolver<D, T> coarsest_;
    std::vector<Eigen::VectorXd> y_;                                      ///< per level: Mbar^-1 K x of the iterate
    std::vector<std::vector<std::array<double, rigid_dof<D>>>> partial_;  ///< per level and run: its part of K_c z
    std::vector<std::vector<std::int32_t>> body_bricks_;                  ///< per level: bricks that a body touches
    std::vector<double> dots_;                                            ///< per brick of the finest level
};

}  // namespace tidelock
