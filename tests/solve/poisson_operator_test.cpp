#include "solve/poisson_operator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/parallel.h"
#include "dimensions.h"
#include "poisson_test_domains.h"
#include "solve/krylov.h"
#include "solve/vector_ops.h"

namespace tidelock {
namespace {

template <class T>
class PoissonOperators : public testing::Test {};
TYPED_TEST_SUITE(PoissonOperators, Dimensions);

TYPED_TEST(PoissonOperators, ApplyIsTheAssembledMatrix) {
    constexpr int D = TypeParam::value;
    for (const std::uint64_t seed : {1, 2, 3}) {
        const auto op = random_domain<D>(Coord<D>::Constant(5), seed, true, 0.6);
        std::ptrdiff_t uniform = 0, masked = 0;
        for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
            uniform += op.is_uniform(b), masked += op.is_masked(b) && !op.is_uniform(b);
        ASSERT_GT(uniform, 0);
        ASSERT_GT(masked, 0);
        ASSERT_LT(uniform + masked, op.set().count());
        ASSERT_EQ(op.stored_bricks(), op.set().count() - uniform);
        const auto x = random_values(op, 10 + seed);
        std::vector<double> y(x.size(), 7.0);
        op.apply(x.data(), y.data());
        const auto n = op.set().cells();
        const Eigen::VectorXd expected = assemble(op) * Eigen::Map<const Eigen::VectorXd>(x.data(), n);
        // A row holds 2 D + 2 products of size up to 3.
        EXPECT_LE((Eigen::Map<const Eigen::VectorXd>(y.data(), n) - expected).cwiseAbs().maxCoeff(), 1e-14);
    }
}

TYPED_TEST(PoissonOperators, IsASymmetricMMatrix) {
    constexpr int D = TypeParam::value;
    const auto op = random_domain<D>(Coord<D>::Constant(4), 4, true, 0.7);
    const Eigen::SparseMatrix<double> a = assemble(op);
    EXPECT_EQ(Eigen::SparseMatrix<double>(a - Eigen::SparseMatrix<double>(a.transpose())).norm(), 0);
    Eigen::VectorXd excess = Eigen::VectorXd::Zero(a.rows());
    std::ptrdiff_t unknowns = 0;
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            excess[b * Brick<D>::cells + i] = op.excess(b)[i];
            unknowns += op.unknown(b)[i];
            EXPECT_EQ(op.unknown(b)[i] != 0, a.coeff(static_cast<int>(b * Brick<D>::cells + i),
                                                     static_cast<int>(b * Brick<D>::cells + i)) > 0);
        }
    EXPECT_EQ(unknowns, op.unknowns());
    for (int k = 0; k < a.outerSize(); ++k)
        for (Eigen::SparseMatrix<double>::InnerIterator it(a, k); it; ++it)
            if (it.row() == it.col())
                EXPECT_GT(it.value(), 0);
            else
                EXPECT_LT(it.value(), 0);
    EXPECT_LE((a * Eigen::VectorXd::Ones(a.rows()) - excess).cwiseAbs().maxCoeff(), 1e-14);
}

TYPED_TEST(PoissonOperators, AppliedFormIsSymmetricAndAnnihilatesConstants) {
    constexpr int D = TypeParam::value;
    const auto op = random_domain<D>(Coord<D>::Constant(5), 5, false, 0.6);
    const auto x = random_values(op, 1), y = random_values(op, 2);
    std::vector<double> ax(x.size(), 0.0), ay(x.size(), 0.0), ones(x.size(), 0.0);
    op.apply(x.data(), ax.data());
    op.apply(y.data(), ay.data());
    const auto n = op.size();
    EXPECT_NEAR(dot(n, x.data(), ay.data()), dot(n, y.data(), ax.data()),
                1e-14 * norm(n, x.data()) * norm(n, ay.data()));
    EXPECT_GE(dot(n, x.data(), ax.data()), 0);
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i)
            ones[static_cast<std::size_t>(b * Brick<D>::cells + i)] = op.unknown(b)[i];
    op.apply(ones.data(), ax.data());
    EXPECT_EQ(max_abs(op.set().cells(), ax.data()), 0);  // differences of equal numbers
}

TYPED_TEST(PoissonOperators, SameBitsOnOneAndTwoThreads) {
    constexpr int D = TypeParam::value;
    std::vector<double> y[2];
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        const auto op = random_domain<D>(Coord<D>::Constant(5), 6, true);
        const auto x = random_values(op, 1);
        y[threads - 1].assign(x.size(), 0.0);
        op.apply(x.data(), y[threads - 1].data());
    }
    EXPECT_EQ(y[0], y[1]);
}

TYPED_TEST(PoissonOperators, UnknownsWithoutOpenFacesAreDropped) {
    constexpr int D = TypeParam::value;
    const auto set = make_dense<D>(Coord<D>::Ones());
    const PoissonOperator<D> op(set, 1.0, [](std::ptrdiff_t, PoissonBrick<D>& out) {
        for (int i = 0; i < 10; ++i) out.unknown[i] = 1;
        out.conductance[0][5] = 1;  // joins cells 4 and 5
        out.excess[8] = 2;
    });
    EXPECT_EQ(op.unknowns(), 3);
    for (const int i : {4, 5, 8}) EXPECT_EQ(op.unknown(0)[i], 1);
    EXPECT_THROW(PoissonOperator<D>(set, 0.0, [](std::ptrdiff_t, PoissonBrick<D>&) {}), InputError);
}

/// Largest error of -lap p = f in the closed unit box, p a product of cosines; finite-volume scaling as in the header.
template <int D>
double cosine_error(int n) {
    const auto op = box_domain<D>(Coord<D>::Constant(n), false);
    const double h = 1.0 / n;
    std::vector<double> b(static_cast<std::size_t>(op.size()), 0.0), x = b, exact = b, mask = b;
    for (std::ptrdiff_t s = 0; s < op.set().count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (!op.unknown(s)[i]) continue;
            const Coord<D> c = first_cell<D>(op.set().brick(s)) + local_coord<D>(i);
            double p = 1, factor = 0;
            for (int a = 0; a < D; ++a) {
                const double k = std::numbers::pi * (a + 1);
                p *= std::cos(k * (c[a] + 0.5) * h);
                factor += k * k;
            }
            const auto at = static_cast<std::size_t>(s * Brick<D>::cells + i);
            exact[at] = p, mask[at] = 1, b[at] = factor * p * h * h;
        }
    const auto project = [&](double* v) {
        const double mean = dot(op.size(), mask.data(), v) / static_cast<double>(op.unknowns());
        add_scaled(op.size(), -mean, mask.data(), v);
    };
    const LinearSystem system{.size = op.size(),
                              .apply = [&](const double* in, double* out) { op.apply(in, out); },
                              .precondition = {},
                              .project = project};
    const auto report = conjugate_gradients(system, b.data(), x.data(), {.tolerance = 1e-10, .max_iterations = 2000});
    EXPECT_TRUE(report.converged());
    project(x.data());
    project(exact.data());
    add_scaled(op.size(), -1.0, exact.data(), x.data());
    return max_abs(op.size(), x.data());
}

TYPED_TEST(PoissonOperators, ManufacturedCosineIsSecondOrder) {
    constexpr int D = TypeParam::value;
    const double coarse = cosine_error<D>(16), fine = cosine_error<D>(32);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);  // too high is a bug as well
    EXPECT_LT(fine, 0.02);
}

}  // namespace
}  // namespace tidelock
