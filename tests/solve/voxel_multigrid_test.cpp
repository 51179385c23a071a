/// What a preconditioner must be, on awkward domains: symmetric, positive, the same on any number of threads.
#include "solve/voxel_multigrid.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "constraint_problems.h"
#include "dimensions.h"
#include "solve/krylov.h"
#include "solve/reference_solver.h"

namespace tidelock {
namespace {

using Eigen::VectorXd;

template <class T>
class VoxelMultigridTest : public testing::Test {};
TYPED_TEST_SUITE(VoxelMultigridTest, Dimensions);

/// A = op + diag(extra).
template <int D>
struct Held {
    PoissonOperator<D> op;
    std::vector<double> extra;
    std::vector<Coord<D>> held;
    const char* what = "";

    void apply(const double* x, double* y) const {
        op.apply(x, y);
        for (std::size_t i = 0; i < extra.size(); ++i) y[i] += extra[i] * x[i];
    }
    [[nodiscard]] VoxelMultigrid<D> cycle(const VoxelMultigridOptions& options = {}) const {
        return VoxelMultigrid<D>(op, extra.data(), held, options);
    }
    [[nodiscard]] auto size() const { return static_cast<Eigen::Index>(op.size()); }
    [[nodiscard]] VectorXd random(std::uint64_t seed) const {
        const auto v = random_values(op, seed);
        return Eigen::Map<const VectorXd>(v.data(), size());
    }
    [[nodiscard]] VectorXd constant() const {
        return random(1).unaryExpr([](double v) { return v != 0 ? 1.0 : 0.0; });
    }
};

template <int D>
Held<D> from_problem(const CoupledProblem<D>& problem, const char* what) {
    Held<D> out{problem.make_operator(), {}, {}, what};
    out.extra.assign(static_cast<std::size_t>(out.op.size()), 0.0);
    if (problem.bodies() == 0) {
        out.held = held_cells<D>(problem);
        return out;
    }
    const auto constraints = constraints_of<D>(problem);
    constraints.add_stiffness(out.extra.data());
    out.held = constraints.held;
    return out;
}

template <int D>
Held<D> plain(PoissonOperator<D> op, const char* what, std::vector<Coord<D>> held = {}) {
    Held<D> out{std::move(op), {}, std::move(held), what};
    out.extra.assign(static_cast<std::size_t>(out.op.size()), 0.0);
    return out;
}

template <int D>
Coord<D> odd_cells() {
    if constexpr (D == 2)
        return {37, 51};
    else
        return {19, 23, 13};
}

/// A closed tank in two halves, between which a body without thickness stands: fluid on both sides of its faces.
template <int D>
Held<D> shell(int n) {
    Coord<D> cells = Coord<D>::Constant(n);
    const auto set = make_dense<D>(lattice_for<D>(cells));
    const int middle = n / 2;
    Held<D> out{PoissonOperator<D>(set, 1.0,
                                   [=](std::ptrdiff_t slot, PoissonBrick<D>& brick) {
                                       for (int i = 0; i < Brick<D>::cells; ++i) {
                                           const Coord<D> c = first_cell<D>(set->brick(slot)) + local_coord<D>(i);
                                           if ((c.array() >= cells.array()).any()) continue;
                                           brick.unknown[i] = 1;
                                           for (int a = 0; a < D; ++a)
                                               brick.conductance[a][i] = c[a] > 0 && (a != 0 || c[0] != middle);
                                       }
                                   }),
                {},
                {},
                "shell"};
    out.extra.assign(static_cast<std::size_t>(out.op.size()), 0.0);
    for (std::ptrdiff_t s = 0; s < set->count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(set->brick(s)) + local_coord<D>(i);
            if (out.op.unknown(s)[i] == 0 || (c[0] != middle && c[0] != middle - 1)) continue;
            out.extra[static_cast<std::size_t>(s * Brick<D>::cells + i)] = 4;  // half a dual cell on each side, halved
            out.held.push_back(c + (c[0] == middle ? -1 : 1) * Coord<D>::Unit(0));
        }
    return out;
}

template <int D>
std::vector<Held<D>> domains() {
    std::vector<Held<D>> out;
    out.push_back(plain<D>(box_domain<D>(odd_cells<D>(), false), "closed, odd"));
    const CoupledProblem<D> open(
        {odd_cells<D>(), [](const Coord<D>& c) {
             return inside<D>(c, odd_cells<D>()) ? fluid : c[1] >= odd_cells<D>()[1] ? air : wall;
         }});
    out.push_back(from_problem<D>(open, "open top, odd"));
    const int n = D == 2 ? 40 : 20;
    out.push_back(from_problem<D>(CoupledProblem<D>(box_lift_case<D>(n, {0.1}, true)), "box"));
    out.push_back(from_problem<D>(CoupledProblem<D>(box_lift_case<D>(n, {0.1, 1, 10}, false)), "three boxes, closed"));
    out.push_back(from_problem<D>(CoupledProblem<D>(mixed_case<D>({1, 2, 3, 4}, 1.7)), "mixed"));
    Coord<D> lattice = Coord<D>::Constant(D == 2 ? 5 : 4);
    out.push_back(plain<D>(random_domain<D>(lattice, 5, true), "random holes"));
    out.push_back(shell<D>(D == 2 ? 40 : 18));
    return out;
}

TYPED_TEST(VoxelMultigridTest, IsSymmetricAndPositive) {
    constexpr int D = TypeParam::value;
    for (const auto& domain : domains<D>()) {
        auto cycle = domain.cycle();
        EXPECT_EQ(cycle.levels(), 4) << domain.what;
        VectorXd vx(domain.size()), vy(domain.size());
        for (const std::uint64_t seed : {1, 2, 3, 4}) {
            const VectorXd x = domain.random(seed), y = domain.random(seed + 20);
            cycle.apply(x.data(), vx.data());
            cycle.apply(y.data(), vy.data());
            // Floats: 6e-8 a sum, over some hundred sums from end to end of a cycle.
            EXPECT_NEAR(x.dot(vy), y.dot(vx), 1e-5 * std::sqrt(x.dot(vx) * y.dot(vy))) << domain.what;
            EXPECT_GT(x.dot(vx), 0) << domain.what;
            // Nothing where there is no unknown.
            EXPECT_EQ(vx.cwiseProduct(VectorXd::Ones(domain.size()) - domain.constant()).cwiseAbs().maxCoeff(), 0);
        }
        const VectorXd one = domain.constant();
        cycle.apply(one.data(), vx.data());
        EXPECT_GT(one.dot(vx), 0) << domain.what;
    }
}

/// The largest eigenvalue of V A, by the power method in the inner product of A.
template <int D>
double largest_eigenvalue(const Held<D>& domain) {
    auto cycle = domain.cycle();
    return tidelock::largest_eigenvalue([&](const double* x, double* out) { domain.apply(x, out); },
                                        [&](const double* x, double* out) { cycle.apply(x, out); }, domain.random(3),
                                        60);
}

// Below 2, V by itself converges, and so does every P(s) stay positive where Sigma <= A11 (numerics/multigrid 8).
// Smooth errors must not be overshot: what is held stays held on coarse levels.
TYPED_TEST(VoxelMultigridTest, DoesNotOvershoot) {
    constexpr int D = TypeParam::value;
    const int n = D == 2 ? 40 : 20;
    std::vector<Held<D>> held;
    held.push_back(from_problem<D>(CoupledProblem<D>(box_lift_case<D>(n, {0.1}, true)), "box"));
    held.push_back(from_problem<D>(CoupledProblem<D>(box_lift_case<D>(n, {0.1, 1, 10}, false)), "three boxes, closed"));
    held.push_back(shell<D>(D == 2 ? 40 : 20));
    held.push_back(shell<D>(D == 2 ? 38 : 18));  // the shell lies within coarse cells
    for (const auto& domain : held) {
        const double value = largest_eigenvalue<D>(domain);
        EXPECT_LT(value, 1.9) << domain.what;
        EXPECT_GT(value, 0.7) << domain.what;
    }
}

// numerics/multigrid 9: 8 iterations are the yardstick for a static Poisson problem. Without bodies p0 is this cycle
// alone.
TEST(VoxelMultigridPlane, PreconditionsPlainPoisson) {
    for (const bool open_top : {true, false}) {
        const CoupledProblem<2> problem(box_lift_case<2>(64, {}, open_top));
        Constraints<2> none;
        none.held = held_cells<2>(problem);
        ReferenceSolver<2> solver(ReferenceMethod::p0, problem.make_operator(), {}, none);
        const VectorXd b = [&] {
            const auto v = random_values(solver.op(), 5);
            return VectorXd(Eigen::Map<const VectorXd>(v.data(), problem.size()));
        }();
        VectorXd x = VectorXd::Zero(problem.size());
        const auto report = solver.solve(b.data(), x.data());
        EXPECT_TRUE(report.converged());
        EXPECT_LE(report.iterations, 12) << open_top;
        EXPECT_EQ(solver.body_treatment(), "none");
    }
}

TYPED_TEST(VoxelMultigridTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const auto domain = from_problem<D>(CoupledProblem<D>(mixed_case<D>({1, 2, 3, 4}, 1.7)), "mixed");
    const VectorXd x = domain.random(8);
    VectorXd results[2] = {VectorXd(domain.size()), VectorXd(domain.size())};
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        auto cycle = domain.cycle();
        cycle.apply(x.data(), results[threads - 1].data());
        cycle.apply(x.data(), results[threads - 1].data());  // nothing is left over from the cycle before
        VectorXd fresh(domain.size());
        auto other = domain.cycle();
        other.apply(x.data(), fresh.data());
        EXPECT_EQ(fresh, results[threads - 1]);
    }
    EXPECT_EQ(std::memcmp(results[0].data(), results[1].data(), sizeof(double) * results[0].size()), 0);
}

// Units: V scales with 1 / conductance and with r, far beyond the range of floats.
TYPED_TEST(VoxelMultigridTest, IsLinearInScale) {
    constexpr int D = TypeParam::value;
    const auto domain = plain<D>(box_domain<D>(odd_cells<D>(), false), "closed, odd");
    const VectorXd x = domain.random(2), tiny = 0x1p-300 * x;
    VectorXd vx(domain.size()), vtiny(domain.size());
    auto cycle = domain.cycle();
    cycle.apply(x.data(), vx.data());
    cycle.apply(tiny.data(), vtiny.data());
    EXPECT_EQ(vx, 0x1p300 * vtiny);
    const VectorXd zero = VectorXd::Zero(domain.size());
    cycle.apply(zero.data(), vx.data());
    EXPECT_EQ(vx.cwiseAbs().maxCoeff(), 0);
}

TEST(VoxelMultigridPlane, OneLevelSolvesDirectly) {
    const auto domain = from_problem<2>(CoupledProblem<2>(box_lift_case<2>(16, {1}, true)), "box");
    auto cycle = domain.cycle({.levels = 1});
    EXPECT_EQ(cycle.levels(), 1);
    const VectorXd x = domain.random(6);
    VectorXd ax(domain.size()), back(domain.size());
    domain.apply(x.data(), ax.data());
    cycle.apply(ax.data(), back.data());
    EXPECT_LE((back - x).norm(), 1e-3 * x.norm());  // the shift of 1e-3 / n, times the condition
}

TEST(VoxelMultigridPlane, SaysWhatItCannotDo) {
    const auto domain = plain<2>(box_domain<2>({8, 8}, true), "box");
    EXPECT_THROW((void)domain.cycle({.levels = 0}), InputError);
    const auto empty = plain<2>(
        PoissonOperator<2>(make_dense<2>(lattice_for<2>({8, 8})), 1.0, [](std::ptrdiff_t, PoissonBrick<2>&) {}),
        "nothing");
    EXPECT_THROW((void)empty.cycle(), InputError);
}

}  // namespace
}  // namespace tidelock
