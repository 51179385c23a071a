#include "solve/krylov.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "dense_algebra.h"

namespace tidelock {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
    const Random random(seed);
    return MatrixXd::NullaryExpr(rows, cols, [&](Eigen::Index i, Eigen::Index j) {
        return random.normal(static_cast<std::uint64_t>(i * cols + j));
    });
}
VectorXd random_vector(Eigen::Index n, std::uint64_t seed) { return random_matrix(n, 1, seed); }

/// Symmetric, with these eigenvalues and random eigenvectors.
MatrixXd with_eigenvalues(const VectorXd& values, std::uint64_t seed) {
    const MatrixXd q = orthonormal_factor(random_matrix(values.size(), values.size(), seed));
    const MatrixXd a = product(q * values.asDiagonal(), q.transpose());
    return 0.5 * (a + a.transpose());
}

Apply multiply(const MatrixXd& a) {
    return [a](const double* in, double* out) {
        Eigen::Map<VectorXd>(out, a.rows()) = a * Eigen::Map<const VectorXd>(in, a.cols());
    };
}
LinearSystem dense(const MatrixXd& a) {
    return {.size = a.rows(), .apply = multiply(a), .precondition = {}, .project = {}};
}

using Solver = SolveReport (*)(const LinearSystem&, const double*, double*, const SolveOptions&);
constexpr Solver all_solvers[] = {conjugate_gradients, flexible_conjugate_gradients, minres};

TEST(Krylov, AgreesWithDenseSolve) {
    for (const Eigen::Index n : {1, 2, 17, 60}) {
        const MatrixXd a = with_eigenvalues(VectorXd::LinSpaced(n, 1, 50), 3);
        const VectorXd b = random_vector(n, 4), exact = solve_ldlt(a, b);
        for (const bool preconditioned : {false, true})
            for (const auto solver : all_solvers) {
                auto system = dense(a);
                // A full symmetric positive definite preconditioner: the inverse of a perturbed matrix.
                if (preconditioned)
                    system.precondition =
                        multiply(inverse(a + 2.0 * with_eigenvalues(VectorXd::LinSpaced(n, 0, 1), 8)));
                VectorXd x = random_vector(n, 5);
                const auto report = solver(system, b.data(), x.data(), {.tolerance = 1e-13, .record_history = true});
                EXPECT_TRUE(report.converged()) << n << " " << report.residual;
                EXPECT_LE((x - exact).norm(), 1e-10 * exact.norm());
                EXPECT_NEAR(report.residual, (b - a * x).norm() / b.norm(), 1e-14);
                EXPECT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations));
                EXPECT_EQ(report.times.size(), report.history.size());
            }
    }
}

TEST(Krylov, EndsAfterAsManyStepsAsThereAreEigenvalues) {
    VectorXd values(40);
    for (Eigen::Index i = 0; i < 40; ++i) values[i] = static_cast<double>(i % 5 + 1) * 1.5;
    const MatrixXd a = with_eigenvalues(values, 6);
    const VectorXd b = random_vector(40, 7);
    for (const auto solver : all_solvers) {
        VectorXd x = VectorXd::Zero(40);
        const auto report = solver(dense(a), b.data(), x.data(), {.tolerance = 1e-10});
        EXPECT_TRUE(report.converged());
        EXPECT_LE(report.iterations, 5);
    }
}

TEST(Krylov, FlexibleBearsAPreconditionerThatChanges) {
    const Eigen::Index n = 200;
    const MatrixXd a =
        with_eigenvalues(VectorXd::LinSpaced(n, -3, 1).array().unaryExpr([](double e) { return std::pow(10, e); }), 9);
    const VectorXd b = random_vector(n, 10);
    auto system = dense(a);
    // The inverse of a regularised matrix, every other time with its small parts cut off: mildly nonlinear.
    const MatrixXd regular = inverse(a + 0.02 * MatrixXd::Identity(n, n));
    system.precondition = [&](const double* in, double* out) {
        const Eigen::Map<const VectorXd> r(in, n);
        Eigen::Map<VectorXd> z(out, n);
        z = regular * r;
        const double cut = 0.1 * z.cwiseAbs().maxCoeff();
        for (double& v : z)
            if (std::abs(v) < cut) v *= 0.5;
    };
    VectorXd x = VectorXd::Zero(n), y = x;
    const SolveOptions options{.tolerance = 1e-10, .max_iterations = 400};
    const auto flexible = flexible_conjugate_gradients(system, b.data(), x.data(), options);
    const auto textbook = conjugate_gradients(system, b.data(), y.data(), options);
    EXPECT_TRUE(flexible.converged());
    EXPECT_LT(flexible.iterations * 1.3, textbook.iterations) << flexible.residual << " " << textbook.residual;
}

