/// Operators for the solver tests: awkward sparse domains, and their matrices.
#pragma once

#include <Eigen/Sparse>
#include <vector>

#include "base/random.h"
#include "solve/poisson_operator.h"

namespace tidelock {

template <int D>
std::uint64_t cell_key(const Coord<D>& c) {
    std::uint64_t key = 0;
    for (int a = 0; a < D; ++a) key = key * 8192 + static_cast<std::uint64_t>(c[a] + 1);
    return key;
}

/// A random cut domain: bricks missing, a fifth of the cells without an unknown, faces closed, partly open or open (not
/// partly in two thirds of the bricks), some excess (none if !with_excess); bricks with all coordinates in [1, 3) are
/// clean, so that those whose upper neighbours are present are uniform.
template <int D>
PoissonOperator<D> random_domain(const Coord<D>& lattice, std::uint64_t seed, bool with_excess,
                                 double brick_share = 0.8);

/// The operator's matrix on all cells of the active bricks, from its coefficients alone; rows without an unknown are
/// empty.
template <int D>
Eigen::SparseMatrix<double> assemble(const PoissonOperator<D>& op);

/// Random values on the unknowns, zero elsewhere.
template <int D>
std::vector<double> random_values(const PoissonOperator<D>& op, std::uint64_t seed);

/// A box of cells, all of them unknowns, walls closed; the faces on the upper y side open to p = 0 if `open_top`.
template <int D>
PoissonOperator<D> box_domain(const Coord<D>& cells, bool open_top);

/// The largest eigenvalue of P A, by the power method in the inner product of A; apply(x, out) and precondition(x, out)
/// are A and P.
template <class Apply, class Precondition>
double largest_eigenvalue(const Apply& apply, const Precondition& precondition, Eigen::VectorXd x, int rounds) {
    Eigen::VectorXd ax = Eigen::VectorXd::Zero(x.size()), pax(x.size());
    double value = 0;
    for (int i = 0; i < rounds; ++i) {
        apply(x.data(), ax.data());
        precondition(ax.data(), pax.data());
        value = ax.dot(pax) / x.dot(ax);
        x = pax / pax.norm();
    }
    return value;
}

}  // namespace tidelock
