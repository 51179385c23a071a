/// Keeps pressures x and the bodies' answer to them, y = Mbar^-1 K x, two vectors that belong together, for bodies of
/// any mass.
///
/// Why      A body much lighter than its fluid answers with 1 / M: what rounding leaves of K x, in single precision
///          after a V-cycle or in double after many steps, is multiplied by 1e6 or 1e12, and conjugate gradients stop
///          far from the solution. So y is not computed from x: it is carried along with it, and what K x and Mbar y
///          differ by goes into both, by the masses,
///            d = K x - Mbar y,  c = S^-1 d,  S = Mbar + K W K^T,    x -= W K^T c,  y += c
///          after which K x = Mbar y up to rounding of x: a part in 1e16 of the force of the pressure, whatever the
///          mass. W > 0 is the inverse of the operator's diagonal, 0 in cells that share their value with others.
/// Source   numerics/multigrid 10; the same elimination as in the smoother (body_blocks.h).
#pragma once

#include "solve/body_blocks.h"
#include "solve/merged_cells.h"

namespace tidelock {

template <int D>
class BodyBalance {
  public:
    BodyBalance() = default;
    /// `bodies` has entries at unknowns of `op` only.
    BodyBalance(const RigidTerms<D>& bodies, const PoissonOperator<D>& op, const MergedCells<D>& merged);

    /// x: all bricks.
    void balance(const RigidTerms<D>& bodies, double* x, Eigen::VectorXd& y) const;

  private:
    std::vector<double> weight_;  ///< W of each entry's cell
    BodySystem<D> system_;        ///< S
};

}  // namespace tidelock
