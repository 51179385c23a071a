/// Domains that are hardly domains: PressureSolver against a dense solve on all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "coupled_test_problems.h"
#include "dense_algebra.h"
#include "dimensions.h"
#include "solve/pressure_solver.h"

namespace tidelock {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class T>
class DegenerateDomains : public testing::Test {};
TYPED_TEST_SUITE(DegenerateDomains, Dimensions);

/// Solves for a random right-hand side and compares with a dense pseudo-inverse; returns the iterations.
template <int D>
int expect_dense_solution(const CoupledCase<D>& spec) {
    const CoupledProblem<D> problem(spec);
    PressureSolver<D> solver(problem.make_operator(), problem.make_bodies());
    const auto values = random_values(solver.op(), 1);
    VectorXd b = Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())),
             x = VectorXd::Zero(b.size());
    const auto report = solver.solve(b.data(), x.data(), {.tolerance = 1e-10});
    EXPECT_TRUE(report.converged()) << to_string(report.status) << " " << report.residual;
    EXPECT_TRUE(x.allFinite());
    std::vector<Eigen::Index> places;
    for (std::ptrdiff_t s = 0; s < solver.op().set().count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (solver.op().unknown(s)[i]) places.push_back(s * Brick<D>::cells + i);
    if (places.empty()) {
        EXPECT_EQ(x.cwiseAbs().maxCoeff(), 0);
        return report.iterations;
    }
    if (places.size() > 450 &&
        problem.bodies() == 0) {  // too many for a dense factorisation: the residual by the assembled matrices
        VectorXd r = b;
        const double removed = solver.null_space().project(r.data()).removed;
        r -= problem.laplacian() * x;
        EXPECT_LE(r.norm(), 1e-9 * b.norm());
        EXPECT_NEAR(report.incompatibility, removed / b.norm(), 1e-12);
        VectorXd null = x;
        EXPECT_LE(solver.null_space().project(null.data()).removed, 1e-12 * x.norm());
        return report.iterations;
    }
    MatrixXd sigma = MatrixXd(problem.laplacian())(places, places);
    if (problem.bodies() > 0) {
        const MatrixXd k = MatrixXd(problem.k())(Eigen::all, places);
        sigma += transposed_product(k, solve_llt(problem.lumped_mass(), k));
    }
    const VectorXd part = b(places), found = x(places);
    const double null = 1e-11;  // null values are rounding, others at least 1e-7 of the largest
    const VectorXd expected = least_squares(sigma, part, null);
    EXPECT_LE((found - expected).norm(), 1e-6 * expected.norm());  // tolerance times the condition
    const VectorXd left = part - sigma * expected;
    EXPECT_NEAR(report.incompatibility, left.norm() / part.norm(), 1e-7);
    x(places).setZero();
    EXPECT_EQ(x.cwiseAbs().maxCoeff(), 0);
    return report.iterations;
}

template <int D>
Coord<D> block(int x, int y, int z) {
    if constexpr (D == 2)
        return {x, y};
    else
        return {x, y, z};
}

/// A box of fluid cells [low, high) in a domain of `cells`, with or without an open top.
template <int D>
CoupledCase<D> pool(const Coord<D>& cells, const Coord<D>& low, const Coord<D>& high, bool open_top) {
    return {.cells = cells, .fill = [=](const Coord<D>& c) {
                if ((c.array() >= low.array()).all() && (c.array() < high.array()).all()) return fluid;
                return open_top && c[1] >= high[1] ? air : wall;
            }};
}

TYPED_TEST(DegenerateDomains, NoUnknowns) {
    constexpr int D = TypeParam::value;
    const auto set = make_dense<D>(Coord<D>::Constant(2));
    PressureSolver<D> solver(PoissonOperator<D>(set, 1.0, [](std::ptrdiff_t, PoissonBrick<D>&) {}));
    VectorXd b = VectorXd::Zero(solver.op().size()), x = b;
    EXPECT_TRUE(solver.solve(b.data(), x.data()).converged());
    EXPECT_EQ(x, b);
    EXPECT_EQ(solver.null_space().dimension(), 0);
    // Not even a brick.
    const auto none = make_where<D>(Coord<D>::Constant(2), [](const Coord<D>&) { return false; });
    PressureSolver<D> empty(PoissonOperator<D>(none, 1.0, [](std::ptrdiff_t, PoissonBrick<D>&) {}));
    b = x = VectorXd::Zero(empty.op().size());
    EXPECT_TRUE(empty.solve(b.data(), x.data()).converged());
    // A single closed cell has no row and is no unknown.
    const Coord<D> low = Coord<D>::Constant(3);
    EXPECT_EQ(expect_dense_solution<D>(pool<D>(Coord<D>::Constant(8), low, low + Coord<D>::Ones(), false)), 0);
}