TEST(Minres, SolvesIndefiniteAndKktSystems) {
    const Eigen::Index n = 40, m = 12;
    MatrixXd kkt = MatrixXd::Zero(n + m, n + m);
    const MatrixXd block = with_eigenvalues(VectorXd::LinSpaced(n, 1, 10), 12);
    kkt.topLeftCorner(n, n) = block;
    kkt.topRightCorner(n, m) = random_matrix(n, m, 13);
    kkt.bottomLeftCorner(m, n) = kkt.topRightCorner(n, m).transpose();
    const VectorXd b = random_vector(n + m, 14), exact = solve_lu(kkt, b);
    // Block diagonal with the positive Schur complement: three distinct eigenvalues [MGW00].
    MatrixXd ideal = MatrixXd::Zero(n + m, n + m);
    ideal.topLeftCorner(n, n) = inverse(block);
    ideal.bottomRightCorner(m, m) =
        inverse(product(product(kkt.bottomLeftCorner(m, n), inverse(block)), kkt.topRightCorner(n, m)));
    for (const bool preconditioned : {false, true}) {
        auto system = dense(kkt);
        if (preconditioned) system.precondition = multiply(ideal);
        VectorXd x = VectorXd::Zero(n + m);
        const auto report = minres(system, b.data(), x.data(), {.tolerance = 1e-12});
        EXPECT_TRUE(report.converged()) << report.residual;
        EXPECT_LE((x - exact).norm(), 1e-10 * exact.norm());
        if (preconditioned) {
            EXPECT_LE(report.iterations, 4);
        }
    }
    VectorXd x = VectorXd::Zero(n + m);
    EXPECT_EQ(conjugate_gradients(dense(-kkt), b.data(), x.data()).status, SolveStatus::breakdown);
}

TEST(Minres, ResidualNeverRisesAndMatchesTheRecurrence) {
    const Eigen::Index n = 50;
    const MatrixXd a = with_eigenvalues(VectorXd::LinSpaced(n, -20, 30.5), 15);
    const VectorXd b = random_vector(n, 16);
    VectorXd last = VectorXd::Zero(n);
    const auto report = minres(dense(a), b.data(), last.data(), {.tolerance = 1e-9, .record_history = true});
    for (int k = 1; k <= report.iterations; k += 7) {
        VectorXd x = VectorXd::Zero(n);
        const auto part = minres(dense(a), b.data(), x.data(), {.tolerance = 1e-9, .max_iterations = k});
        EXPECT_NEAR(part.residual, report.history[static_cast<std::size_t>(k - 1)], 1e-9);
        if (k > 1) {
            EXPECT_LE(report.history[static_cast<std::size_t>(k - 1)], report.history[static_cast<std::size_t>(k - 2)]);
        }
    }
}

TEST(Krylov, SingularConsistentSystems) {
    VectorXd values = VectorXd::LinSpaced(30, 1, 9);
    values[0] = 0;
    const MatrixXd a = with_eigenvalues(values, 17);
    const VectorXd null = lowest_eigenvector(a);
    const VectorXd exact = random_vector(30, 18), b = a * exact;
    for (const auto solver : all_solvers) {
        VectorXd x = VectorXd::Zero(30);
        const auto report = solver(dense(a), b.data(), x.data(), {.tolerance = 1e-11});
        EXPECT_TRUE(report.converged());
        const VectorXd error = x - exact;
        EXPECT_LE((error - null * null.dot(error)).norm(), 1e-9 * exact.norm());
    }
}

TEST(Krylov, ProjectorRemovesAndReportsTheIncompatiblePart) {
    VectorXd values = VectorXd::LinSpaced(30, 1, 9);
    values[0] = 0;
    const MatrixXd a = with_eigenvalues(values, 19);
    const VectorXd null = lowest_eigenvector(a);
    const VectorXd good = a * random_vector(30, 20), b = good + 0.5 * good.norm() * null;
    auto system = dense(a);
    system.project = [&](double* v) {
        Eigen::Map<VectorXd> w(v, 30);
        w -= null * null.dot(w);
    };
    for (const auto solver : all_solvers) {
        VectorXd x = VectorXd::Zero(30);
        const auto report = solver(system, b.data(), x.data(), {.tolerance = 1e-11});
        EXPECT_TRUE(report.converged());
        EXPECT_NEAR(report.incompatibility, 0.5 / std::sqrt(1.25), 1e-12);
        EXPECT_LE((a * x - good).norm(), 1e-10 * good.norm());
        const auto hopeless = solver(system, null.data(), x.data(), {});
        EXPECT_TRUE(hopeless.converged());
        EXPECT_NEAR(hopeless.incompatibility, 1, 1e-12);
        EXPECT_EQ(x.norm(), 0);
    }
}

