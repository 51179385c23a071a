#include "coupled_test_problems.h"

#include "dense_algebra.h"

namespace tidelock {
namespace {

template <int D>
Coord<D> beside(Coord<D> c, int axis, int side) {
    c[axis] += side;
    return c;
}

/// docs/conventions.md: reads component `axis` of a body's velocity at arm r.
template <int D>
Eigen::Matrix<double, rigid_dof<D>, 1> velocity_row(const Vec<D>& r, int axis) {
    using Row = Eigen::Matrix<double, rigid_dof<D>, 1>;
    Row row = Row::Zero();
    row[axis] = 1;
    if constexpr (D == 2)
        row[2] = axis == 0 ? -r[1] : r[0];
    else
        row.template tail<3>() = r.cross(Vec3::Unit(axis));
    return row;
}

}  // namespace

template <int D>
CoupledProblem<D>::CoupledProblem(CoupledCase<D> spec) : spec_(std::move(spec)) {
    set_ = make_where<D>(lattice_for<D>(spec_.cells), [this](const Coord<D>& b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (fill(first_cell<D>(b) + local_coord<D>(i)) == fluid) return true;
        return false;
    });
    measure_bodies();
    list_faces();
}

template <int D>
PoissonOperator<D> CoupledProblem<D>::make_operator(double uniform_scale) const {
    return PoissonOperator<D>(set_, uniform_scale / spec_.fluid_density,
                              [this](std::ptrdiff_t slot, PoissonBrick<D>& out) {
                                  for (int i = 0; i < Brick<D>::cells; ++i) {
                                      const Coord<D> c = first_cell<D>(set_->brick(slot)) + local_coord<D>(i);
                                      if (fill(c) != fluid) continue;
                                      out.unknown[i] = 1;
                                      for (int a = 0; a < D; ++a)
                                          for (const int side : {-1, 1}) {
                                              const double beta = mass_of_face(c, a, side);
                                              const int other = fill(beside<D>(c, a, side));
                                              if (other == air && beta > 0) out.excess[i] += 1 / beta;
                                              if (other == fluid && side < 0 && beta > 0)
                                                  out.conductance[a][i] = 1 / beta;
                                          }
                                  }
                              });
}

template <int D>
RigidTerms<D> CoupledProblem<D>::make_bodies() const {
    return bodies() == 0 ? RigidTerms<D>() : RigidTerms<D>(entries_, lumped_mass());
}

template <int D>
Eigen::MatrixXd CoupledProblem<D>::lumped_mass() const {
    return mass + product(j.transpose() * beta_bound.asDiagonal(), j);
}

template <int D>
Eigen::VectorXd CoupledProblem<D>::solve_mass(const Eigen::VectorXd& s) const {
    return solve_llt(lumped_mass(), s);
}

template <int D>
Eigen::SparseMatrix<double> CoupledProblem<D>::laplacian() const {
    // By hand: Eigen's product with a diagonal matrix moves all entries once per column when it is stored.
    Eigen::SparseMatrix<double> scaled = g_free;
    for (int column = 0; column < scaled.outerSize(); ++column)
        for (Eigen::SparseMatrix<double>::InnerIterator it(scaled, column); it; ++it)
            it.valueRef() /= beta_free[it.row()];
    return g_free.transpose() * scaled;
}

template <int D>
Eigen::SparseMatrix<double> CoupledProblem<D>::k() const {
    const Eigen::SparseMatrix<double> rows = Eigen::MatrixXd(j.transpose()).sparseView();
    return rows * g_bound;
}

template <int D>
double CoupledProblem<D>::mass_of_face(const Coord<D>& c, int axis, int side) const {
    return spec_.fluid_density * spec_.fraction(side > 0 ? beside<D>(c, axis, 1) : c, axis);
}

/// Bodies are made of cubes.
template <int D>
void CoupledProblem<D>::measure_bodies() {
    const auto n = static_cast<std::size_t>(bodies());
    std::vector<double> count(n, 0.0);
    centre_.assign(n, Vec<D>::Zero());
    mass = Eigen::MatrixXd::Zero(bodies() * dof, bodies() * dof);
    const auto for_voxels = [&](auto&& f) {
        for (int i = 0; i < spec_.cells.prod(); ++i) {
            Coord<D> c;
            for (int a = 0, rest = i; a < D; rest /= spec_.cells[a], ++a) c[a] = rest % spec_.cells[a];
            const int b = fill(c) - body_cell(0);
            if (b >= 0 && b < bodies()) f(static_cast<std::size_t>(b), Vec<D>(c.template cast<double>().array() + 0.5));
        }
    };
    for_voxels([&](std::size_t b, const Vec<D>& x) { count[b] += 1, centre_[b] += x; });
    for (std::size_t b = 0; b < n; ++b) centre_[b] /= count[b];
    for_voxels([&](std::size_t b, const Vec<D>& x) {
        auto block = mass.block(static_cast<Eigen::Index>(b) * dof, static_cast<Eigen::Index>(b) * dof, dof, dof);
        for (int a = 0; a < D; ++a) {
            const Row row = velocity_row<D>(x - centre_[b], a);
            block += spec_.density[b] * row * row.transpose();
        }
        for (int d = D; d < dof; ++d) block(d, d) += spec_.density[b] / 6;
    });
}

template <int D>
void CoupledProblem<D>::list_faces() {
    std::vector<Eigen::Triplet<double>> free, bound;
    std::vector<double> free_mass, bound_mass;
    std::vector<Eigen::VectorXd> rows;
    for (std::ptrdiff_t s = 0; s < set_->count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(set_->brick(s)) + local_coord<D>(i);
            if (fill(c) != fluid) continue;
            for (int a = 0; a < D; ++a)
                for (const int side : {-1, 1}) {
                    const Coord<D> n = beside<D>(c, a, side);
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
                    rows.push_back(bind({c, a, side, other, beta, static_cast<std::int32_t>(s), i}));
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

template <int D>
Eigen::VectorXd CoupledProblem<D>::bind(const BoundFace& bound) {
    const auto& [cell, axis, side, other, beta, slot, local] = bound;
    std::vector<std::pair<int, double>> weights{{other - body_cell(0), 1.0}};
    if (other == shared_cell) weights = {{0, 0.3}, {1, 0.7}};
    Eigen::VectorXd row = Eigen::VectorXd::Zero(bodies() * dof);
    Vec<D> face = cell.template cast<double>().array() + 0.5;
    face[axis] += 0.5 * side;
    for (const auto& [body, weight] : weights) {
        const Row part = weight * velocity_row<D>(face - centre_[static_cast<std::size_t>(body)], axis);
        row.template segment<dof>(body * dof) = part;
        RigidEntry<D> entry{slot, local, body, {}, weight / beta};
        for (int d = 0; d < dof; ++d) entry.k[static_cast<std::size_t>(d)] = -side * part[d];
        entries_.push_back(entry);
    }
    return row;
}

template <int D>
Fraction<D> random_fraction(std::uint64_t seed) {
    return [random = Random(seed)](const Coord<D>& c, int axis) {
        return random.uniform(cell_key<D>(c), static_cast<std::uint32_t>(axis), 0.1, 1);
    };
}

template <int D>
CoupledCase<D> mixed_case(const std::vector<double>& density, double fluid_density) {
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

template class CoupledProblem<2>;
template class CoupledProblem<3>;
template Fraction<2> random_fraction<2>(std::uint64_t);
template Fraction<3> random_fraction<3>(std::uint64_t);
template CoupledCase<2> mixed_case<2>(const std::vector<double>&, double);
template CoupledCase<3> mixed_case<3>(const std::vector<double>&, double);

}  // namespace tidelock
