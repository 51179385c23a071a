/// What PressureSolver promises of its reports: statuses, residuals, null components, and the same bits each time.
#include "solve/pressure_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "base/parallel.h"
#include "base/scratch.h"
#include "coupled_test_problems.h"
#include "dimensions.h"
#include "poisson_problems.h"

namespace tidelock {
namespace {

using Eigen::VectorXd;

template <class T>
class PressureSolverTest : public testing::Test {};
TYPED_TEST_SUITE(PressureSolverTest, Dimensions);

template <int D>
Coord<D> small_tank() {
    if constexpr (D == 2)
        return {60, 90};
    else
        return {24, 40, 24};
}

template <int D>
PressureSolver<D> solver_of(const bench::PoissonProblem<D>& problem) {
    return PressureSolver<D>(problem.make_operator(), problem.bodies);
}

VectorXd vector_of(const std::vector<double>& v) {
    return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

template <int D>
VectorXd random_vector(const PoissonOperator<D>& op, std::uint64_t seed) {
    return vector_of(random_values(op, seed));
}

/// 1 on the unknowns.
template <int D>
VectorXd ones(const PoissonOperator<D>& op) {
    VectorXd v = VectorXd::Zero(op.size());
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) v[b * Brick<D>::cells + i] = op.unknown(b)[i];
    return v;
}

template <int D>
double residual_of(const PressureSolver<D>& solver, const VectorXd& b, const VectorXd& x) {
    VectorXd r = VectorXd::Zero(b.size());
    solver.apply(x.data(), r.data());
    VectorXd projected = b;
    solver.null_space().project(projected.data());
    return (projected - r).norm() / projected.norm();
}

TYPED_TEST(PressureSolverTest, ReportsTheResidualThatItLeaves) {
    constexpr int D = TypeParam::value;
    for (const auto* domain : {"closed", "open", "surface", "sparse"})
        for (const auto* body : {"static", "dynamic", "eight", "jump"}) {
            const auto problem = bench::make_problem<D>({domain, body, 0.1}, small_tank<D>());
            SCOPED_TRACE(problem.spec.name());
            auto solver = solver_of(problem);
            const VectorXd b = vector_of(problem.rhs);
            VectorXd x = random_vector(solver.op(), 1);
            const double first = residual_of(solver, b, x);
            const auto report = solver.solve(b.data(), x.data(), {.tolerance = 1e-8, .record_history = true});
            EXPECT_TRUE(report.converged());
            EXPECT_LE(report.residual, 1e-8);
            // Both are sums of rounding errors below 1e-13 of the terms.
            EXPECT_NEAR(report.residual, residual_of(solver, b, x), 1e-11);
            EXPECT_NEAR(report.initial_residual, first, 1e-11 * first);
            EXPECT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations));
            EXPECT_EQ(report.times.size(), report.history.size());
            EXPECT_LE(report.incompatibility, 1e-7);  // root of the rounding of a square
            VectorXd null = x;
            EXPECT_LE(solver.null_space().project(null.data()).removed, 1e-12 * x.norm());
            EXPECT_EQ(solver.null_space().dimension() > 0, problem.singular);
            // From the solution there is nothing to do.
            const VectorXd before = x;
            const auto again = solver.solve(b.data(), x.data(), {.tolerance = 1e-7});
            EXPECT_TRUE(again.converged());
            EXPECT_EQ(again.iterations, 0);
            EXPECT_LE((x - before).norm(), 1e-12 * before.norm());
        }
}

/// Fills the scratch memory of every thread with NaN: what a kernel did not load must not reach its result.
void poison_scratch() {
    constexpr std::size_t bytes = std::size_t{1} << 20;  // more than any window
    parallel_for("poison", 64, [](std::ptrdiff_t) { std::memset(thread_scratch(bytes), 0xff, bytes); });
}

TYPED_TEST(PressureSolverTest, SameBitsOnOneAndTwoThreadsAndTwice) {
    constexpr int D = TypeParam::value;
    for (const auto* domain : {"closed", "surface"})
        for (const auto* body : {"static", "dynamic", "eight"}) {
            std::vector<double> x[3];
            int iterations[3];
            for (const int run : {0, 1, 2}) {
                const ThreadLimit limit(run == 0 ? 1 : 2);
                const auto problem = bench::make_problem<D>({domain, body, 0.1}, small_tank<D>());
                auto solver = solver_of(problem);
                x[run].assign(problem.rhs.size(), 0.0);
                if (run > 0) poison_scratch();
                iterations[run] = solver.solve(problem.rhs.data(), x[run].data()).iterations;
                if (run < 2) continue;
                // A second solve with the same solver remembers nothing.
                std::fill(x[run].begin(), x[run].end(), 0.0);
                iterations[run] = solver.solve(problem.rhs.data(), x[run].data()).iterations;
            }
            EXPECT_EQ(x[0], x[1]) << domain << body;
            EXPECT_EQ(x[1], x[2]) << domain << body;
            EXPECT_EQ(iterations[0], iterations[1]);
            EXPECT_EQ(iterations[1], iterations[2]);
        }
}

