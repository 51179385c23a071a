/// The blocks of [A18] eq. (17) against dense matrices made from G, J, beta and M.
#include "solve/constraints.h"

#include <gtest/gtest.h>

#include "constraint_problems.h"
#include "dense_algebra.h"
#include "dense_coupled.h"
#include "dimensions.h"
#include "solve/reference_solver.h"

namespace tidelock {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class T>
class ConstraintsTest : public testing::Test {};
TYPED_TEST_SUITE(ConstraintsTest, Dimensions);

constexpr double ratios[] = {1e-3, 1.0, 1e3};

/// The matrix of out = f(in).
template <class F>
MatrixXd columns(Eigen::Index rows, Eigen::Index size, F&& f) {
    MatrixXd out(rows, size);
    for (Eigen::Index i = 0; i < size; ++i) {
        const VectorXd unit = VectorXd::Unit(size, i);
        VectorXd y = VectorXd::Zero(rows);
        f(unit.data(), y.data());
        out.col(i) = y;
    }
    return out;
}

double largest(const MatrixXd& a) { return a.cwiseAbs().maxCoeff(); }

TYPED_TEST(ConstraintsTest, SolidBlockAndItsInverse) {
    constexpr int D = TypeParam::value;
    for (const double ratio : ratios) {
        const CoupledProblem<D> problem(small_case<D>(ratio, true, 11));
        const auto constraints = constraints_of<D>(problem);
        const auto lumped = problem.make_bodies();
        const Dense<D> dense(problem);
        const auto m = problem.beta_bound.size();
        ASSERT_EQ(constraints.size(), m);
        ASSERT_EQ(lumped.clusters().size(), 2u);  // of three bodies, two share cells
        const MatrixXd a22 = columns(m, m, [&](const double* in, double* out) { constraints.a22(in, out); });
        EXPECT_LE(largest(a22 - dense.a22), 1e-12 * largest(dense.a22)) << ratio;
        const MatrixXd inverse =
            columns(m, m, [&](const double* in, double* out) { constraints.solve_a22(lumped, in, out); });
        EXPECT_LE(largest(inverse - inverse.transpose()), 1e-14 * problem.beta_bound.maxCoeff()) << ratio;
        // 0 < A22^-1 <= beta_c: its size is that of beta_c, whatever the density.
        const MatrixXd exact = solve_ldlt(dense.a22, MatrixXd(MatrixXd::Identity(m, m)));
        EXPECT_LE(largest(inverse - exact), 1e-12 * problem.beta_bound.maxCoeff()) << ratio;
        const auto diagonal = constraints.a22_diagonal();
        for (Eigen::Index i = 0; i < m; ++i)
            ASSERT_NEAR(diagonal[static_cast<std::size_t>(i)], dense.a22(i, i), 1e-13 * dense.a22(i, i)) << ratio;
    }
}

// Bodies that touch have fluid between them that belongs to both: then M itself couples them.
TYPED_TEST(ConstraintsTest, SolidBlockOfBodiesThatTouch) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(small_case<D>(1, true, 12));
    auto constraints = constraints_of<D>(problem);
    MatrixXd mass = problem.mass;
    VectorXd row = VectorXd::LinSpaced(mass.rows(), 1, 3);
    row.tail(rigid_dof<D>).setZero();  // the third body stands apart
    mass += 5 * row * row.transpose();
    constraints.bodies = RigidTerms<D>({}, mass);
    ASSERT_EQ(constraints.bodies.clusters().size(), 2u);
    const auto m = problem.beta_bound.size();
    const MatrixXd exact = MatrixXd(problem.beta_bound.cwiseInverse().asDiagonal()) +
                           product(problem.j, solve_llt(mass, MatrixXd(problem.j.transpose())));
    const MatrixXd a22 = columns(m, m, [&](const double* in, double* out) { constraints.a22(in, out); });
    EXPECT_LE(largest(a22 - exact), 1e-12 * largest(exact));
    const auto diagonal = constraints.a22_diagonal();
    for (Eigen::Index i = 0; i < m; ++i)
        ASSERT_NEAR(diagonal[static_cast<std::size_t>(i)], exact(i, i), 1e-13 * exact(i, i)) << i;
    const RigidTerms<D> lumped({}, mass + product(problem.j.transpose() * problem.beta_bound.asDiagonal(), problem.j));
    const MatrixXd inverse =
        columns(m, m, [&](const double* in, double* out) { constraints.solve_a22(lumped, in, out); });
    EXPECT_LE(largest(product(inverse, exact) - MatrixXd::Identity(m, m)), 1e-11);  // times A22's condition, about 1e3
}

