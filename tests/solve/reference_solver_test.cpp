/// The solvers of [A18] section 6: one solution, one residual, the paper's order of iterations.
#include "solve/reference_solver.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/parallel.h"
#include "constraint_problems.h"
#include "dimensions.h"
#include "solve/pressure_solver.h"

namespace tidelock {
namespace {

using Eigen::VectorXd;
using enum ReferenceMethod;

constexpr ReferenceMethod methods[] = {cg_full, cg_schur, icpcg, p0, p1, p2, p3};

template <class T>
class ReferenceSolverTest : public testing::Test {};
TYPED_TEST_SUITE(ReferenceSolverTest, Dimensions);

template <int D>
ReferenceSolver<D> solver_for(ReferenceMethod method, const CoupledProblem<D>& problem) {
    return ReferenceSolver<D>(method, problem.make_operator(), problem.make_bodies(), constraints_of<D>(problem));
}

/// |b - Sigma x| / |b|, of b without its null component.
template <int D>
double residual(const CoupledSolver<D>& solver, VectorXd b, const VectorXd& x) {
    VectorXd y = VectorXd::Zero(b.size());
    solver.apply(x.data(), y.data());
    y.tail(Brick<D>::cells).setZero();
    solver.null_space().project(b.data());
    return (b - y).norm() / b.norm();
}

template <int D>
int resolution() {
    return D == 2 ? 32 : 12;
}

TYPED_TEST(ReferenceSolverTest, AllFindTheSolutionOfOurs) {
    constexpr int D = TypeParam::value;
    const std::vector<double> one{0.1}, three{1e-3, 1, 1e3};
    for (const bool open_top : {true, false})
        for (const auto& density : {one, three}) {
            const CoupledProblem<D> problem(box_lift_case<D>(resolution<D>(), density, open_top));
            const VectorXd b = gravity_right_hand_side<D>(problem);
            PressureSolver<D> ours(problem.make_operator(), problem.make_bodies());
            ASSERT_EQ(ours.null_space().dimension(), open_top ? 0 : 1);
            VectorXd expected = VectorXd::Zero(problem.size());
            ASSERT_TRUE(ours.solve(b.data(), expected.data(), {.tolerance = 1e-11}).converged());
            const double size = expected.cwiseAbs().maxCoeff();
            for (const auto method : methods) {
                auto solver = solver_for<D>(method, problem);
                // From a guess that is wrong, in the null space as well.
                VectorXd x = 0.5 * expected;
                const auto shifted = random_values(solver.op(), 3);
                for (Eigen::Index i = 0; i < x.size(); ++i)
                    if (const double v = shifted[static_cast<std::size_t>(i)]; v != 0) x[i] += size * (3 + v);
                const auto report = solver.solve(b.data(), x.data(), {.tolerance = 1e-9, .max_iterations = 20000});
                EXPECT_TRUE(report.converged()) << solver.name() << ": " << to_string(report.status);
                EXPECT_NEAR(report.residual, residual<D>(solver, b, x), 1e-12) << solver.name();
                EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-5 * size)
                    << solver.name() << ", " << density.size() << " bodies, open " << open_top;
                EXPECT_EQ(solver.name(), word_of(method));
                EXPECT_EQ(solver.body_treatment(), method == icpcg ? "diagonal" : method >= p0 ? "held" : "none");
            }
        }
}

/// Iterations to 1e-6 from zero, for each method.
template <int D>
std::vector<int> counts(const CoupledProblem<D>& problem) {
    const VectorXd b = gravity_right_hand_side<D>(problem);
    std::vector<int> out;
    for (const auto method : methods) {
        auto solver = solver_for<D>(method, problem);
        VectorXd x = VectorXd::Zero(problem.size());
        const auto report =
            solver.solve(b.data(), x.data(), {.tolerance = 1e-6, .max_iterations = 20000, .record_history = true});
        EXPECT_TRUE(report.converged()) << solver.name();
        EXPECT_NEAR(report.initial_residual, 1, 1e-12) << solver.name();
        EXPECT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations)) << solver.name();
        EXPECT_EQ(report.times.size(), report.history.size());
        EXPECT_TRUE(std::is_sorted(report.times.begin(), report.times.end()));
        EXPECT_LE(report.history.back(), 1e-6);
        EXPECT_NEAR(report.history.back(), report.residual, 1e-8);  // what the recurrence drifts by
        out.push_back(report.iterations);
    }
    return out;
}