TYPED_TEST(DegenerateDomains, FewUnknowns) {
    constexpr int D = TypeParam::value;
    const Coord<D> cells = (2 * brick_unit<D>()).template cast<int>();
    for (const bool open_top : {false, true})
        for (int length = open_top ? 1 : 2; length < 4; ++length)
            for (const int first : {0, Brick<D>::size[0] - 1}) {  // in a corner, and across the border of two bricks
                const Coord<D> low = block<D>(first, 3, 3);
                EXPECT_LE(expect_dense_solution<D>(pool<D>(cells, low, low + block<D>(length, 1, 1), open_top)), 2);
            }
}

TYPED_TEST(DegenerateDomains, ThinDomains) {
    constexpr int D = TypeParam::value;
    for (int axis = 0; axis < D; ++axis)
        for (const bool open_top : {false, true}) {
            Coord<D> line = Coord<D>::Ones(), sheet = Coord<D>::Constant(D == 2 ? 70 : 26);
            line[axis] = 3 * Brick<D>::size[axis] + 5;
            sheet[axis] = 1;
            // A line: the coarse levels see it all.
            EXPECT_LE(expect_dense_solution<D>(pool<D>(line, Coord<D>::Zero(), line, open_top)), 40) << axis;
            if constexpr (D == 3) {
                EXPECT_LE(expect_dense_solution<D>(pool<D>(sheet, Coord<D>::Zero(), sheet, open_top)), 25) << axis;
            }
        }
}

TYPED_TEST(DegenerateDomains, SizesThatAreNoMultipleOfABrick) {
    constexpr int D = TypeParam::value;
    for (const int extra : {1, 3, 5})
        for (const bool open_top : {false, true}) {
            Coord<D> cells = Coord<D>::Constant(7 + extra);
            cells[0] = Brick<D>::size[0] + extra;
            EXPECT_LE(expect_dense_solution<D>(pool<D>(cells, Coord<D>::Zero(), cells, open_top)), 20);
        }
}

TYPED_TEST(DegenerateDomains, SeparatePoolsOfDifferentHeights) {
    constexpr int D = TypeParam::value;
    const Coord<D> cells = block<D>(D == 2 ? 50 : 26, 14, 4);
    const auto fill = [=](const Coord<D>& c) {
        if (c[0] < 0 || c[0] >= cells[0] || c[1] < 0 || (D == 3 && (c[D - 1] < 0 || c[D - 1] >= cells[D - 1])))
            return wall;
        const int third = 3 * c[0] / cells[0];
        if (c[0] == cells[0] / 3 || c[0] == 2 * cells[0] / 3) return wall;
        const int height = third == 0 ? 5 : third == 1 ? 13 : 9;
        // The middle pool has a lid.
        return c[1] < height ? fluid : third == 1 ? wall : air;
    };
    EXPECT_LE(expect_dense_solution<D>({.cells = cells, .fill = fill}), 25);
}

TYPED_TEST(DegenerateDomains, FluidInsideABody) {
    constexpr int D = TypeParam::value;
    const Coord<D> cells = Coord<D>::Constant(D == 2 ? 24 : 8);
    const Vec<D> unit = cells.template cast<double>() / 10;
    for (const bool open_top : {false, true})
        for (const double density : {1e-3, 1.0, 1e3}) {
            const auto fill = [=](const Coord<D>& c) {
                if (!inside<D>(c, cells)) return open_top && c[1] >= cells[1] ? air : wall;
                if (in_box<D>(c, unit, {4, 4, 4}, {6.3, 6.3, 6.3})) return fluid;
                return in_box<D>(c, unit, {2.6, 2.6, 2.6}, {7.6, 7.6, 7.6}) ? body_cell(0) : fluid;
            };
            EXPECT_LE(expect_dense_solution<D>({.cells = cells, .fill = fill, .density = {density}}), 30);
        }
}

