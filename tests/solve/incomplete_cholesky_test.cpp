#include "solve/incomplete_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/error.h"
#include "dimensions.h"
#include "poisson_test_domains.h"
#include "solve/krylov.h"
#include "solve/vector_ops.h"

namespace tidelock {
namespace {

template <class T>
class IncompleteCholeskys : public testing::Test {};
TYPED_TEST_SUITE(IncompleteCholeskys, Dimensions);

/// Textbook Cholesky that drops what falls outside the matrix's own pattern (and takes tau of it off both diagonals),
/// over the unknowns in lexicographic order of *cells*; returns the pivots e_i.
std::vector<double> dense_pivots(Eigen::MatrixXd a, double tau) {
    const auto n = a.rows();
    const Eigen::MatrixXd pattern = a;
    for (Eigen::Index k = 0; k < n; ++k)
        for (Eigen::Index i = k + 1; i < n; ++i) {
            if (pattern(i, k) == 0) continue;
            for (Eigen::Index j = k + 1; j <= i; ++j) {
                if (pattern(j, k) == 0) continue;
                const double update = a(i, k) * a(j, k) / a(k, k);
                if (pattern(i, j) != 0)
                    a(i, j) -= update;
                else
                    a(i, i) -= tau * update, a(j, j) -= tau * update;
            }
        }
    const Eigen::VectorXd d = a.diagonal();
    return {d.begin(), d.end()};
}

TYPED_TEST(IncompleteCholeskys, FactorIsTheDenseOneOfTheSamePattern) {
    constexpr int D = TypeParam::value;
    Coord<D> lattice = Coord<D>::Ones();
    lattice[0] = 2;
    const auto op = random_domain<D>(lattice, 5, true);
    const auto matrix = assemble(op);
    std::vector<std::pair<std::uint64_t, int>>
        order;  // cells in lexicographic order, x fastest, against our brick order
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (!op.unknown(b)[i]) continue;
            const Coord<D> c = (first_cell<D>(op.set().brick(b)) + local_coord<D>(i)).reverse();
            order.emplace_back(cell_key<D>(c), static_cast<int>(b * Brick<D>::cells + i));
        }
    std::sort(order.begin(), order.end());
    const auto n = static_cast<Eigen::Index>(order.size());
    Eigen::MatrixXd a(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
            a(i, j) =
                matrix.coeff(order[static_cast<std::size_t>(i)].second, order[static_cast<std::size_t>(j)].second);
    // Something on every diagonal keeps closed pockets regular, which sigma would otherwise have to catch.
    const std::vector<double> extra(static_cast<std::size_t>(op.size()), 0.1);
    a.diagonal().array() += 0.1;
    for (const double tau : {0.0, 0.97}) {
        const auto expected = dense_pivots(a, tau);
        const IncompleteCholesky<D> ic(op, {.modified = tau > 0, .tau = tau, .sigma = 0}, extra.data());
        for (std::size_t i = 0; i < order.size(); ++i)
            EXPECT_NEAR(1 / ic.inverse_pivots()[order[i].second], expected[i], 1e-11) << i;
    }
}

TYPED_TEST(IncompleteCholeskys, AppliesItsFactorAndIsSymmetricPositive) {
    constexpr int D = TypeParam::value;
    const auto op = random_domain<D>(Coord<D>::Constant(4), 6, true, 0.7);
    const IncompleteCholesky<D> ic(op);
    const auto n = op.size();
    const auto x = random_values(op, 1), y = random_values(op, 2);
    std::vector<double> mx(x.size(), 7.0), my(x.size(), 7.0);
    ic.apply(x.data(), mx.data());
    ic.apply(y.data(), my.data());
    EXPECT_NEAR(dot(n, x.data(), my.data()), dot(n, y.data(), mx.data()),
                1e-12 * norm(n, x.data()) * norm(n, my.data()));
    EXPECT_GT(dot(n, x.data(), mx.data()), 0);
    // M mx = x with M = (E + L) E^-1 (E + L^T) from the assembled matrix.
    const auto cells = op.set().cells();
    const Eigen::SparseMatrix<double> a = assemble(op), lower = a.template triangularView<Eigen::StrictlyLower>();
    Eigen::VectorXd e(cells);
    for (std::ptrdiff_t i = 0; i < cells; ++i) e[i] = ic.inverse_pivots()[i] > 0 ? 1 / ic.inverse_pivots()[i] : 0;
    const Eigen::Map<const Eigen::VectorXd> z(mx.data(), cells), r(x.data(), cells),
        inverse(ic.inverse_pivots(), cells);
    const Eigen::VectorXd half = inverse.cwiseProduct(e.cwiseProduct(z) + lower.transpose() * z);
    const Eigen::VectorXd back = e.cwiseProduct(half) + lower * half;
    EXPECT_LE((back - r).norm(), 1e-12 * r.norm());
}

TYPED_TEST(IncompleteCholeskys, ExtraDiagonalEntersThePivots) {
    constexpr int D = TypeParam::value;
    const auto op = box_domain<D>(Coord<D>::Constant(8), false);
    std::vector<double> extra(static_cast<std::size_t>(op.size()), 0.0);
    extra[0] = 5;
    const IncompleteCholesky<D> ic(op, {}, extra.data());
    EXPECT_DOUBLE_EQ(ic.inverse_pivots()[0], 1.0 / (D + 5));
}

Projector remove_mean(const PoissonOperator<2>& op) {
    return [&op](double* v) {
        double sum = 0;
        for (std::ptrdiff_t i = 0; i < op.set().cells(); ++i) sum += v[i];
        for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
            for (int i = 0; i < Brick<2>::cells; ++i)
                v[b * Brick<2>::cells + i] -= op.unknown(b)[i] * sum / static_cast<double>(op.unknowns());
    };
}

TEST(IncompleteCholesky, SavesIterations) {
    for (const bool open : {true, false}) {
        const auto op = box_domain<2>({64, 64}, open);
        const IncompleteCholesky<2> modified(op), plain(op, {.modified = false});
        const auto b = random_values(op, 3);
        LinearSystem system{.size = op.size(),
                            .apply = [&](const double* in, double* out) { op.apply(in, out); },
                            .precondition = {},
                            .project = {}};
        if (!open) system.project = remove_mean(op);
        const auto iterations = [&] {
            std::vector<double> x(b.size(), 0.0);
            const auto report =
                conjugate_gradients(system, b.data(), x.data(), {.tolerance = 1e-8, .max_iterations = 2000});
            EXPECT_TRUE(report.converged());
            return report.iterations;
        };
        const int none = iterations();
        system.precondition = [&](const double* in, double* out) { plain.apply(in, out); };
        const int ic = iterations();
        system.precondition = [&](const double* in, double* out) { modified.apply(in, out); };
        const int mic = iterations();
        EXPECT_GE(none, 3 * mic) << none << " " << ic << " " << mic;
        EXPECT_GE(none, 2 * ic) << none << " " << ic;
        EXPECT_GT(ic, mic);
    }
}

TEST(IncompleteCholesky, BearsChainsWithoutFill) {
    // A closed line of cells: exact Cholesky, whose last pivot vanishes.
    const auto op = box_domain<2>({50, 1}, false);
    const IncompleteCholesky<2> ic(op, {.modified = true, .tau = 1, .sigma = 0});
    auto b = random_values(op, 4);
    const auto project = remove_mean(op);
    std::vector<double> x(b.size(), 0.0);
    const LinearSystem system{.size = op.size(),
                              .apply = [&](const double* in, double* out) { op.apply(in, out); },
                              .precondition = [&](const double* in, double* out) { ic.apply(in, out); },
                              .project = project};
    const auto report = conjugate_gradients(system, b.data(), x.data(), {.tolerance = 1e-10});
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, 3);
    for (const double v : {-0.1, 1.1, std::nan("")}) {
        EXPECT_THROW(IncompleteCholesky<2>(op, {.tau = v}), InputError);
        EXPECT_THROW(IncompleteCholesky<2>(op, {.sigma = v}), InputError);
    }
}

}  // namespace
}  // namespace tidelock
