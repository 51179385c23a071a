#include "poisson_problems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <queue>

#include "base/error.h"
#include "base/parallel.h"
#include "dimensions.h"
#include "solve/incomplete_cholesky.h"
#include "solve/krylov.h"
#include "solve/vector_ops.h"

namespace tidelock::bench {
namespace {

template <class T>
class PoissonProblems : public testing::Test {};
TYPED_TEST_SUITE(PoissonProblems, Dimensions);

template <int D>
Coord<D> small() {
    if constexpr (D == 2)
        return {48, 96};
    else
        return {32, 40, 32};
}

std::vector<ProblemSpec> all_specs() {
    std::vector<ProblemSpec> specs;
    for (const auto* domain : {"closed", "open", "surface", "sparse"})
        for (const auto* body : {"static", "dynamic", "eight", "jump"}) specs.push_back({domain, body, 0.1});
    return specs;
}

/// Unknowns connected to the first one by open faces.
template <int D>
std::ptrdiff_t first_region(const PoissonOperator<D>& op) {
    std::vector<char> seen(static_cast<std::size_t>(op.size()), 0);
    std::queue<Coord<D>> queue;
    std::ptrdiff_t count = 0;
    const auto visit = [&](const Coord<D>& c) {
        const auto slot = op.set().find(brick_of<D>(c));
        auto& mark =
            seen[static_cast<std::size_t>(slot) * Brick<D>::cells + static_cast<std::size_t>(local_index<D>(c))];
        if (!mark) mark = 1, ++count, queue.push(c);
    };
    for (std::ptrdiff_t b = 0; b < op.set().count() && queue.empty(); ++b)
        for (int i = 0; i < Brick<D>::cells && queue.empty(); ++i)
            if (op.unknown(b)[i]) visit(first_cell<D>(op.set().brick(b)) + local_coord<D>(i));
    while (!queue.empty()) {
        const Coord<D> c = queue.front();
        queue.pop();
        const auto slot = op.set().find(brick_of<D>(c));
        for (int a = 0; a < D; ++a) {
            Coord<D> n = c;
            --n[a];
            if (op.conductance(a, slot)[local_index<D>(c)] > 0) visit(n);
            n[a] += 2;
            if (op.upper_conductance(a, slot, local_index<D>(c)) > 0) visit(n);
        }
    }
    return count;
}

TYPED_TEST(PoissonProblems, AreWhatTheirDescriptionSays) {
    constexpr int D = TypeParam::value;
    for (const auto& spec : all_specs()) {
        SCOPED_TRACE(spec.name());
        const auto problem = make_problem<D>(spec, small<D>());
        const auto op = problem.make_operator();
        EXPECT_EQ(op.unknowns(), problem.fluid_cells);
        EXPECT_EQ(first_region<D>(op),
                  op.unknowns());  // one region: `singular` says whether constants are in the null space
        const double share = static_cast<double>(op.unknowns()) / small<D>().template cast<double>().prod();
        if (spec.domain == "surface") {
            EXPECT_NEAR(share, 0.35, 0.08);
        }
        if (spec.domain == "sparse") {
            EXPECT_LT(share, 0.05);
        }
        double excess = 0, sum = 0, outside = 0;
        std::vector<double> ones(problem.rhs.size(), 0.0);
        for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const auto at = static_cast<std::size_t>(b * Brick<D>::cells + i);
                excess += op.excess(b)[i], sum += problem.rhs[at], ones[at] = op.unknown(b)[i];
                if (!op.unknown(b)[i]) outside += std::abs(problem.rhs[at]);
                EXPECT_LE(op.excess(b)[i], 2 * D * 100.0);  // theta >= 0.01
            }
        EXPECT_EQ(excess == 0, problem.singular);
        EXPECT_EQ(outside, 0);
        if (problem.singular) {
            EXPECT_NEAR(sum, 0, 1e-10);
        }
        EXPECT_EQ(problem.bodies.bodies(), spec.body == "dynamic" ? 1 : spec.body == "eight" ? 8 : 0);
        // A uniform pressure around a whole voxel body exerts nothing (numerics/coupling 5).
        if (problem.singular && !problem.bodies.empty()) {
            EXPECT_LE(problem.bodies.gather(ones.data()).cwiseAbs().maxCoeff(), 1e-11);
        }
    }
}

TYPED_TEST(PoissonProblems, AreSolvedByIncompleteCholeskyConjugateGradients) {
    constexpr int D = TypeParam::value;
    for (const auto& spec : all_specs()) {
        SCOPED_TRACE(spec.name());
        const auto problem = make_problem<D>(spec, small<D>());
        const auto op = problem.make_operator();
        const IncompleteCholesky<D> ic(op);
        LinearSystem system{.size = op.size(),
                            .apply = {},
                            .precondition = [&](const double* in, double* out) { ic.apply(in, out); },
                            .project = {}};
        system.apply = [&](const double* in, double* out) {
            op.apply(in, out);
            std::fill(out + op.set().cells(), out + op.size(), 0.0);
            if (!problem.bodies.empty()) problem.bodies.apply_add(in, out);
        };
        std::vector<double> x(problem.rhs.size(), 0.0);
        const auto report = conjugate_gradients(system, problem.rhs.data(), x.data(), {.tolerance = 1e-8});
        EXPECT_TRUE(report.converged()) << report.residual;
        EXPECT_LE(report.iterations, 120);
    }
}

TYPED_TEST(PoissonProblems, SameBitsOnOneAndTwoThreads) {
    constexpr int D = TypeParam::value;
    std::vector<double> rhs[2];
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        rhs[threads - 1] = make_problem<D>({"surface", "dynamic", 0.1}, small<D>()).rhs;
    }
    EXPECT_EQ(rhs[0], rhs[1]);
    EXPECT_THROW((void)make_problem<D>({"nowhere", "static", 1}, small<D>()), InputError);
    EXPECT_THROW((void)make_problem<D>({"closed", "ghost", 1}, small<D>()), InputError);
}

}  // namespace
}  // namespace tidelock::bench
