/// Incomplete Cholesky without fill for the face-coefficient Poisson operator: a reference, not a fast preconditioner.
///
///   M = (E + L) E^-1 (E + L^T),   L the strict lower part of A, E diagonal:
///   e_i = a_i - sum_a c_a^2 / e_j - tau sum_a c_a (c'_a + ...) / e_j,   j the lower neighbour of i along a
///
/// where c_a is the conductance between i and j, and the last sum runs over the conductances of j's other upper faces:
/// the fill that the factor drops, taken off the diagonal so that M has nearly A's row sums (modified incomplete
/// Cholesky). Only 1 / e_i is stored.
///
/// Source   [MV77] (IC(0)); [Gus78] (modified); Bridson, "Fluid Simulation for Computer Graphics", chapter 5: the
///          values of tau and sigma, and the rule e_i := a_i where e_i falls below sigma a_i.
/// Order    as stored: brick by brick, x fastest inside a brick. A lower neighbour always comes first, in this order as
///          in the lexicographic order of cells, and e_i depends on nothing else: both orders give the same factor.
/// Promise  symmetric positive definite on the unknowns, zero elsewhere. Singular operators are factored like others: a
///          pivot that vanishes is caught by sigma.
/// Limits   the two sweeps are sequential.
#pragma once

#include "base/big_array.h"
#include "solve/poisson_operator.h"

namespace tidelock {

struct IncompleteCholeskyOptions {
    bool modified = true;  ///< false: IC(0)
    double tau = 0.97;     ///< [-] share of the dropped fill taken off the diagonal, in [0, 1]; used if modified
    double sigma = 0.25;   ///< [-] smallest pivot relative to the diagonal, in [0, 1]
};

template <int D>
class IncompleteCholesky {
  public:
    /// `op` must outlive this. `extra_diagonal` (length op.size(), >= 0) is added to A's diagonal; null: none.
    explicit IncompleteCholesky(const PoissonOperator<D>& op, const IncompleteCholeskyOptions& options = {},
                                const double* extra_diagonal = nullptr);

    /// z = M^-1 r; both of length op.size(). The void brick of z is set to zero.
    void apply(const double* r, double* z) const;

    /// 1 / e_i, in the order of the operator's vectors; zero where there is no unknown.
    [[nodiscard]] const double* inverse_pivots() const { return inverse_.data(); }
    [[nodiscard]] std::size_t bytes() const { return inverse_.bytes(); }

  private:
    void factor_brick(std::ptrdiff_t slot, const IncompleteCholeskyOptions& options, const double* extra_diagonal);
    void sweep_up(std::ptrdiff_t slot, const double* r, double* z) const;
    void sweep_down(std::ptrdiff_t slot, double* z) const;

    const PoissonOperator<D>* op_;
    BigArray<double> inverse_;
};

}  // namespace tidelock
