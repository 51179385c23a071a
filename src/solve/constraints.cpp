#include "solve/constraints.h"

namespace tidelock {

template <int D>
std::ptrdiff_t Constraints<D>::cell(const Constraint& c) {
    return std::ptrdiff_t{c.slot} * Brick<D>::cells + c.local;
}

template <int D>
Eigen::VectorXd Constraints<D>::to_bodies(const double* lambda) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(dof * bodies.bodies());
    for (std::size_t i = 0; i < list.size(); ++i)
        for (auto n = list[i].first; n < list[i].first + list[i].count; ++n) {
            const auto& part = parts[static_cast<std::size_t>(n)];
            for (int d = 0; d < dof; ++d) out[dof * part.body + d] += part.row[static_cast<std::size_t>(d)] * lambda[i];
        }
    return out;
}

template <int D>
double Constraints<D>::from_bodies(const Constraint& c, const Eigen::VectorXd& twists) const {
    double sum = 0;
    for (auto n = c.first; n < c.first + c.count; ++n) {
        const auto& part = parts[static_cast<std::size_t>(n)];
        for (int d = 0; d < dof; ++d) sum += part.row[static_cast<std::size_t>(d)] * twists[dof * part.body + d];
    }
    return sum;
}

template <int D>
void Constraints<D>::add_stiffness(double* diagonal) const {
    for (const Constraint& c : list) diagonal[cell(c)] += c.stiffness;
}

template <int D>
void Constraints<D>::add_a12(const double* lambda, double* cells) const {
    for (std::size_t i = 0; i < list.size(); ++i) cells[cell(list[i])] -= list[i].side * list[i].stiffness * lambda[i];
}

template <int D>
void Constraints<D>::a21(const double* p, double* out) const {
    for (std::size_t i = 0; i < list.size(); ++i) out[i] = -list[i].side * list[i].stiffness * p[cell(list[i])];
}

template <int D>
void Constraints<D>::a22(const double* lambda, double* out) const {
    const Eigen::VectorXd twists = bodies.solve_mass(to_bodies(lambda));
    for (std::size_t i = 0; i < list.size(); ++i) out[i] = list[i].stiffness * lambda[i] + from_bodies(list[i], twists);
}

template <int D>
std::vector<double> Constraints<D>::a22_diagonal() const {
    const Eigen::Index unknowns = dof * bodies.bodies();
    // The diagonal blocks of M^-1 do for constraints of one body.
    std::vector<Eigen::Matrix<double, dof, dof>> inverse(static_cast<std::size_t>(bodies.bodies()));
    for (int b = 0; b < bodies.bodies(); ++b)
        for (int d = 0; d < dof; ++d)
            inverse[static_cast<std::size_t>(b)].col(d) =
                bodies.solve_mass(Eigen::VectorXd::Unit(unknowns, dof * b + d)).template segment<dof>(dof * b);
    std::vector<double> diagonal(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Constraint& c = list[i];
        diagonal[i] = c.stiffness;
        if (c.count == 1) {
            const auto& part = parts[static_cast<std::size_t>(c.first)];
            const Eigen::Map<const Eigen::Matrix<double, dof, 1>> j(part.row.data());
            diagonal[i] += j.dot(inverse[static_cast<std::size_t>(part.body)] * j);
            continue;
        }
        // Bodies that share a face may be coupled by M as well, through fluid between them.
        Eigen::VectorXd row = Eigen::VectorXd::Zero(unknowns);
        for (auto n = c.first; n < c.first + c.count; ++n)
            for (int d = 0; d < dof; ++d)
                row[dof * parts[static_cast<std::size_t>(n)].body + d] +=
                    parts[static_cast<std::size_t>(n)].row[static_cast<std::size_t>(d)];
        diagonal[i] += row.dot(bodies.solve_mass(row));
    }
    return diagonal;
}

template <int D>
void Constraints<D>::solve_a22(const RigidTerms<D>& lumped, const double* r, double* out) const {
    // With b = 1 / c: A22^-1 = b - b (area W J) Mbar^-1 (area W J)^T b.
    for (std::size_t i = 0; i < list.size(); ++i) out[i] = r[i] / list[i].stiffness;
    const Eigen::VectorXd twists = lumped.solve_mass(to_bodies(out));
    for (std::size_t i = 0; i < list.size(); ++i) out[i] -= from_bodies(list[i], twists) / list[i].stiffness;
}

template struct Constraints<2>;
template struct Constraints<3>;

}  // namespace tidelock