TYPED_TEST(DegenerateDomains, Pistons) {
    constexpr int D = TypeParam::value;
    const Coord<D> cells = block<D>(9, D == 2 ? 60 : 18, 4);
    for (const bool open_top : {false, true})
        for (const double density : {1e-3, 1.0, 1e3}) {
            const auto fill = [=](const Coord<D>& c) {
                if (!inside<D>(c, cells)) return open_top && c[1] >= cells[1] ? air : wall;
                return 2 * c[1] >= cells[1] && 2 * c[1] < cells[1] + 6 ? body_cell(0) : fluid;
            };
            EXPECT_LE(expect_dense_solution<D>({.cells = cells, .fill = fill, .density = {density}}), 30) << density;
        }
}

/// A body on a floor with holes of one cell under it; `holes` is asked for the cells of the floor.
template <int D>
CoupledCase<D> body_over_holes(const Fill<D>& holes, double density) {
    const Coord<D> cells = Coord<D>::Constant(9);
    const auto fill = [=](const Coord<D>& c) {
        if (!inside<D>(c, cells)) return c[1] >= cells[1] ? air : wall;
        if (c[1] == 0) return holes(c);
        return in_box<D>(c, Vec<D>::Ones(), {3, 1, 3}, {7, 5, 7}) ? body_cell(0) : fluid;
    };
    return {.cells = cells, .fill = fill, .density = {density}};
}

/// A cell that only a body and walls touch has no row in L_N, but one in Sigma: the body cannot move into it.
TYPED_TEST(DegenerateDomains, PocketOfOneCellBehindABody) {
    constexpr int D = TypeParam::value;
    const Coord<D> hole = block<D>(4, 0, 4);
    for (const double density : {1e-3, 1.0, 1e3}) {
        const auto spec = body_over_holes<D>([=](const Coord<D>& c) { return c == hole ? fluid : wall; }, density);
        EXPECT_LE(expect_dense_solution<D>(spec), 30);
        const CoupledProblem<D> problem(spec);
        const auto op = problem.make_operator();
        ASSERT_EQ(op.pockets().size(), 1u);
        PressureSolver<D> solver(problem.make_operator(), problem.make_bodies());
        EXPECT_EQ(solver.op().unknowns(), op.unknowns() + 1);
        // Without a body that touches it, it is no unknown: its floor is a wall.
        EXPECT_EQ(PressureSolver<D>(problem.make_operator()).op().unknowns(), op.unknowns());
        // A body that falls straight on the hole stops there: (K^T v)_hole = 0 for its new velocity v.
        VectorXd v = VectorXd::Zero(rigid_dof<D>), b = VectorXd::Zero(problem.size()), x = b;
        v[1] = -1;
        b = problem.k().transpose() * v;
        EXPECT_NEAR(std::abs(b[problem.place(hole)]), 1, 1e-12);
        EXPECT_TRUE(solver.solve(b.data(), x.data(), {.tolerance = 1e-11}).converged());
        v -= problem.solve_mass(problem.k() * x);
        const VectorXd flux = problem.k().transpose() * v;
        EXPECT_LE(std::abs(flux[problem.place(hole)]), 1e-11 * b.norm());
        EXPECT_GT(x[problem.place(hole)], 0);  // it carries the body
    }
}

/// More pockets than a body has degrees of freedom: pressures that move no body are in the null space.
TYPED_TEST(DegenerateDomains, ManyPocketsBehindABody) {
    constexpr int D = TypeParam::value;
    const Fill<D> holes = [](const Coord<D>& c) {
        return c[0] >= 3 && c[0] < 7 && (D == 2 || (c[D - 1] >= 3 && c[D - 1] < 7)) && c.sum() % 2 == 0 ? fluid : wall;
    };
    for (const double density : {1e-3, 1.0, 1e3}) {
        const auto spec = body_over_holes<D>(holes, density);
        EXPECT_LE(expect_dense_solution<D>(spec), 40);
        const CoupledProblem<D> problem(spec);
        const PressureSolver<D> solver(problem.make_operator(), problem.make_bodies());
        const int pockets = D == 2 ? 2 : 8;
        ASSERT_EQ(solver.op().pockets().size(), static_cast<std::size_t>(pockets));
        // They push along y at different places: one force, one torque in the plane, two in space.
        EXPECT_EQ(solver.null_space().dimension(), pockets - D);
    }
}

}  // namespace
}  // namespace tidelock