TYPED_TEST(PressureSolverTest, IncompatibleRightHandSidesAreReportedAndProjected) {
    constexpr int D = TypeParam::value;
    const auto problem = bench::make_problem<D>({"closed", "dynamic", 1}, small_tank<D>());
    auto solver = solver_of(problem);
    const VectorXd b = vector_of(problem.rhs), one = ones(solver.op());
    VectorXd clean = VectorXd::Zero(b.size());
    ASSERT_TRUE(solver.solve(b.data(), clean.data(), {.tolerance = 1e-10}).converged());
    for (const double share : {1e-6, 0.1, 1.0, 1e3}) {
        const VectorXd shifted = b + share * b.norm() / one.norm() * one;
        VectorXd x = VectorXd::Zero(b.size());
        const auto report = solver.solve(shifted.data(), x.data(), {.tolerance = 1e-10});
        EXPECT_TRUE(report.converged()) << share << " " << to_string(report.status) << " " << report.residual;
        const double expected = share / std::sqrt(1 + share * share);
        EXPECT_NEAR(report.incompatibility, expected, 1e-9 * expected + 1e-12) << share;  // b's own mean is rounding
        // Same problem once projected; b + shift is rounded at 1e-16 of its size.
        EXPECT_LE((x - clean).norm(), 1e-7 * clean.norm()) << share;
    }
}

TYPED_TEST(PressureSolverTest, NothingButNullComponentIsSolvedByZero) {
    constexpr int D = TypeParam::value;
    const auto problem = bench::make_problem<D>({"closed", "static", 1}, small_tank<D>());
    auto solver = solver_of(problem);
    for (const double size : {1.0, 0.1, 1e-9, 3e7}) {
        const VectorXd b = size * ones(solver.op());
        VectorXd x = size * random_vector(solver.op(), 2);
        const auto report = solver.solve(b.data(), x.data());
        EXPECT_TRUE(report.converged()) << size << " " << to_string(report.status) << " " << report.residual;
        EXPECT_NEAR(report.incompatibility, 1, 1e-12);
        EXPECT_EQ(report.iterations, 0);
        EXPECT_LE(x.cwiseAbs().maxCoeff(), 1e-9 * size);
    }
}

TYPED_TEST(PressureSolverTest, LimitsLeaveTheBestIterate) {
    constexpr int D = TypeParam::value;
    for (const auto* body : {"static", "eight"}) {
        const auto problem = bench::make_problem<D>({"surface", body, 1}, small_tank<D>());
        auto solver = solver_of(problem);
        const VectorXd b = vector_of(problem.rhs);
        double last = 1;
        for (const int limit : {0, 1, 2, 4}) {
            VectorXd x = VectorXd::Zero(b.size());
            const auto report = solver.solve(b.data(), x.data(), {.tolerance = 1e-10, .max_iterations = limit});
            EXPECT_EQ(report.status, SolveStatus::iteration_limit);
            EXPECT_EQ(report.iterations, limit);
            EXPECT_LE(report.residual, last);
            EXPECT_NEAR(report.residual, residual_of(solver, b, x), 1e-12);
            last = report.residual;
        }
        VectorXd x = random_vector(solver.op(), 3);
        const auto report = solver.solve(b.data(), x.data(), {.tolerance = 1e-10, .time_limit = 1e-9});
        EXPECT_EQ(report.status, SolveStatus::time_limit);
        EXPECT_LE(report.residual, report.initial_residual * (1 + 1e-12));  // recomputed: rounding
        EXPECT_NEAR(report.residual, residual_of(solver, b, x), 1e-12 * report.residual);
        EXPECT_TRUE(x.allFinite());
    }
}

TYPED_TEST(PressureSolverTest, RefusesWhatIsNotFinite) {
    constexpr int D = TypeParam::value;
    const auto problem = bench::make_problem<D>({"open", "dynamic", 1}, small_tank<D>());
    auto solver = solver_of(problem);
    const VectorXd b = vector_of(problem.rhs), guess = random_vector(solver.op(), 4);
    Eigen::Index place = 0;
    ones(solver.op()).maxCoeff(&place);
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
        VectorXd wrong = b, x = guess;
        wrong[place] = bad;
        EXPECT_EQ(solver.solve(wrong.data(), x.data()).status, SolveStatus::not_finite);
        EXPECT_EQ(x, guess);
        x[place] = bad;
        const VectorXd before = x;
        EXPECT_EQ(solver.solve(b.data(), x.data()).status, SolveStatus::not_finite);
        EXPECT_EQ(0, std::memcmp(x.data(), before.data(), static_cast<std::size_t>(x.size()) * sizeof(double)));
    }
    // And it works again afterwards.
    VectorXd x = VectorXd::Zero(b.size());
    EXPECT_TRUE(solver.solve(b.data(), x.data()).converged());
}

