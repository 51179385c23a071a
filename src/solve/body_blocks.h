/// Exact solves with one colour's diagonal block of Sigma, for the smoother of a multigrid level with rigid bodies.
///
/// Source   numerics/multigrid 4: the low-rank term inside the cycle, by Gauss-Seidel over the two colours of cells
///          with it: on one colour Sigma_cc = D_c + K_c^T Mbar^-1 K_c, whose inverse is Woodbury's formula
///          D_c^-1 - D_c^-1 K_c^T S_c^-1 K_c D_c^-1,  S_c = Mbar + K_c D_c^-1 K_c^T.
/// Symbols  z = D_c^-1 (r - K^T y - L_N x)_c the step without bodies, y = Mbar^-1 K x,  s = S_c^-1 K_c z
///          then  x_c += z - D_c^-1 K_c^T s  and  y += s: y is never computed from x again.
/// Joints   Mbar^-1 is T (T^T Mbar T)^-1 T^T (rigid_terms.h), so S_c^-1 becomes T (T^T S_c T)^-1 T^T.
/// Promise  Block Gauss-Seidel on a symmetric positive definite matrix converges, however light the bodies are: no
///          damping is needed. S_c is sparse: bodies are joined only where they touch the same cell.
#pragma once

#include <Eigen/SparseCholesky>
#include <array>
#include <memory>

#include "solve/rigid_terms.h"

namespace tidelock {

/// S = Mbar + K W K^T with a weight W for each cell.
template <int D>
class BodySystem {
  public:
    BodySystem() = default;
    /// `weights`: W of the cell of each entry of `bodies`.
    BodySystem(const RigidTerms<D>& bodies, const std::vector<double>& weights);

    /// S^-1 v; with joints T (T^T S T)^-1 T^T v.
    [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& v) const {
        if (basis_.rows() == 0) return factor_->solve(v);
        if (basis_.cols() == 0) return Eigen::VectorXd::Zero(v.size());
        return basis_ * factor_->solve(basis_.transpose() * v);
    }

  private:
    using Factor = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>;
    std::unique_ptr<Factor> factor_;
    Eigen::SparseMatrix<double> basis_;  ///< T of all bodies; empty without joints
};

template <int D>
class BodyBlocks {
  public:
    BodyBlocks() = default;
    /// `inverse` holds 1 / D_c for each entry of `bodies`, zero where there is no unknown.
    BodyBlocks(const RigidTerms<D>& bodies, const std::vector<double>& inverse);

    /// S_c^-1 v.
    [[nodiscard]] Eigen::VectorXd solve(int colour, const Eigen::VectorXd& v) const {
        return blocks_[static_cast<std::size_t>(colour)].solve(v);
    }

  private:
    std::array<BodySystem<D>, 2> blocks_;
};

}  // namespace tidelock
