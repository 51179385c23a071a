/// Coupled problems from first principles: METHODS 2.3 with explicit G, J, beta and M beside the operator and the rigid
/// terms that the solvers take. Cell size 1, so A = V = 1.
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
/// A cell that bodies 0 and 1 share with weights 0.3 and 0.7: its faces couple their masses (METHODS 2.1).
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

    explicit CoupledProblem(CoupledCase<D> spec) : spec_(std::move(spec)) {
        set_ = make_where<D>(lattice_for<D>(spec_.cells), [this](const Coord<D>& b) {
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (fill(first_cell<D>(b) + local_coord<D>(i)) == fluid) return true;
            return false;
        });
        measure_bodies();
        list_faces();
    }

    [[nodiscard]] const BrickSetPtr<D>& set() const { return set_; }
    [[nodiscard]] int fill(const Coord<D>& c) const { return spec_.fill(c); }
    [[nodiscard]] int bodies() const { return static_cast<int>(spec_.density.size()); }
    [[nodiscard]] Eigen::Index size() const { return set_->cells() + Brick<D>::cells; }
    /// Place of a cell in the operator's vectors.
    [[nodiscard]] Eigen::Index place(const Coord<D>& c) const {
        return Eigen::Index{set_->find(brick_of<D>(c))} * Brick<D>::cells + local_index<D>(c);
    }

    /// With another `uniform` than 1 / fluid density no brick is uniform or masked.
    [[nodiscard]] PoissonOperator<D> make_operator(double uniform_scale = 1) const {
        return PoissonOperator<D>(set_, uniform_scale / spec_.fluid_density,
                                  [this](std::ptrdiff_t slot, PoissonBrick<D>& out) {
                                      for (int i = 0; i < Brick<D>::cells; ++i) {
                                          const Coord<D> c = first_cell<D>(set_->brick(slot)) + local_coord<D>(i);
                                          if (fill(c) != fluid) continue;
                                          out.unknown[i] = 1;
                                          for (int a = 0; a < D; ++a)
                                              for (const int side : {-1, 1}) {
                                                  const double beta = mass_of_face(c, a, side);
                                                  const int other = fill(beside(c, a, side));
                                                  if (other == air && beta > 0) out.excess[i] += 1 / beta;
                                                  if (other == fluid && side < 0 && beta > 0)
                                                      out.conductance[a][i] = 1 / beta;
                                              }
                                      }
                                  });
    }
    [[nodiscard]] RigidTerms<D> make_bodies() const {
        return bodies() == 0 ? RigidTerms<D>() : RigidTerms<D>(entries_, lumped_mass());
    }

    // The matrices of METHODS 2.3; columns of g are places.
    Eigen::SparseMatrix<double> g_free, g_bound;
    Eigen::VectorXd beta_free, beta_bound;
    Eigen::MatrixXd j;     ///< J_c: bound faces x dof of all bodies
    Eigen::MatrixXd mass;  ///< M

    [[nodiscard]] Eigen::MatrixXd lumped_mass() const {
        return mass + Eigen::MatrixXd(j.transpose() * beta_bound.asDiagonal() * j);
    }
    /// L_N and K as matrices.
    [[nodiscard]] Eigen::SparseMatrix<double> laplacian() const {
        // By hand: Eigen's product with a diagonal matrix moves all entries once per column when it is stored.
        Eigen::SparseMatrix<double> scaled = g_free;
        for (int column = 0; column < scaled.outerSize(); ++column)
            for (Eigen::SparseMatrix<double>::InnerIterator it(scaled, column); it; ++it)
                it.valueRef() /= beta_free[it.row()];
        return g_free.transpose() * scaled;
    }
    [[nodiscard]] Eigen::SparseMatrix<double> k() const {
        const Eigen::SparseMatrix<double> rows = Eigen::MatrixXd(j.transpose()).sparseView();
        return rows * g_bound;
    }

  private:
    static Coord<D> beside(Coord<D> c, int axis, int side) {
        c[axis] += side;
        return c;
    }
    [[nodiscard]] double mass_of_face(const Coord<D>& c, int axis, int side) const {
        return spec_.fluid_density * spec_.fraction(side > 0 ? beside(c, axis, 1) : c, axis);
    }
    /// METHODS 0.5: reads component `axis` of a body's velocity at arm r.
    static Row velocity_row(const Vec<D>& r, int axis) {
        Row row = Row::Zero();
        row[axis] = 1;
        if constexpr (D == 2)
            row[2] = axis == 0 ? -r[1] : r[0];
        else
            row.template tail<3>() = r.cross(Vec3::Unit(axis));
        return row;
    }

    /// Bodies are made of cubes.
    void measure_bodies() {
        const auto n = static_cast<std::size_t>(bodies());
        std::vector<double> count(n, 0.0);
        centre_.assign(n, Vec<D>::Zero());
        mass = Eigen::MatrixXd::Zero(bodies() * dof, bodies() * dof);
        const auto for_voxels = [&](auto&& f) {
            for (int i = 0; i < spec_.cells.prod(); ++i) {
                Coord<D> c;
                for (int a = 0, rest = i; a < D; rest /= spec_.cells[a], ++a) c[a] = rest % spec_.cells[a];
                const int b = fill(c) - body_cell(0);
                if (b >= 0 && b < bodies())
                    f(static_cast<std::size_t>(b), Vec<D>(c.template cast<double>().array() + 0.5));
            }
        };
        for_voxels([&](std::size_t b, const Vec<D>& x) { count[b] += 1, centre_[b] += x; });
        for (std::size_t b = 0; b < n; ++b) centre_[b] /= count[b];
        for_voxels([&](std::size_t b, const Vec<D>& x) {
            auto block = mass.block(static_cast<Eigen::Index>(b) * dof, static_cast<Eigen::Index>(b) * dof, dof, dof);
            for (int a = 0; a < D; ++a) {
                const Row row = velocity_row(x - centre_[b], a);
                block += spec_.density[b] * row * row.transpose();
            }
            for (int d = D; d < dof; ++d) block(d, d) += spec_.density[b] / 6;
        });
    }

    void list_faces() {
        std::vector<Eigen::Triplet<double>> free, bound;
        std::vector<double> free_mass, bound_mass;
        std::vector<Eigen::VectorXd> rows;
        for (std::ptrdiff_t s = 0; s < set_->count(); ++s)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> c = first_cell<D>(set_->brick(s)) + local_coord<D>(i);
                if (fill(c) != fluid) continue;
                for (int a = 0; a < D; ++a)
                    for (const int side : {-1, 1}) {
                        const Coord<D> n = beside(c, a, side);
                        const int other = fill(n);
                        const double beta = mass_of_face(c, a, side);
                        if (other == wall || !(beta > 0) || (other == fluid && side > 0)) continue;
                        const auto column = static_cast<int>(place(c));
                        if (other == fluid || other == air) {
                            const auto face = static_cast<int>(free_mass.size());
                            free.emplace_back(face, column, -side);
                            if (other == fluid) free.emplace_back(face, static_cast<int>(place(n)), side);
                            free_mass.push_back(beta);
                            continue;
                        }
                        bound.emplace_back(static_cast<int>(bound_mass.size()), column, -side);
                        bound_mass.push_back(beta);
                        rows.push_back(bind(c, a, side, other, beta, static_cast<std::int32_t>(s), i));
                    }
            }
        const auto matrix = [&](const auto& entries, std::size_t faces) {
            Eigen::SparseMatrix<double> g(static_cast<Eigen::Index>(faces), size());
            g.setFromTriplets(entries.begin(), entries.end());
            return g;
        };
        g_free = matrix(free, free_mass.size());
        g_bound = matrix(bound, bound_mass.size());
        beta_free = Eigen::Map<Eigen::VectorXd>(free_mass.data(), static_cast<Eigen::Index>(free_mass.size()));
        beta_bound = Eigen::Map<Eigen::VectorXd>(bound_mass.data(), static_cast<Eigen::Index>(bound_mass.size()));
        j = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), bodies() * dof);
        for (std::size_t r = 0; r < rows.size(); ++r) j.row(static_cast<Eigen::Index>(r)) = rows[r];
    }

    /// The row of J_c for a face between a fluid cell and a body, and its entries of K and cap.
    Eigen::VectorXd bind(const Coord<D>& c, int axis, int side, int other, double beta, std::int32_t slot, int local) {
        std::vector<std::pair<int, double>> weights{{other - body_cell(0), 1.0}};
        if (other == shared_cell) weights = {{0, 0.3}, {1, 0.7}};
        Eigen::VectorXd row = Eigen::VectorXd::Zero(bodies() * dof);
        Vec<D> face = c.template cast<double>().array() + 0.5;
        face[axis] += 0.5 * side;
        for (const auto& [body, weight] : weights) {
            const Row part = weight * velocity_row(face - centre_[static_cast<std::size_t>(body)], axis);
            row.template segment<dof>(body * dof) = part;
            RigidEntry<D> entry{slot, local, body, {}, weight / beta};
            for (int d = 0; d < dof; ++d) entry.k[static_cast<std::size_t>(d)] = -side * part[d];
            entries_.push_back(entry);
        }
        return row;
    }

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
Fraction<D> random_fraction(std::uint64_t seed) {
    return [random = Random(seed)](const Coord<D>& c, int axis) {
        return random.uniform(cell_key<D>(c), static_cast<std::uint32_t>(axis), 0.1, 1);
    };
}

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
CoupledCase<D> mixed_case(const std::vector<double>& density, double fluid_density = 1) {
    const Vec<D> unit = brick_unit<D>();
    const Coord<D> cells = (4 * unit.array() - 3).template cast<int>();  // no multiple of a brick
    const bool dynamic = !density.empty();
    const double cell = 1 / unit[0];
    const auto fill = [=](const Coord<D>& c) {
        if (!inside<D>(c, cells)) return c[1] >= cells[1] && c[0] < 2 * unit[0] ? air : wall;
        if (in_box<D>(c, unit, {2.8, 2.8, 0.4}, {3.2, 3.3, 3})) return wall;
        if (!dynamic) return fluid;
        if (in_box<D>(c, unit, {2.6, 0.6, 0.8}, {3.1, 1.2, 1.8})) return body_cell(0);
        if (in_box<D>(c, unit, {3.1, 0.6, 0.8}, {3.1 + cell, 1.2, 1.8})) return shared_cell;
        if (in_box<D>(c, unit, {3.1 + cell, 0.6, 0.8}, {3.6, 1.2, 1.8})) return body_cell(1);
        if (in_box<D>(c, unit, {0.5, 2.7, 0.8}, {1.1, 3.3, 1.8})) return body_cell(2);
        if (in_box<D>(c, unit, {1.1 + cell, 2.7, 0.8}, {1.6, 3.3, 1.8})) return body_cell(3);
        return fluid;
    };
    const Random random(77);
    const auto fraction = [=](const Coord<D>& c, int axis) {
        const bool cut = c[0] >= 2.6 * unit[0] && c[1] >= 2.6 * unit[1];
        return cut ? random.uniform(cell_key<D>(c), static_cast<std::uint32_t>(axis), 0.1, 1) : 1.0;
    };
    return {cells, fill, fraction, density, fluid_density};
}

}  // namespace tidelock