TEST(Krylov, EveryStatusCanBeReached) {
    const MatrixXd a = with_eigenvalues(VectorXd::LinSpaced(50, 1, 1000), 21);
    const VectorXd b = random_vector(50, 22), guess = 1e-3 * random_vector(50, 23);
    for (const auto solver : all_solvers) {
        VectorXd x = guess;
        const auto limited = solver(dense(a), b.data(), x.data(), {.tolerance = 1e-12, .max_iterations = 5});
        EXPECT_EQ(limited.status, SolveStatus::iteration_limit);
        EXPECT_EQ(limited.iterations, 5);
        EXPECT_NEAR(limited.residual, (b - a * x).norm() / b.norm(), 1e-14);

        // Only the fourth product is slow: how busy the machine is does not matter.
        auto slow = dense(a);
        int products = 0;
        slow.apply = [&](const double* in, double* out) {
            if (++products == 4) std::this_thread::sleep_for(std::chrono::milliseconds(600));
            multiply(a)(in, out);
        };
        x = guess;
        const auto late = solver(slow, b.data(), x.data(), {.tolerance = 1e-12, .time_limit = 0.5});
        EXPECT_EQ(late.status, SolveStatus::time_limit);
        EXPECT_GT(late.iterations, 0);
        EXPECT_LT(late.iterations, 5);

        auto negative = dense(a);
        negative.precondition = multiply(-MatrixXd::Identity(50, 50));
        x = guess;
        EXPECT_EQ(solver(negative, b.data(), x.data(), {}).status, SolveStatus::breakdown);
        EXPECT_EQ(x, guess);

        VectorXd bad = b;
        for (const double value : {nan, infinity, -infinity}) {
            bad[17] = value;
            x = guess;
            EXPECT_EQ(solver(dense(a), bad.data(), x.data(), {}).status, SolveStatus::not_finite);
            EXPECT_EQ(x, guess);
            x[3] = value;
            EXPECT_EQ(solver(dense(a), b.data(), x.data(), {}).status, SolveStatus::not_finite);
        }
        x = guess;
        const VectorXd zero = VectorXd::Zero(50);
        const auto nothing = solver(dense(a), zero.data(), x.data(), {});
        EXPECT_TRUE(nothing.converged());
        EXPECT_EQ(nothing.iterations, 0);
        EXPECT_EQ(x.norm(), 0);

        x = solve_ldlt(a, b);
        const auto there = solver(dense(a), b.data(), x.data(), {});
        EXPECT_TRUE(there.converged());
        EXPECT_EQ(there.iterations, 0);
    }
}

TEST(Krylov, NothingNonFiniteReachesX) {
    const MatrixXd a = with_eigenvalues(VectorXd::LinSpaced(20, 1, 30), 24);
    const VectorXd b = random_vector(20, 25);
    for (const auto solver : all_solvers)
        for (const int poisoned : {1, 2, 4}) {
            int calls = 0;
            auto system = dense(a);
            system.apply = [&](const double* in, double* out) {
                multiply(a)(in, out);
                if (++calls == poisoned) out[7] = nan;
            };
            VectorXd x = VectorXd::Zero(20);
            const auto report = solver(system, b.data(), x.data(), {.tolerance = 1e-12});
            EXPECT_EQ(report.status, SolveStatus::breakdown);
            EXPECT_TRUE(x.allFinite());
        }
    VectorXd huge = b * 1e200, x = VectorXd::Zero(20);
    EXPECT_EQ(conjugate_gradients(dense(a), huge.data(), x.data()).status, SolveStatus::breakdown);
    VectorXd tiny = b * 1e-200;
    EXPECT_EQ(conjugate_gradients(dense(a), tiny.data(), x.data()).status, SolveStatus::breakdown);
    EXPECT_EQ(x.norm(), 0);
}