// Tables 1 and 2 of the paper, in their order; numerics/multigrid 9 has 28 for p0 at this resolution.
TEST(ReferenceSolverPlane, IterationsComeInThePapersOrder) {
    for (const double density : {1e-3, 0.1, 1.0, 1e3}) {
        const auto n = counts<2>(CoupledProblem<2>(box_lift_case<2>(64, {density}, true)));
        const std::string text = fmt::format("ratio {}: {}", density, fmt::join(n, " "));
        SCOPED_TRACE(text);
        RecordProperty(fmt::format("ratio {}", density), text);
        for (std::size_t i = 1; i < n.size(); ++i) EXPECT_GT(n[i - 1], n[i]);
        EXPECT_LE(n[3], 42);  // one and a half times those
        EXPECT_GE(n[3], 18);
    }
}

TYPED_TEST(ReferenceSolverTest, KeepsToItsLimits) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(box_lift_case<D>(resolution<D>(), {0.1}, true));
    const VectorXd b = gravity_right_hand_side<D>(problem);
    for (const auto method : methods) {
        auto solver = solver_for<D>(method, problem);
        const auto values = random_values(solver.op(), 9);
        const VectorXd guess = Eigen::Map<const VectorXd>(values.data(), b.size());
        VectorXd x = guess;
        auto report = solver.solve(b.data(), x.data(), {.max_iterations = 0});
        EXPECT_EQ(report.status, SolveStatus::iteration_limit) << solver.name();
        EXPECT_EQ(report.iterations, 0);
        EXPECT_EQ(x, guess) << solver.name();
        EXPECT_NEAR(report.residual, residual<D>(solver, b, guess), 1e-10 * report.residual) << solver.name();
        EXPECT_EQ(report.residual, report.initial_residual);

        report = solver.solve(b.data(), x.data(), {.max_iterations = 4});
        EXPECT_EQ(report.status, SolveStatus::iteration_limit) << solver.name();
        EXPECT_EQ(report.iterations, 4) << solver.name();
        EXPECT_NEAR(report.residual, residual<D>(solver, b, x), 1e-10 * report.residual) << solver.name();
        EXPECT_LE(report.residual, report.initial_residual);  // the best of the iterates

        x = guess;
        report = solver.solve(b.data(), x.data(), {.time_limit = 1e-12});
        EXPECT_EQ(report.status, SolveStatus::time_limit) << solver.name();
        EXPECT_EQ(x, guess) << solver.name();

        x = guess;
        const VectorXd zero = VectorXd::Zero(b.size());
        report = solver.solve(zero.data(), x.data());
        EXPECT_TRUE(report.converged()) << solver.name();
        EXPECT_EQ(x, zero) << solver.name();
    }
}

TYPED_TEST(ReferenceSolverTest, NumbersThatAreNotFiniteLeaveTheGuess) {
    constexpr int D = TypeParam::value;
    for (const bool open_top : {true, false}) {
        const CoupledProblem<D> problem(box_lift_case<D>(resolution<D>(), {0.1}, open_top));
        const VectorXd b = gravity_right_hand_side<D>(problem);
        const auto at = problem.place(Coord<D>::Constant(2));
        for (const auto method : methods) {
            auto solver = solver_for<D>(method, problem);
            const auto values = random_values(solver.op(), 9);
            const VectorXd guess = Eigen::Map<const VectorXd>(values.data(), b.size());
            VectorXd x = guess, wrong = b;
            wrong[at] = std::numeric_limits<double>::quiet_NaN();
            EXPECT_EQ(solver.solve(wrong.data(), x.data()).status, SolveStatus::not_finite) << solver.name();
            EXPECT_EQ(x, guess) << solver.name();
            x[at] = std::numeric_limits<double>::infinity();
            const VectorXd before = x;
            EXPECT_EQ(solver.solve(b.data(), x.data()).status, SolveStatus::not_finite) << solver.name();
            EXPECT_EQ(std::memcmp(x.data(), before.data(), sizeof(double) * x.size()), 0) << solver.name();
        }
    }
}

TYPED_TEST(ReferenceSolverTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(box_lift_case<D>(D == 2 ? 40 : 16, {0.1, 1, 10}, true));
    const VectorXd b = gravity_right_hand_side<D>(problem);
    for (const auto method : methods) {
        VectorXd results[2] = {VectorXd::Zero(b.size()), VectorXd::Zero(b.size())};
        for (const int threads : {1, 2}) {
            const ThreadLimit limit(threads);
            auto solver = solver_for<D>(method, problem);
            (void)solver.solve(b.data(), results[threads - 1].data(), {.max_iterations = 30});
        }
        EXPECT_GT(results[0].norm(), 0);
        EXPECT_EQ(results[0], results[1]) << word_of(method);
    }
}

