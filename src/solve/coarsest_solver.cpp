#include "base/dense.h"
#include "grid/neighbour_cell.h"
#include "solve/colour_order.h"
#include "solve/multigrid.h"

namespace tidelock {
namespace {

/// Indicator vectors of the connected components of L_N that have no link to a known value.
Eigen::MatrixXd floating_constants(const Eigen::MatrixXd& a) {
    const Eigen::Index n = a.rows();
    std::vector<int> label(static_cast<std::size_t>(n), -1);
    std::vector<Eigen::VectorXd> found;
    for (Eigen::Index seed = 0; seed < n; ++seed) {
        if (label[static_cast<std::size_t>(seed)] >= 0) continue;
        Eigen::VectorXd one = Eigen::VectorXd::Zero(n);
        std::vector<Eigen::Index> stack{seed};
        label[static_cast<std::size_t>(seed)] = 0;
        double diagonal = 0;
        while (!stack.empty()) {
            const auto i = stack.back();
            stack.pop_back();
            one[i] = 1;
            diagonal += a(i, i);
            for (Eigen::Index j = 0; j < n; ++j)
                if (a(i, j) < 0 && label[static_cast<std::size_t>(j)] < 0)
                    label[static_cast<std::size_t>(j)] = 0, stack.push_back(j);
        }
        // Rows of a closed component sum to zero; with groups up to the rounding of the excess that their links are in.
        if (one.dot(a * one) <= 1e-5 * diagonal / one.sum()) found.emplace_back(one / one.norm());
    }
    Eigen::MatrixXd vectors(n, static_cast<Eigen::Index>(found.size()));
    for (std::size_t k = 0; k < found.size(); ++k) vectors.col(static_cast<Eigen::Index>(k)) = found[k];
    return vectors;
}

}  // namespace

template <int D, class T>
CoarsestSolver<D, T>::CoarsestSolver(const StencilLevel<D, T>& level, double force) {
    number_unknowns(level);
    if (unknowns_ == 0) return;
    set_matrix(level, force);
    // The vectors to come are in colour order.
    std::vector<Eigen::Index> natural(number_.size());
    std::swap(natural, number_);
    for (std::size_t i = 0; i < natural.size(); ++i)
        number_[static_cast<std::size_t>(colour_order<D>(static_cast<std::ptrdiff_t>(i)))] = natural[i];
    for (auto& place : places_) place = colour_order<D>(place);
}

template <int D, class T>
void CoarsestSolver<D, T>::set_matrix(const StencilLevel<D, T>& level, double force) {
    Eigen::MatrixXd a = cell_matrix(level);
    add_groups(level, a);
    const Eigen::MatrixXd floating = floating_constants(a);
    if (level.bodies.empty())
        a += product(a.diagonal().mean() * floating, floating.transpose());
    else
        add_bodies(level, force, floating, a);
    factor_ = cholesky(a);
}

template <int D, class T>
void CoarsestSolver<D, T>::number_unknowns(const StencilLevel<D, T>& level) {
    constexpr int cells = Brick<D>::cells;
    number_.assign(static_cast<std::size_t>(level.set->cells() + cells), -1);
    for (std::ptrdiff_t b = 0; b < level.set->count(); ++b)
        for (int i = 0; i < cells; ++i)
            if (level.inverse.data()[level.offset(b) + i] > 0) {
                number_[static_cast<std::size_t>(b * cells + i)] = static_cast<Eigen::Index>(places_.size());
                places_.push_back(b * cells + i);
            }
    unknowns_ = static_cast<Eigen::Index>(places_.size());
    for (Eigen::Index g = 0; g < level.groups.size(); ++g)
        group_number_.push_back(level.groups.force(g).nonZeros() > 0 ? unknowns_++ : -1);
}

/// L_N of the cells, and zeros for the groups. Diagonals are summed up here: 1 / inverse is rounded, and whether a row
/// sums to zero is asked later.
template <int D, class T>
Eigen::MatrixXd CoarsestSolver<D, T>::cell_matrix(const StencilLevel<D, T>& level) const {
    constexpr int cells = Brick<D>::cells;
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(unknowns_, unknowns_);
    for (std::size_t row = 0; row < places_.size(); ++row) {
        const auto r = static_cast<Eigen::Index>(row);
        const std::ptrdiff_t b = places_[row] / cells;
        const int i = static_cast<int>(places_[row] % cells);
        a(r, r) += static_cast<double>(level.excess.data()[level.offset(b) + i]);
        for (int axis = 0; axis < D; ++axis) {
            const auto c = static_cast<double>(level.lower_links(axis, b)[i]);
            if (!(c > 0)) continue;
            const auto [slot, local] = neighbour_cell<D>(*level.set, b, i, axis, -1);
            const auto column = number_[static_cast<std::size_t>(std::ptrdiff_t{slot} * cells + local)];
            a(r, r) += c;
            if (column >= 0) a(column, column) += c, a(r, column) = a(column, r) = -c;
        }
    }
    return a;
}

/// Groups that bodies touch get rows of their own, the others' are eliminated: A -= C^T D^-1 C.
template <int D, class T>
void CoarsestSolver<D, T>::add_groups(const StencilLevel<D, T>& level, Eigen::MatrixXd& a) const {
    std::vector<std::vector<GroupLink>> eliminated(group_number_.size());
    for (const GroupLink& link : level.groups.links()) {
        const auto cell = number_[static_cast<std::size_t>(link.cell)];
        const auto group = group_number_[static_cast<std::size_t>(link.group)];
        if (group >= 0)
            a(cell, group) = a(group, cell) = -link.conductance;
        else
            eliminated[static_cast<std::size_t>(link.group)].push_back({cell, link.group, link.conductance});
    }
    for (std::size_t g = 0; g < group_number_.size(); ++g) {
        const double diagonal = level.groups.diagonal(static_cast<Eigen::Index>(g));
        if (group_number_[g] >= 0) a(group_number_[g], group_number_[g]) = diagonal;
        for (const GroupLink& p : eliminated[g])
            for (const GroupLink& q : eliminated[g]) a(p.cell, q.cell) -= p.conductance * q.conductance / diagonal;
    }
}

/// A += K^T Mbar^-1 K. Constants on which the bodies feel no net force stay free (numerics/coupling 5).
template <int D, class T>
void CoarsestSolver<D, T>::add_bodies(const StencilLevel<D, T>& level, double force_size,
                                      const Eigen::MatrixXd& floating, Eigen::MatrixXd& a) {
    const double size = a.diagonal().mean();
    const int rows = level.bodies.bodies() * rigid_dof<D>;
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(rows, unknowns_);
    for (const auto& e : level.bodies.entries())
        if (const auto column = number_[static_cast<std::size_t>(std::ptrdiff_t{e.slot} * Brick<D>::cells + e.local)];
            column >= 0)
            for (int d = 0; d < rigid_dof<D>; ++d)
                k(e.body * rigid_dof<D> + d, column) += e.k[static_cast<std::size_t>(d)];
    for (std::size_t g = 0; g < group_number_.size(); ++g)
        if (group_number_[g] >= 0) k.col(group_number_[g]) = level.groups.force(static_cast<Eigen::Index>(g));
    Eigen::MatrixXd solved(rows, unknowns_);
    for (Eigen::Index j = 0; j < unknowns_; ++j) solved.col(j) = level.bodies.solve_mass(k.col(j));
    a += transposed_product(k, solved);
    answer_ = std::move(solved);
    if (floating.cols() == 0) return;
    const Eigen::MatrixXd force = level.bodies.allowed(product(k, floating));
    const auto [values, v] = right_singular_vectors(force);
    Eigen::Index rank = 0;
    while (rank < values.size() && values[rank] > 1e-6 * force_size) ++rank;
    const Eigen::MatrixXd free = product(floating, v.rightCols(floating.cols() - rank));
    a += product(size * free, free.transpose());
}

template <int D, class T>
void CoarsestSolver<D, T>::solve(const T* r, T* x, GroupUnknowns<D, T>& groups, Eigen::VectorXd& y) const {
    groups.z.setZero();
    y.setZero();
    if (unknowns_ == 0) return;  // every coarse cell lost its links: the smoother owns what is left
    Eigen::VectorXd v(unknowns_);
    for (std::size_t i = 0; i < places_.size(); ++i)
        v[static_cast<Eigen::Index>(i)] = static_cast<double>(r[places_[i]]);
    for (std::size_t g = 0; g < group_number_.size(); ++g)
        if (group_number_[g] >= 0) v[group_number_[g]] = groups.s[static_cast<Eigen::Index>(g)];
    for (const GroupLink& link : groups.links())
        if (group_number_[static_cast<std::size_t>(link.group)] < 0)
            v[number_[static_cast<std::size_t>(link.cell)]] +=
                link.conductance / groups.diagonal(link.group) * groups.s[link.group];
    v = factor_.solve(v);
    if (answer_.size() > 0) y = answer_ * v;
    for (std::size_t i = 0; i < places_.size(); ++i) x[places_[i]] = static_cast<T>(v[static_cast<Eigen::Index>(i)]);
    for (Eigen::Index g = 0; g < groups.size(); ++g) {
        const auto own = group_number_[static_cast<std::size_t>(g)];
        if (own >= 0)
            groups.z[g] = v[own];
        else if (groups.diagonal(g) > 0)
            groups.z[g] = groups.s[g] / groups.diagonal(g);
    }
    for (const GroupLink& link : groups.links())
        if (group_number_[static_cast<std::size_t>(link.group)] < 0)
            groups.z[link.group] +=
                link.conductance / groups.diagonal(link.group) * v[number_[static_cast<std::size_t>(link.cell)]];
}

template class CoarsestSolver<2, float>;
template class CoarsestSolver<2, double>;
template class CoarsestSolver<3, float>;
template class CoarsestSolver<3, double>;

}  // namespace tidelock