// At a limit the latest iterate is kept: its error in the energy norm is the least, whatever its residual does.
TEST(Krylov, KeepsTheIterateOfLeastEnergy) {
    // A wide spectrum: the 2-norm of CG's residual rises and falls.
    const Eigen::Index n = 80;
    const MatrixXd a =
        with_eigenvalues(VectorXd::LinSpaced(n, -5, 0).array().unaryExpr([](double e) { return std::pow(10, e); }), 26);
    const VectorXd b = a * random_vector(n, 27);
    for (const auto solver : {conjugate_gradients, flexible_conjugate_gradients}) {
        int rises = 0;
        double last = std::numeric_limits<double>::infinity();
        for (int k = 0; k <= 60; ++k) {
            VectorXd x = VectorXd::Zero(n);
            const auto report =
                solver(dense(a), b.data(), x.data(), {.tolerance = 1e-12, .max_iterations = k, .record_history = true});
            const double energy = 0.5 * x.dot(a * x) - b.dot(x);
            EXPECT_LE(energy, last) << k << " iterations";
            last = energy;
            double best = report.initial_residual;
            for (const double r : report.history) best = std::min(best, r);
            if (report.residual > 1.1 * best) ++rises;
        }
        EXPECT_GT(rises, 5);  // else this test shows nothing
    }
}

TEST(Krylov, DoesNotClaimWhatRoundingDenies) {
    // Condition 1e12 from a guess far off: the recurrence drifts away from the true residual.
    const Eigen::Index n = 60;
    const MatrixXd a = with_eigenvalues(
        VectorXd::LinSpaced(n, -12, 0).array().unaryExpr([](double e) { return std::pow(10, e); }), 28);
    const VectorXd b = random_vector(n, 29);
    for (const auto solver : all_solvers)
        for (const double tolerance : {1e-3, 1e-9, 1e-15}) {
            VectorXd x = 1e6 * random_vector(n, 30);
            const auto report = solver(dense(a), b.data(), x.data(), {.tolerance = tolerance, .max_iterations = 3000});
            const double truth = (b - a * x).norm() / b.norm();
            EXPECT_NEAR(report.residual, truth, 1e-2 * truth + 1e-16);
            EXPECT_EQ(report.converged(), report.residual <= tolerance);
            EXPECT_LE(report.residual, report.initial_residual);
        }
}

TEST(Krylov, SameBitsOnOneAndTwoThreads) {
    constexpr std::ptrdiff_t n = 20000;
    const auto laplace = [](const double* in, double* out) {
        for (std::ptrdiff_t i = 0; i < n; ++i)
            out[i] = 2.01 * in[i] - (i > 0 ? in[i - 1] : 0) - (i + 1 < n ? in[i + 1] : 0);
    };
    const LinearSystem system{.size = n, .apply = laplace, .precondition = {}, .project = {}};
    const VectorXd b = random_vector(n, 31);
    for (const auto solver : all_solvers) {
        VectorXd x[2] = {VectorXd::Zero(n), VectorXd::Zero(n)};
        SolveReport reports[2];
        for (const int threads : {1, 2}) {
            const ThreadLimit limit(threads);
            reports[threads - 1] = solver(system, b.data(), x[threads - 1].data(), {.tolerance = 1e-8});
        }
        EXPECT_TRUE(reports[0].converged());
        EXPECT_EQ(reports[0].iterations, reports[1].iterations);
        EXPECT_EQ(reports[0].residual, reports[1].residual);
        EXPECT_TRUE((x[0].array() == x[1].array()).all());
    }
}

TEST(Krylov, RejectsWrongOptions) {
    const MatrixXd a = MatrixXd::Identity(3, 3);
    const VectorXd b = VectorXd::Ones(3);
    VectorXd x = VectorXd::Zero(3);
    for (const double tolerance : {0.0, -1.0, 1.0, 2.0, nan})
        EXPECT_THROW((void)conjugate_gradients(dense(a), b.data(), x.data(), {.tolerance = tolerance}), InputError);
    EXPECT_THROW((void)minres(dense(a), b.data(), x.data(), {.max_iterations = -1}), InputError);
    for (const double limit : {-1.0, nan, infinity})
        EXPECT_THROW((void)minres(dense(a), b.data(), x.data(), {.time_limit = limit}), InputError);
    EXPECT_THROW((void)minres({.size = 3, .apply = {}, .precondition = {}, .project = {}}, b.data(), x.data()),
                 InputError);
}

}  // namespace
}  // namespace tidelock