/// Of P Sigma.
template <int D>
double largest_eigenvalue(ReferenceSolver<D>& solver) {
    const auto start = random_values(solver.op(), 4);
    return tidelock::largest_eigenvalue([&](const double* x, double* out) { solver.apply(x, out); },
                                        [&](const double* x, double* out) { solver.precondition(x, out); },
                                        Eigen::Map<const VectorXd>(start.data(), solver.op().size()), 40);
}

// numerics/multigrid 8: with an even s P(s) is positive always, with an odd s if no eigenvalue of V Sigma reaches 2.
TYPED_TEST(ReferenceSolverTest, RepeatedCyclesStaySymmetricAndPositive) {
    constexpr int D = TypeParam::value;
    const int n = D == 2 ? 64 : 16;
    for (const bool open_top : {true, false})
        for (const double density : {1e-3, 1.0, 1e3}) {
            const CoupledProblem<D> problem(box_lift_case<D>(n, {density}, open_top));
            auto first = solver_for<D>(p0, problem);
            EXPECT_LT(largest_eigenvalue<D>(first), 1.9) << density;
            for (const auto method : {p0, p1, p2, p3}) {
                auto solver = solver_for<D>(method, problem);
                VectorXd px(problem.size()), py(problem.size());
                for (const std::uint64_t seed : {1, 2}) {
                    auto values = random_values(solver.op(), seed), others = random_values(solver.op(), seed + 10);
                    VectorXd x = Eigen::Map<VectorXd>(values.data(), problem.size());
                    const VectorXd y = Eigen::Map<VectorXd>(others.data(), problem.size());
                    if (seed == 2) solver.apply(y.data(), x.data()), x.tail(Brick<D>::cells).setZero();  // Sigma y
                    solver.precondition(x.data(), px.data());
                    solver.precondition(y.data(), py.data());
                    EXPECT_GT(x.dot(px), 0) << solver.name();
                    EXPECT_NEAR(x.dot(py), y.dot(px), 1e-5 * std::sqrt(x.dot(px) * y.dot(py))) << solver.name();
                }
            }
        }
}

// Algorithm 1 with an exact inverse in place of the cycle sums the series of [A18] eq. (5): P(s) Sigma = I - (I - V
// Sigma)^(s+1), whatever V is.
TEST(ReferenceSolverPlane, RepeatedCyclesAreRichardsonSteps) {
    const CoupledProblem<2> problem(box_lift_case<2>(32, {1}, true));
    auto first = solver_for<2>(p0, problem);
    const auto values = random_values(first.op(), 6);
    const VectorXd x = Eigen::Map<const VectorXd>(values.data(), problem.size());
    VectorXd sx = VectorXd::Zero(x.size()), vsx(x.size());
    VectorXd error = x;  // (I - V Sigma)^k x
    for (const auto method : {p0, p1, p2, p3}) {
        sx.setZero();
        first.apply(error.data(), sx.data());
        first.precondition(sx.data(), vsx.data());
        error -= vsx;
        auto solver = solver_for<2>(method, problem);
        sx.setZero();
        solver.apply(x.data(), sx.data());
        solver.precondition(sx.data(), vsx.data());
        EXPECT_LE((x - vsx - error).norm(), 1e-5 * x.norm()) << solver.name();  // floats
        EXPECT_LT(error.norm(), 0.99 * x.norm());
    }
}

// Closed: what lies in the null space alone has no pressure to answer it.
TYPED_TEST(ReferenceSolverTest, AnswersOnlyWhatPressureCan) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(box_lift_case<D>(resolution<D>(), {0.1}, false));
    PressureSolver<D> ours(problem.make_operator(), problem.make_bodies());
    const auto values = random_values(ours.op(), 2);
    // A third: no multiple of it is a sum of powers of two, so a projection leaves some rounding.
    const VectorXd inflow = Eigen::Map<const VectorXd>(values.data(), problem.size()).unaryExpr([](double v) {
        return v != 0 ? 1. / 3 : 0.0;
    });
    const VectorXd gravity = gravity_right_hand_side<D>(problem), mixed = gravity + 0.1 * inflow;
    for (const auto method : methods) {
        auto solver = solver_for<D>(method, problem);
        VectorXd x = inflow;
        auto report = solver.solve(inflow.data(), x.data());
        EXPECT_TRUE(report.converged()) << solver.name() << ": " << to_string(report.status);
        EXPECT_NEAR(report.incompatibility, 1, 1e-12) << solver.name();
        EXPECT_LE(x.cwiseAbs().maxCoeff(), 1e-12) << solver.name();
        x.setZero();
        report = solver.solve(mixed.data(), x.data(), {.tolerance = 1e-8, .max_iterations = 20000});
        EXPECT_TRUE(report.converged()) << solver.name();
        EXPECT_NEAR(report.incompatibility, 0.1 * inflow.norm() / mixed.norm(), 1e-6) << solver.name();
        EXPECT_LE(residual<D>(solver, gravity, x), 1e-7) << solver.name();
    }
}

