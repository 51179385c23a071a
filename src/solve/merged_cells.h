/// Groups of unknowns that have one value: the pressure of a bubble.
///
/// Source   METHODS 4.2: a bubble is one vertex of the graph whose Laplacian is solved; its cells are merged. Here they
///          stay cells of the grid, and vectors are kept constant on each group: with Pi, the projection that takes the
///          mean over each group, conjugate gradients solve Pi A Pi x = Pi b, preconditioned by Pi V Pi. Links inside a
///          group carry no flow in A, since their ends are equal; the multigrid cycle V sees them as good conductors,
///          so that it, too, nearly keeps groups constant. Pi costs a sum over the cells of the groups.
#pragma once

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
    /// Leaves the cells without an unknown out.
    void keep_unknowns(const PoissonOperator<D>& op);

    /// v = Pi v.
    template <class T>
    void average(T* v) const;

  private:
    std::vector<std::vector<CellPlace>> groups_;
};

}  // namespace tidelock
