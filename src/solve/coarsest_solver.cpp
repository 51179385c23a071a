#include <numeric>

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
        // Coefficients are in the cycle's precision: a closed row sums to zero up to its rounding.
        if (one.dot(a * one) <= 1e-5 * diagonal / one.sum()) found.push_back(one / one.norm());
    }
    Eigen::MatrixXd vectors(n, static_cast<Eigen::Index>(found.size()));
    for (std::size_t k = 0; k < found.size(); ++k) vectors.col(static_cast<Eigen::Index>(k)) = found[k];
    return vectors;
}

}  // namespace

template <int D, class T>
CoarsestSolver<D, T>::CoarsestSolver(const StencilLevel<D, T>& level, double force_size) {
    constexpr int cells = Brick<D>::cells;
    std::vector<Eigen::Index> number(static_cast<std::size_t>(level.set->cells() + cells), -1);
    for (std::ptrdiff_t b = 0; b < level.set->count(); ++b)
        for (int i = 0; i < cells; ++i)
            if (level.inverse.data()[level.offset(b) + i] > 0) {
                number[static_cast<std::size_t>(b * cells + i)] = static_cast<Eigen::Index>(places_.size());
                places_.push_back(b * cells + i);
            }
    const auto n = static_cast<Eigen::Index>(places_.size());
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index row = 0; row < n; ++row) {
        const std::ptrdiff_t b = places_[static_cast<std::size_t>(row)] / cells;
        const int i = static_cast<int>(places_[static_cast<std::size_t>(row)] % cells);
        a(row, row) = static_cast<double>(level.diagonal_at(b, i));
        for (int axis = 0; axis < D; ++axis) {
            const auto c = static_cast<double>(level.lower_links(axis, b)[i]);
            if (!(c > 0)) continue;
            Coord<D> below = first_cell<D>(level.set->brick(b)) + local_coord<D>(i);
            --below[axis];
            const auto slot = level.set->find(brick_of<D>(below));
            const auto column = number[static_cast<std::size_t>(std::ptrdiff_t{slot} * cells + local_index<D>(below))];
            if (column >= 0) a(row, column) = a(column, row) = -c;
        }
    }
    const Eigen::MatrixXd floating = floating_constants(a);
    const double size = n > 0 ? a.diagonal().mean() : 1;
    if (level.bodies.empty()) {
        a += size * floating * floating.transpose();
    } else {
        const int rows = level.bodies.bodies() * rigid_dof<D>;
        Eigen::MatrixXd k = Eigen::MatrixXd::Zero(rows, n);
        for (const auto& e : level.bodies.entries())
            if (const auto column = number[static_cast<std::size_t>(std::ptrdiff_t{e.slot} * cells + e.local)];
                column >= 0)
                for (int d = 0; d < rigid_dof<D>; ++d)
                    k(e.body * rigid_dof<D> + d, column) += e.k[static_cast<std::size_t>(d)];
        Eigen::MatrixXd solved(rows, n);
        for (Eigen::Index j = 0; j < n; ++j) solved.col(j) = level.bodies.solve_mass(k.col(j));
        a += k.transpose() * solved;
        // Constants on which the bodies feel no net force stay free (METHODS 2.10).
        if (floating.cols() > 0) {
            const Eigen::MatrixXd force = level.bodies.allowed(k * floating);
            const Eigen::JacobiSVD<Eigen::MatrixXd> svd(force, Eigen::ComputeFullV);
            Eigen::Index rank = 0;
            while (rank < svd.singularValues().size() && svd.singularValues()[rank] > 1e-6 * force_size) ++rank;
            const Eigen::MatrixXd free = floating * svd.matrixV().rightCols(floating.cols() - rank);
            a += size * free * free.transpose();
        }
    }
    if (n > 0) factor_.compute(a);
}

template <int D, class T>
void CoarsestSolver<D, T>::solve(const T* r, T* x) const {
    if (places_.empty()) return;  // every coarse cell lost its links: the smoother owns what is left
    Eigen::VectorXd v(static_cast<Eigen::Index>(places_.size()));
    for (std::size_t i = 0; i < places_.size(); ++i)
        v[static_cast<Eigen::Index>(i)] = static_cast<double>(r[places_[i]]);
    v = factor_.solve(v);
    for (std::size_t i = 0; i < places_.size(); ++i) x[places_[i]] = static_cast<T>(v[static_cast<Eigen::Index>(i)]);
}

template class CoarsestSolver<2, float>;
template class CoarsestSolver<2, double>;
template class CoarsestSolver<3, float>;
template class CoarsestSolver<3, double>;

}  // namespace tidelock