// Without bodies the whole system is the Poisson problem, and p0 to p3 are V-cycles.
TYPED_TEST(ReferenceSolverTest, NeedsNoBodies) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(box_lift_case<D>(resolution<D>(), {}, true));
    const VectorXd b = gravity_right_hand_side<D>(problem);
    PressureSolver<D> ours(problem.make_operator(), {});
    VectorXd expected = VectorXd::Zero(b.size());
    ASSERT_TRUE(ours.solve(b.data(), expected.data(), {.tolerance = 1e-11}).converged());
    for (const auto method : methods) {
        ReferenceSolver<D> solver(method, problem.make_operator(), {}, constraints_of<D>(problem));
        VectorXd x = VectorXd::Zero(b.size());
        EXPECT_TRUE(solver.solve(b.data(), x.data(), {.tolerance = 1e-9, .max_iterations = 5000}).converged());
        EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-5 * expected.cwiseAbs().maxCoeff()) << solver.name();
        EXPECT_EQ(solver.body_treatment(), "none");
    }
}

// A cell between a wall and a body has no free face: only the body's motion determines its pressure.
TYPED_TEST(ReferenceSolverTest, PocketsKeepTheirPressure) {
    constexpr int D = TypeParam::value;
    auto spec = box_lift_case<D>(resolution<D>(), {0.5}, true);
    const int n = resolution<D>();
    Coord<D> pocket = Coord<D>::Constant(n / 2);
    pocket[1] = n;
    const auto plain = spec.fill;
    // A slab across the middle with a hole of one cell in it, whose only other neighbour is a wall.
    spec.fill = [=](const Coord<D>& c) {
        if (!inside<D>(c, spec.cells)) return plain(c);
        Coord<D> below = pocket, r = c - pocket;
        below[1] -= 1;
        if (c == below) return wall;
        if (c == pocket) return fluid;
        r[1] = std::max(0, r[1]);
        if (c[1] >= n && c[1] < n + 4 && (r.array().abs() <= 4).all()) return body_cell(0);
        return fluid;
    };
    const auto fill = spec.fill;
    spec.fraction = [=](const Coord<D>& c, int axis) {
        return fill(c) > 0 || fill(Coord<D>(c - Coord<D>::Unit(axis))) > 0 ? 0.5 : 1.0;
    };
    const CoupledProblem<D> problem(spec);
    const VectorXd b = problem.g_bound.transpose() * VectorXd(problem.j * VectorXd::Unit(rigid_dof<D>, 1));
    PressureSolver<D> ours(problem.make_operator(), problem.make_bodies());
    ASSERT_EQ(ours.op().pockets().size(), 1u);
    VectorXd expected = VectorXd::Zero(b.size());
    ASSERT_TRUE(ours.solve(b.data(), expected.data(), {.tolerance = 1e-11}).converged());
    EXPECT_NE(expected[problem.place(pocket)], 0);
    for (const auto method : methods) {
        auto solver = solver_for<D>(method, problem);
        VectorXd x = VectorXd::Zero(b.size());
        EXPECT_TRUE(solver.solve(b.data(), x.data(), {.tolerance = 1e-9, .max_iterations = 20000}).converged())
            << solver.name();
        EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-5 * expected.cwiseAbs().maxCoeff()) << solver.name();
    }
}

TEST(ReferenceSolverPlane, NamesAreTheScenesWords) {
    const char* const words[] = {"cg-full", "cg-schur", "icpcg", "p0", "p1", "p2", "p3"};
    for (std::size_t i = 0; i < std::size(methods); ++i) {
        EXPECT_EQ(word_of(methods[i]), words[i]);
        EXPECT_EQ(with_word<ReferenceMethod>(words[i]), methods[i]);
        EXPECT_EQ(needs_constraints(methods[i]), methods[i] != cg_schur);
    }
    for (const char* word : {"auto", "p4", "", "P0", "cg"}) EXPECT_FALSE(with_word<ReferenceMethod>(word)) << word;
}

}  // namespace
}  // namespace tidelock
