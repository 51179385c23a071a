/// Coupled problems from first principles: numerics/coupling 1 with explicit G, J, beta and M beside the operator and
/// the rigid terms that the solvers take. Cell size 1, so A = V = 1.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <functional>
#include <map>

#include "poisson_test_domains.h"
#include "solve/rigid_terms.h"

namespace tidelock {

/// What fills a cell: one of these, or body_cell(b).
inline constexpr int fluid = 0, wall = -1, air = -2;
inline constexpr int body_cell(int body) { return 1 + body; }
/// A cell that bodies 0 and 1 share with weights 0.3 and 0.7: its faces couple their masses (numerics/interface 1).
inline constexpr int shared_cell = 50;

template <int D>
using Fill = std::function<int(const Coord<D>&)>;
/// Fluid fraction of the dual cell of a cell's lower face; 0 closes the face.
template <int D>
using Fraction = std::function<double(const Coord<D>&, int axis)>;

template <int D>
struct CoupledCase {
    Coord<D> cells;  ///< fluid and bodies lie in [0, cells)
    Fill<D> fill;    ///< asked for cells outside as well
    Fraction<D> fraction = [](const Coord<D>&, int) { return 1.0; };
    std::vector<double> density = {};  ///< of each body
    double fluid_density = 1;
};

template <int D>
class CoupledProblem {
  public:
    static constexpr int dof = rigid_dof<D>;
    using Row = Eigen::Matrix<double, dof, 1>;

    explicit CoupledProblem(CoupledCase<D> spec);

    [[nodiscard]] const BrickSetPtr<D>& set() const { return set_; }
    [[nodiscard]] int fill(const Coord<D>& c) const { return spec_.fill(c); }
    [[nodiscard]] int bodies() const { return static_cast<int>(spec_.density.size()); }
    [[nodiscard]] Eigen::Index size() const { return set_->cells() + Brick<D>::cells; }
    /// Place of a cell in the operator's vectors.
    [[nodiscard]] Eigen::Index place(const Coord<D>& c) const {
        return Eigen::Index{set_->find(brick_of<D>(c))} * Brick<D>::cells + local_index<D>(c);
    }

    /// With another `uniform` than 1 / fluid density no brick is uniform or masked.
    [[nodiscard]] PoissonOperator<D> make_operator(double uniform_scale = 1) const;
    [[nodiscard]] RigidTerms<D> make_bodies() const;

    // The matrices of numerics/coupling 1; columns of g are places.
    Eigen::SparseMatrix<double> g_free, g_bound;
    Eigen::VectorXd beta_free, beta_bound;
    Eigen::MatrixXd j;     ///< J_c: bound faces x dof of all bodies
    Eigen::MatrixXd mass;  ///< M

    [[nodiscard]] Eigen::MatrixXd lumped_mass() const;
    /// lumped_mass()^-1 s.
    [[nodiscard]] Eigen::VectorXd solve_mass(const Eigen::VectorXd& s) const;
    /// L_N and K as matrices.
    [[nodiscard]] Eigen::SparseMatrix<double> laplacian() const;
    [[nodiscard]] Eigen::SparseMatrix<double> k() const;

  private:
    [[nodiscard]] double mass_of_face(const Coord<D>& c, int axis, int side) const;
    void measure_bodies();
    void list_faces();
    /// Between a fluid cell and a body.
    struct BoundFace {
        Coord<D> cell;
        int axis, side;
        int other;    ///< what the other cell holds
        double beta;  ///< mass of the fluid
        std::int32_t slot;
        int local;
    };
    /// The row of J_c for the face, and its entries of K and cap.
    Eigen::VectorXd bind(const BoundFace& bound);

    CoupledCase<D> spec_;
    BrickSetPtr<D> set_;
    std::vector<Vec<D>> centre_;
    std::vector<RigidEntry<D>> entries_;
};

/// True if low <= c < high on all axes, the bounds in units of `unit`.
template <int D>
bool in_box(const Coord<D>& c, const Vec<D>& unit, const Vec3& low, const Vec3& high) {
    for (int a = 0; a < D; ++a)
        if (c[a] < std::lround(low[a] * unit[a]) || c[a] >= std::lround(high[a] * unit[a])) return false;
    return true;
}

template <int D>
bool inside(const Coord<D>& c, const Coord<D>& cells) {
    return (c.array() >= 0).all() && (c.array() < cells.array()).all();
}

/// Random fractions in [0.1, 1] on all faces.
template <int D>
Fraction<D> random_fraction(std::uint64_t seed);

template <int D>
Vec<D> brick_unit() {
    Vec<D> unit;
    for (int a = 0; a < D; ++a) unit[a] = Brick<D>::size[a];
    return unit;
}

/// 4^D bricks with every kind of brick for the multigrid: the first bricks are uniform up to 2.5, walls are all around
/// except for an open part of the top, a static block and cut faces are beyond 2.5 in x and y. With densities: bodies 0
/// and 1 share a layer of cells, bodies 2 and 3 face each other across one cell of fluid.
template <int D>
CoupledCase<D> mixed_case(const std::vector<double>& density, double fluid_density = 1);

}  // namespace tidelock
