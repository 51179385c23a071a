/// Groups of unknowns that have one value: the pressure of a bubble, lambda of [A18] eq. (19).
///
/// Source   numerics/bubbles 1: a bubble is one vertex of the graph whose Laplacian is solved; its cells are merged. In
///          the operator they stay cells of the grid, and vectors are kept constant on each group: with Pi, the
///          projection that takes the mean over each group, conjugate gradients solve Pi A Pi x = Pi b. Links inside a
///          group carry no flow, since their ends are equal. The multigrid cycle has one unknown per group instead
///          (solve/group_unknowns.h).
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "solve/poisson_operator.h"

namespace tidelock {

template <int D>
class MergedCells {
  public:
    MergedCells() = default;
    /// Groups without a common cell. Groups of one cell are left out, they need nothing.
    explicit MergedCells(std::vector<std::vector<CellPlace>> groups);

    [[nodiscard]] bool empty() const { return groups_.empty(); }
    [[nodiscard]] const std::vector<std::vector<CellPlace>>& groups() const { return groups_; }
    /// The same without cells that hold no unknown.
    [[nodiscard]] MergedCells on_unknowns(const PoissonOperator<D>& op) &&;

    /// v = Pi v.
    void average(double* v) const;
    /// The sums of v, which is in colour order, over each group, whose cells become zero.
    [[nodiscard]] Eigen::VectorXd take_sums(float* v) const;
    /// v += values, one per group, on all its cells.
    void add(const Eigen::VectorXd& values, double* v) const;

  private:
    std::vector<std::vector<CellPlace>> groups_;
};

/// Which group a cell belongs to.
template <int D>
class MergedPlaces {
  public:
    MergedPlaces(const BrickSet<D>& set, const MergedCells<D>& merged);
    /// -1: none.
    [[nodiscard]] std::int32_t group_at(std::ptrdiff_t slot, int local) const {
        const std::int32_t at = start_[static_cast<std::size_t>(slot)];
        return at >= 0 ? group_[static_cast<std::size_t>(at) * Brick<D>::cells + static_cast<std::size_t>(local)] : -1;
    }
    /// The brick has merged cells.
    [[nodiscard]] bool any(std::ptrdiff_t slot) const { return start_[static_cast<std::size_t>(slot)] >= 0; }

  private:
    std::vector<std::int32_t> start_;  ///< per brick and for the void one: its place among those with merged cells
    std::vector<std::int32_t> group_;
};

/// `op` with merged cells as known values instead of unknowns: G^T beta^-1 G of [A18] eq. (20).
template <int D>
PoissonOperator<D> hold_merged(const PoissonOperator<D>& op, const MergedCells<D>& merged);

}  // namespace tidelock
