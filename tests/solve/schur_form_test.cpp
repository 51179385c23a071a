/// The solver's operator against the coupled system it stands for: numerics/coupling 1 assembled densely and
/// eliminated.
#include <gtest/gtest.h>

#include "dense_algebra.h"
#include "dense_coupled.h"
#include "dimensions.h"
#include "solve/pressure_solver.h"

namespace tidelock {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class T>
class SchurForm : public testing::Test {};
TYPED_TEST_SUITE(SchurForm, Dimensions);

TYPED_TEST(SchurForm, OperatorIsTheEliminatedSystem) {
    constexpr int D = TypeParam::value;
    for (const double ratio : {1e-3, 1.0, 1e3})
        for (const bool open_top : {false, true}) {
            const CoupledProblem<D> problem(small_case<D>(ratio, open_top, 4));
            const PressureSolver<D> solver(problem.make_operator(), problem.make_bodies());
            const Dense<D> dense(problem);
            ASSERT_EQ(solver.bodies().clusters().size(), 2u);
            ASSERT_EQ(solver.op().unknowns(), static_cast<std::ptrdiff_t>(dense.places.size()));
            double worst = 0;
            VectorXd y(problem.size());
            for (std::size_t column = 0; column < dense.places.size(); ++column) {
                const VectorXd unit = VectorXd::Unit(problem.size(), dense.places[column]);
                y.setZero();
                solver.apply(unit.data(), y.data());
                worst = std::max(
                    worst,
                    (y(dense.places) - dense.schur.col(static_cast<Eigen::Index>(column))).cwiseAbs().maxCoeff());
                y(dense.places).setZero();
                ASSERT_EQ(y.cwiseAbs().maxCoeff(), 0);  // nothing where there is no unknown
            }
            // Entries of size up to 60; A22's condition enters through the dense elimination only.
            EXPECT_LE(worst, 1e-12 * dense.a11.cwiseAbs().maxCoeff()) << ratio;
            // 0 <= Sigma - L_N and Sigma <= A11 (numerics/coupling 4).
            EXPECT_GE(smallest_eigenvalue(dense.a11 - dense.schur), -1e-11 * dense.a11.cwiseAbs().maxCoeff());
        }
}

TYPED_TEST(SchurForm, WoodburyInvertsA22) {
    constexpr int D = TypeParam::value;
    for (const double ratio : {1e-3, 1.0, 1e3}) {
        const CoupledProblem<D> problem(small_case<D>(ratio, true, 5));
        const Dense<D> dense(problem);
        const auto beta = problem.beta_bound.asDiagonal();
        const MatrixXd j = beta * problem.j;
        const MatrixXd inverse = MatrixXd(beta) - product(j, solve_llt(problem.lumped_mass(), MatrixXd(j.transpose())));
        // The condition of A22 is about (faces x arms^2 / body mass): 1e4 at the lowest density.
        EXPECT_LE((product(inverse, dense.a22) - MatrixXd::Identity(inverse.rows(), inverse.cols())).norm(), 1e-10)
            << ratio;
    }
}

TYPED_TEST(SchurForm, SolutionIsThatOfTheFullSystem) {
    constexpr int D = TypeParam::value;
    const Random random(6);
    const auto draw = [&](Eigen::Index n, std::uint32_t lane) {
        return VectorXd(VectorXd::NullaryExpr(
            n, [&](Eigen::Index i) { return random.normal(static_cast<std::uint64_t>(i), lane); }));
    };
    for (const double ratio : {1e-3, 1.0, 1e3}) {
        const CoupledProblem<D> problem(small_case<D>(ratio, true, 6));
        PressureSolver<D> solver(problem.make_operator(), problem.make_bodies());
        const Dense<D> dense(problem);
        const auto n = static_cast<Eigen::Index>(dense.places.size()), m = problem.beta_bound.size();
        const VectorXd u_free = draw(problem.beta_free.size(), 1), u_bound = draw(m, 2),
                       v = draw(problem.mass.rows(), 3);
        // The full system of numerics/coupling 1.
        MatrixXd full(n + m, n + m);
        full << dense.a11, dense.a12, dense.a12.transpose(), dense.a22;
        VectorXd f(n + m);
        f << dense.g_free.transpose() * u_free + dense.g_bound.transpose() * u_bound, problem.j * v - u_bound;
        const VectorXd exact = solve_ldlt(full, f).head(n);
        // The right-hand side of numerics/coupling 3 is the eliminated one.
        const VectorXd eliminated = f.head(n) - dense.a12 * solve_ldlt(dense.a22, VectorXd(f.tail(m)));
        const VectorXd mean =
            problem.solve_mass(problem.mass * v + problem.j.transpose() * problem.beta_bound.cwiseProduct(u_bound));
        VectorXd b = VectorXd::Zero(problem.size()), x = b;
        b = problem.g_free.transpose() * u_free + problem.g_bound.transpose() * VectorXd(problem.j * mean);
        EXPECT_LE((b(dense.places) - eliminated).norm(), 1e-12 * b.norm()) << ratio;
        const auto report = solver.solve(b.data(), x.data(), {.tolerance = 1e-12});
        EXPECT_TRUE(report.converged()) << to_string(report.status) << " " << report.residual;
        EXPECT_LE(report.iterations, 40);
        EXPECT_LE((x(dense.places) - exact).norm(), 1e-8 * exact.norm()) << ratio;  // tolerance times the condition
        // Recovered velocities are free of divergence: fluid faces, and bound faces moving with the bodies.
        const VectorXd body = mean - problem.solve_mass(problem.k() * x);
        const VectorXd fluid_velocity = u_free - problem.beta_free.cwiseInverse().cwiseProduct(problem.g_free * x);
        const VectorXd divergence =
            problem.g_free.transpose() * fluid_velocity + problem.g_bound.transpose() * VectorXd(problem.j * body);
        EXPECT_LE(divergence.norm(), 1e-11 * b.norm());  // ten times the tolerance
    }
}

TYPED_TEST(SchurForm, IsSymmetricWithBodies) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(mixed_case<D>({1e-4, 1e4, 1, 1}));
    const PressureSolver<D> solver(problem.make_operator(), problem.make_bodies());
    for (const std::uint64_t seed : {1, 2, 3}) {
        const auto x = random_values(solver.op(), seed), y = random_values(solver.op(), seed + 10);
        VectorXd sx = VectorXd::Zero(problem.size()), sy = sx;
        solver.apply(x.data(), sx.data());
        solver.apply(y.data(), sy.data());
        const Eigen::Map<const VectorXd> mx(x.data(), sx.size()), my(y.data(), sx.size());
        EXPECT_NEAR(mx.dot(sy), my.dot(sx), 1e-14 * mx.norm() * sy.norm());  // rounding of a product
        EXPECT_GT(mx.dot(sx), 0);
    }
}

}  // namespace
}  // namespace tidelock
