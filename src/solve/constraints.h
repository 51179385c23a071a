/// The coupled system in pressures and constraint impulses, before its Schur complement is taken.
///
/// Source   [A18] eq. (17), with its blocks named as in section 3:
///            A11 = G^T beta^-1 G          A12 = -G^T beta^-1 W^T = A21^T
///            A22 = W beta^-1 W^T + W J M^-1 J^T W^T
///          A11 is L_N with the bodies' closed faces open to p = 0 (numerics/coupling 4); A22^-1 by Woodbury
///          (numerics/coupling 2).
/// Units    lambda is kept as a pressure, impulse over the face's area: then p and lambda have entries of one size, and
///          what a solver does to the system does not depend on the size of the cells.
/// Symbols  stiffness c = area^2 / beta, the conductance of a constrained face; row  area W J, a body's column of K.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <vector>

#include "solve/coupled_solver.h"

namespace tidelock {

/// One fluid side of a face that a dynamic body closes.
struct Constraint {
    std::int32_t slot = 0, local = 0;   ///< the cell with the pressure
    double side = 0;                    ///< +1: the cell is above the face, -1: below
    double stiffness = 0;               ///< area^2 over the fluid mass that moves with the face, > 0
    std::int32_t first = 0, count = 0;  ///< its parts
};

/// A body's part in a constraint.
template <int D>
struct ConstraintPart {
    std::int32_t body = 0;
    std::array<double, rigid_dof<D>> row{};  ///< area times share times the row of J
};

template <int D>
struct Constraints {
    static constexpr int dof = rigid_dof<D>;

    std::vector<Constraint> list;
    std::vector<ConstraintPart<D>> parts;
    RigidTerms<D> bodies;        ///< knows M of the bodies, the fluid that is enclosed in them included; no entries
    std::vector<Coord<D>> held;  ///< cells across faces whose value is known: bodies, open sides

    [[nodiscard]] std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(list.size()); }
    /// Place of a constraint's pressure in a vector of cells.
    [[nodiscard]] static std::ptrdiff_t cell(const Constraint& c);

    /// Added to L_N's diagonal it gives A11; `diagonal` has the length of a vector of cells.
    void add_stiffness(double* diagonal) const;
    /// Adds A12 lambda to a vector of cells: -G^T beta^-1 W^T of [A18] eq. (17).
    void add_a12(const double* lambda, double* cells) const;
    /// A21 p.
    void a21(const double* p, double* out) const;
    /// A22 lambda = (W beta^-1 W^T + W J M^-1 J^T W^T) lambda, below [A18] eq. (17).
    void a22(const double* lambda, double* out) const;
    [[nodiscard]] std::vector<double> a22_diagonal() const;
    /// A22^-1 r; `lumped` knows Mbar.
    void solve_a22(const RigidTerms<D>& lumped, const double* r, double* out) const;

  private:
    [[nodiscard]] Eigen::VectorXd to_bodies(const double* lambda) const;
    [[nodiscard]] double from_bodies(const Constraint& c, const Eigen::VectorXd& twists) const;
};

}  // namespace tidelock