TYPED_TEST(PressureSolverTest, RejectsWrongOptionsAndBearsZero) {
    constexpr int D = TypeParam::value;
    const auto problem = bench::make_problem<D>({"open", "static", 1}, small_tank<D>());
    auto solver = solver_of(problem);
    const VectorXd b = vector_of(problem.rhs);
    VectorXd x = VectorXd::Zero(b.size());
    for (const double tolerance : {0.0, 1.0, -1e-6, 2.0, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW((void)solver.solve(b.data(), x.data(), {.tolerance = tolerance}), InputError);
    EXPECT_THROW((void)solver.solve(b.data(), x.data(), {.max_iterations = -1}), InputError);
    const VectorXd zero = VectorXd::Zero(b.size());
    x = random_vector(solver.op(), 5);
    const auto report = solver.solve(zero.data(), x.data());
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(x, zero);
}

TYPED_TEST(PressureSolverTest, GoesAsFarAsRoundingLets) {
    constexpr int D = TypeParam::value;
    for (const auto* domain : {"closed", "surface"})
        for (const auto* body : {"static", "eight"}) {
            const auto problem = bench::make_problem<D>({domain, body, 1}, small_tank<D>());
            SCOPED_TRACE(problem.spec.name());
            auto solver = solver_of(problem);
            const VectorXd b = vector_of(problem.rhs);
            for (const double tolerance : {1e-13, 1e-17}) {
                VectorXd x = VectorXd::Zero(b.size());
                const auto report = solver.solve(b.data(), x.data(), {.tolerance = tolerance});
                EXPECT_EQ(report.converged(), report.residual <= tolerance);
                if (tolerance > 1e-14) {
                    EXPECT_NE(report.status, SolveStatus::iteration_limit) << report.residual;
                }
                EXPECT_LE(report.residual, 1e-11);  // |A| |x| / |b| is about 1e3
                EXPECT_NEAR(report.residual, residual_of(solver, b, x), 1e-12);
                EXPECT_TRUE(x.allFinite());
            }
        }
}

TYPED_TEST(PressureSolverTest, DoesNotDependOnUnits) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> water(mixed_case<D>({1, 2, 0.1, 10}, 1.0)), heavy(mixed_case<D>({1e6, 2e6, 1e5, 1e7}, 1e6));
    PressureSolver<D> one(water.make_operator(), water.make_bodies()),
        other(heavy.make_operator(), heavy.make_bodies());
    const VectorXd b = random_vector(one.op(), 6);
    VectorXd x = VectorXd::Zero(b.size());
    const auto report = one.solve(b.data(), x.data());
    EXPECT_TRUE(report.converged());
    for (const double unit : {1e-100, 1e-20, 1.0, 1e20, 1e100}) {
        const VectorXd scaled = unit * b;
        VectorXd y = VectorXd::Zero(b.size());
        const auto same = other.solve(scaled.data(), y.data());
        EXPECT_TRUE(same.converged()) << unit << " " << to_string(same.status);
        EXPECT_NEAR(same.iterations, report.iterations, 1) << unit;
        EXPECT_LE((y / (1e6 * unit) - x).norm(), 1e-4 * x.norm()) << unit;  // the tolerance times the condition
    }
}

/// Largest error of -lap p = f in the closed unit box; p = product of cos((a + 1) pi x_a).
template <int D>
double cosine_error(int n) {
    PressureSolver<D> solver(box_domain<D>(Coord<D>::Constant(n), false));
    VectorXd b = VectorXd::Zero(solver.op().size()), x = b, exact = b;
    for (std::ptrdiff_t s = 0; s < solver.op().set().count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (!solver.op().unknown(s)[i]) continue;
            const Coord<D> c = first_cell<D>(solver.op().set().brick(s)) + local_coord<D>(i);
            double p = 1, factor = 0;
            for (int a = 0; a < D; ++a) {
                const double k = std::numbers::pi * (a + 1);
                p *= std::cos(k * (c[a] + 0.5) / n);
                factor += k * k;
            }
            exact[s * Brick<D>::cells + i] = p;
            b[s * Brick<D>::cells + i] = factor * p / (n * n);
        }
    const auto report = solver.solve(b.data(), x.data(), {.tolerance = 1e-10});
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.incompatibility, 1e-7);
    solver.null_space().project(exact.data());
    return (x - exact).cwiseAbs().maxCoeff();
}

TYPED_TEST(PressureSolverTest, ManufacturedCosineIsSecondOrder) {
    constexpr int D = TypeParam::value;
    const double coarse = cosine_error<D>(16), middle = cosine_error<D>(32), fine = cosine_error<D>(64);
    EXPECT_NEAR(std::log2(coarse / middle), 2.0, 0.15);
    EXPECT_NEAR(std::log2(middle / fine), 2.0, 0.15);
}

}  // namespace
}  // namespace tidelock
