/// What rigid bodies add to the pressure operator: K^T Mbar^-1 K, of rank 6 (3 in the plane) a body.
///
/// Source   [A18] eq. (17), in the form of numerics/coupling 3: Sigma = L_N + K^T Mbar^-1 K.
/// Symbols  K      one row a degree of freedom: -K p is the pressure impulse and torque on the bodies
///          Mbar   body mass plus the lumped fluid mass of its mixed dual cells, symmetric positive definite; block
///                 diagonal except between bodies that share a face
///          cap    G_c^T beta_c^-1 G_c, diagonal: what the body's closed faces would add if they were open to p = 0;
///                 K^T Mbar^-1 K <= cap as a matrix (numerics/coupling 4)
/// Joints   H V = 0 for the twists V of the bodies. With a basis T of what they allow, V = T q, all formulas hold for q
///          (numerics/coupling 7): Mbar^-1 becomes T (T^T Mbar T)^-1 T^T, semi-definite, which couples the bodies of a
///          group.
/// K is kept as one entry per (cell, body) that touch, sorted by brick, so that it is applied as gather, small dense
/// solve, scatter; nothing of size surface x surface exists.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <vector>

#include "grid/brick_set.h"

namespace tidelock {

template <int D>
struct RigidEntry {
    std::int32_t slot = 0;   ///< brick
    std::int32_t local = 0;  ///< cell in the brick, by its place in what gather() and scatter_add() are given
    std::int32_t body = 0;
    std::array<double, rigid_dof<D>> k{};  ///< this cell's column of K for this body
    double cap = 0;                        ///< this cell's part of cap for this body
    bool settles = false;                  ///< in a V-cycle: the cell answers coarse corrections (local_answer.h)
};

/// Columns of K that one brick holds for one body: entries [begin, end).
struct RigidRun {
    std::int32_t slot, body, begin, end;
};

/// A velocity that joints forbid: the sum of part . twist over the bodies named (-1: none) is zero.
template <int D>
struct RigidRow {
    std::array<int, 2> body{-1, -1};
    std::array<Eigen::Matrix<double, rigid_dof<D>, 1>, 2> part;
};

template <int D>
class RigidTerms {
  public:
    static constexpr int dof = rigid_dof<D>;
    using Block = Eigen::Matrix<double, dof, dof>;

    /// No bodies.
    RigidTerms() = default;
    /// Bodies that share no face: one block of Mbar each. Entries may come in any order; equal (cell, body) are added
    /// up.
    RigidTerms(std::vector<RigidEntry<D>> entries, const std::vector<Block>& mass,
               const std::vector<RigidRow<D>>& joints = {});
    /// The general case: Mbar of size dof * bodies.
    RigidTerms(std::vector<RigidEntry<D>> entries, const Eigen::MatrixXd& mass,
               const std::vector<RigidRow<D>>& joints = {});

    [[nodiscard]] int bodies() const { return bodies_; }
    [[nodiscard]] bool empty() const { return bodies_ == 0; }
    [[nodiscard]] const std::vector<RigidEntry<D>>& entries() const { return entries_; }
    [[nodiscard]] const std::vector<RigidRun>& runs() const { return runs_; }
    /// Per brick the first of its runs, and one more at the end.
    [[nodiscard]] std::vector<std::int32_t> run_starts(std::ptrdiff_t bricks) const;
    /// Groups of bodies that Mbar or joints couple, each sorted; most have one member.
    [[nodiscard]] const std::vector<std::vector<int>>& clusters() const { return clusters_; }

    /// Mbar of a cluster, its members in order.
    [[nodiscard]] const Eigen::MatrixXd& mass(std::size_t cluster) const { return mass_[cluster]; }
    /// Whether joints hold any body.
    [[nodiscard]] bool jointed() const { return jointed_; }
    /// T of a cluster: orthonormal columns; the identity without joints.
    [[nodiscard]] const Eigen::MatrixXd& basis(std::size_t cluster) const { return basis_[cluster]; }
    /// T T^T s: the part of forces, a column each, that joints do not answer.
    [[nodiscard]] Eigen::MatrixXd allowed(const Eigen::MatrixXd& s) const;

    /// K x for x given as an array of bricks.
    template <class T>
    [[nodiscard]] Eigen::VectorXd gather(const T* x) const;
    /// y += scale * K^T s.
    template <class T>
    void scatter_add(const Eigen::VectorXd& s, double scale, T* y) const;
    /// Mbar^-1 s; with joints T (T^T Mbar T)^-1 T^T s.
    [[nodiscard]] Eigen::VectorXd solve_mass(const Eigen::VectorXd& s) const { return apply(inverse_, s); }
    /// Mbar v.
    [[nodiscard]] Eigen::VectorXd apply_mass(const Eigen::VectorXd& v) const { return apply(mass_, v); }
    /// y += K^T Mbar^-1 K x.
    void apply_add(const double* x, double* y) const { scatter_add(solve_mass(gather(x)), 1.0, y); }

    /// The same bodies with other entries (a coarser level's): Mbar is shared.
    [[nodiscard]] RigidTerms with_entries(std::vector<RigidEntry<D>> entries) const;
    /// The same bodies with more mass, a block per cluster.
    [[nodiscard]] RigidTerms with_more_mass(const std::vector<Eigen::MatrixXd>& more) const;

  private:
    void set_entries(std::vector<RigidEntry<D>> entries);
    void set_clusters(const std::vector<std::vector<int>>& clusters, std::vector<Eigen::MatrixXd> blocks,
                      const std::vector<RigidRow<D>>& joints);
    void invert_mass();
    /// A matrix per cluster times a vector.
    [[nodiscard]] Eigen::VectorXd apply(const std::vector<Eigen::MatrixXd>& blocks, const Eigen::VectorXd& s) const;

    int bodies_ = 0;
    std::vector<RigidEntry<D>> entries_;
    std::vector<RigidRun> runs_;
    std::vector<std::vector<int>> clusters_;
    std::vector<Eigen::MatrixXd> mass_, inverse_, basis_;  ///< Mbar, Mbar^-1 and T per cluster
    bool jointed_ = false;
};

}  // namespace tidelock