TYPED_TEST(ConstraintsTest, FluidBlocksAreThoseOfEquation17) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(small_case<D>(1, true, 13));
    const auto constraints = constraints_of<D>(problem);
    const auto op = problem.make_operator();
    const Dense<D> dense(problem);
    const auto n = problem.size(), m = problem.beta_bound.size();
    const MatrixXd a12 = columns(n, m, [&](const double* in, double* out) { constraints.add_a12(in, out); });
    EXPECT_LE(largest(a12(dense.places, Eigen::all) - dense.a12), 1e-14 * largest(dense.a12));
    EXPECT_EQ((a12.array() != 0).count(), (a12(dense.places, Eigen::all).array() != 0).count());  // nothing elsewhere
    const MatrixXd a21 = columns(m, n, [&](const double* in, double* out) { constraints.a21(in, out); });
    EXPECT_EQ(largest(a21 - a12.transpose()), 0);
    VectorXd extra = VectorXd::Zero(n);
    constraints.add_stiffness(extra.data());
    MatrixXd a11 = columns(n, n, [&](const double* in, double* out) { op.apply(in, out); });
    a11.diagonal() += extra;
    EXPECT_LE(largest(a11(dense.places, dense.places) - dense.a11), 1e-13 * largest(dense.a11));
}

/// The whole system and Sigma, column by column, on unknowns only.
template <int D>
struct Assembled {
    MatrixXd whole, a11, a21, a22, sigma;

    Assembled(const ReferenceSolver<D>& solver, const std::vector<Eigen::Index>& places) {
        const auto n = static_cast<Eigen::Index>(solver.op().size()),
                   m = static_cast<Eigen::Index>(solver.constraints().size());
        std::vector<Eigen::Index> rows = places;
        for (Eigen::Index i = 0; i < m; ++i) rows.push_back(n + i);
        // Cells without an unknown must be zero on entry.
        const auto allowed = [&](const double* unit) {
            const auto i = std::find(unit, unit + n + m, 1.0) - unit;
            return std::binary_search(rows.begin(), rows.end(), i);
        };
        const auto all = columns(n + m, n + m, [&](const double* in, double* out) {
            if (allowed(in)) solver.apply_whole(in, out);
        });
        whole = all(rows, rows);
        sigma = columns(n + m, n + m, [&](const double* in, double* out) {
            if (allowed(in)) solver.apply(in, out);
        })(places, places);
        const auto k = static_cast<Eigen::Index>(places.size());
        a11 = whole.topLeftCorner(k, k);
        a21 = whole.bottomLeftCorner(m, k);
        a22 = whole.bottomRightCorner(m, m);
    }
    [[nodiscard]] MatrixXd schur() const { return a11 - transposed_product(a21, solve_ldlt(a22, a21)); }
};

template <int D>
ReferenceSolver<D> whole_solver(const CoupledProblem<D>& problem) {
    return ReferenceSolver<D>(ReferenceMethod::cg_full, problem.make_operator(), problem.make_bodies(),
                              constraints_of<D>(problem));
}

TYPED_TEST(ConstraintsTest, SchurComplementOfTheWholeSystemIsSigma) {
    constexpr int D = TypeParam::value;
    for (const double ratio : ratios)
        for (const bool open_top : {true, false}) {
            const CoupledProblem<D> problem(small_case<D>(ratio, open_top, 14));
            const auto solver = whole_solver<D>(problem);
            const Dense<D> dense(problem);
            const Assembled<D> all(solver, dense.places);
            const double size = largest(all.whole);
            EXPECT_LE(largest(all.whole - all.whole.transpose()), 1e-14 * size) << ratio;
            EXPECT_LE(largest(all.schur() - all.sigma), 1e-12 * size) << ratio;
            EXPECT_LE(largest(all.schur() - dense.schur), 1e-12 * size) << ratio;
            // Closed as well: cells that belong to two bodies leave gaps in both, so pressure has a force on them.
            EXPECT_TRUE(is_positive_definite(all.whole)) << ratio;
        }
}

// numerics/coupling 5: a constant pressure in a closed tank, with the impulses that hold it up, is the one null vector.
TYPED_TEST(ConstraintsTest, NullVectorOfAClosedTank) {
    constexpr int D = TypeParam::value;
    for (const double ratio : ratios) {
        const CoupledProblem<D> problem(box_lift_case<D>(D == 2 ? 16 : 8, {ratio}, false));
        const auto solver = whole_solver<D>(problem);
        const Dense<D> dense(problem);
        const Assembled<D> all(solver, dense.places);
        ASSERT_EQ(solver.null_space().dimension(), 1);
        EXPECT_LE(largest(all.schur() - all.sigma), 1e-12 * largest(all.whole)) << ratio;
        VectorXd constant = VectorXd::Ones(all.whole.rows());
        const auto k = all.a11.rows(), m = all.a22.rows();
        constant.tail(m) = -solve_ldlt(all.a22, VectorXd(all.a21 * constant.head(k)));
        EXPECT_GT(constant.tail(m).norm(), 0);
        // The body's surface is closed, so the force of a constant on it is rounding; it divides by the body's mass.
        EXPECT_LE((all.whole * constant).norm(), 1e-10 * largest(all.whole)) << ratio;
    }
}

}  // namespace
}  // namespace tidelock
