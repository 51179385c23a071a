/// Connected regions of a Poisson operator, by flood fill over open faces, and the null space that they leave.
///
/// A region without any link to a known value carries the constant null vector 1_R of L_N (numerics/multigrid 6). With
/// rigid bodies (numerics/coupling 5) Sigma = L_N + K^T Mbar^-1 K is singular only on combinations v of such constants
/// with K v = 0: fluid around immersed bodies; a region behind a piston has K 1_R != 0, and its pressure is determined.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "base/big_array.h"
#include "solve/poisson_operator.h"
#include "solve/rigid_terms.h"

namespace tidelock {

template <int D>
class Regions {
  public:
    explicit Regions(const PoissonOperator<D>& op);

    [[nodiscard]] int count() const { return static_cast<int>(cells_.size()); }
    /// Unknowns in a region.
    [[nodiscard]] std::ptrdiff_t cells(int region) const { return cells_[static_cast<std::size_t>(region)]; }
    /// True if the region has no link to a known value.
    [[nodiscard]] bool closed(int region) const { return closed_[static_cast<std::size_t>(region)] != 0; }
    /// Region of a cell; -1 where there is no unknown.
    [[nodiscard]] int region(std::ptrdiff_t slot, int local) const;
    /// Region of a whole brick if all its cells are unknowns of one region, else -1.
    [[nodiscard]] int region_of_brick(std::ptrdiff_t slot) const { return whole_[static_cast<std::size_t>(slot)]; }
    [[nodiscard]] std::ptrdiff_t bricks() const { return static_cast<std::ptrdiff_t>(whole_.size()); }
    [[nodiscard]] std::size_t bytes() const {
        return labels_.bytes() + (3 * whole_.size() + region_.size()) * sizeof(std::int32_t);
    }

  private:
    using Label = std::int16_t;
    void find_components(const PoissonOperator<D>& op);
    [[nodiscard]] std::vector<int> join_components(const PoissonOperator<D>& op) const;
    void measure(const PoissonOperator<D>& op);

    std::vector<std::ptrdiff_t> cells_;
    std::vector<char> closed_;
    std::vector<std::int32_t> whole_;   ///< per brick
    std::vector<std::int32_t> start_;   ///< per brick: where its labels begin, -1 if whole
    std::vector<std::int32_t> first_;   ///< per brick: its first component; one more at the end
    std::vector<std::int32_t> region_;  ///< per component
    BigArray<Label> labels_;            ///< per cell of the bricks that are not whole: which of its components
};

/// Norms of what a projection took away and of what it left.
struct Projected {
    double removed = 0, left = 0;
};

/// The null space of an operator with rigid bodies, and the orthogonal projection onto its complement.
template <int D>
class NullSpace {
  public:
    NullSpace(const PoissonOperator<D>& op, const RigidTerms<D>& bodies);

    [[nodiscard]] int dimension() const { return static_cast<int>(basis_.cols()); }
    [[nodiscard]] const Regions<D>& regions() const { return regions_; }
    /// Removes the null component from v, whose cells without an unknown are zero.
    Projected project(double* v) const;
    /// What project() would take from the sum of v over each region.
    [[nodiscard]] std::vector<double> losses(const double* v) const;

  private:
    [[nodiscard]] Eigen::VectorXd region_sums(const double* v) const;

    Regions<D> regions_;
    std::vector<int> singular_;  ///< closed regions, in order
    Eigen::MatrixXd basis_;      ///< rows: singular regions, columns: orthonormal null vectors, scaled by sqrt(cells)
};

}  // namespace tidelock
