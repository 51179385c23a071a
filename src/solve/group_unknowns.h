/// Unknowns beside those of the grid, one per group of merged cells (a bubble's pressure), on one multigrid level.
///
/// Source   numerics/multigrid 5: a merged unknown stays one unknown on all levels.
///
///   [  L  -C^T ] [ x ]   [ r ]    L   the level's operator, in which merged cells are known values
///   [ -C    D  ] [ z ] = [ s ]    C   conductances between a group and the cells around it, a part of L's excess
///                                 D   their sums, diagonal
/// These are the blocks of [A18] eq. (20), whose diagonal D = B beta^-1 B^T the paper notes in section 6.
///
/// With bodies K^T Mbar^-1 K is added, K = (K_x, K_z). So the levels are those of a problem without groups, with its
/// transfers and its smoother, to which a step over the groups is added: cells around a group see C^T z as part of
/// their right-hand side. Coarser levels have C' = C scaled as the excess that it is a part of (coarse_level.cpp); s
/// and z are handed down and up as they are.
/// Cost     a few sums over the links, which are as many as the groups have faces to other cells.
/// Chosen   links between two groups count in D only: the cycle stays positive definite without them.
#pragma once

#include <Eigen/Sparse>
#include <memory>
#include <vector>

#include "solve/merged_cells.h"
#include "solve/rigid_terms.h"

namespace tidelock {

/// Between a cell, by its place in the level's vectors, and a group. Places are in colour order when the level is.
struct GroupLink {
    std::ptrdiff_t cell;
    std::int32_t group;
    double conductance;
};

template <int D, class T>
class GroupUnknowns {
  public:
    /// No groups.
    GroupUnknowns() = default;
    /// Those of the finest level: of A / op.uniform(), as the cycle has it.
    GroupUnknowns(const PoissonOperator<D>& op, const MergedCells<D>& merged, const RigidTerms<D>& bodies);
    /// The same groups with other links, on a coarser level or for another order of cells; they may come in any order,
    /// equal (cell, group) are added up.
    [[nodiscard]] GroupUnknowns with_links(std::vector<GroupLink> links) const;

    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] Eigen::Index size() const { return known_.size(); }
    /// Sorted by cell and group.
    [[nodiscard]] const std::vector<GroupLink>& links() const { return links_; }
    /// D of a group.
    [[nodiscard]] double diagonal(Eigen::Index group) const { return diagonal_[group]; }
    /// The group's column of K_z; empty if no body touches it.
    [[nodiscard]] const Eigen::SparseVector<double>& force(Eigen::Index group) const;

    Eigen::VectorXd s, z;  ///< right-hand side and iterate

    /// z = 0; `r` is the right-hand side of the cells, which from now on has C^T z in it.
    void start(const T* r);
    /// Takes C^T z out of it again.
    void restore(T* r) const;
    /// One sweep over the groups, in their order or against it. `x` the cells' iterate, y = Mbar^-1 K (x, z).
    void relax(const T* x, bool forwards, Eigen::VectorXd& y, T* r);
    /// s + C x - D z - K_z^T y.
    [[nodiscard]] Eigen::VectorXd residual(const T* x, const Eigen::VectorXd& y) const;
    /// z += step.
    void correct(const Eigen::VectorXd& step, T* r);
    /// force += K_z v.
    void add_force(const Eigen::VectorXd& v, Eigen::VectorXd& force) const;

  private:
    /// What bodies feel of the groups, the same on all levels.
    struct Forces {
        std::vector<Eigen::SparseVector<double>> k, response;  ///< columns of K_z and of Mbar^-1 K_z
        std::vector<double> stiffness;                         ///< diagonal of K_z^T Mbar^-1 K_z
    };
    void set_links(std::vector<GroupLink> links);
    [[nodiscard]] Eigen::VectorXd pull(const T* x) const;
    void push(T* r) const;

    std::vector<GroupLink> links_;
    std::vector<T> own_;                    ///< r of linked cells without C^T z, in their order
    Eigen::VectorXd known_;                 ///< the part of D that does not come from links
    Eigen::VectorXd diagonal_;              ///< D
    std::shared_ptr<const Forces> forces_;  ///< null: no body touches a group
};

}  // namespace tidelock
