/// Unknowns that share a value: numerics/bubbles 1.
#include <gtest/gtest.h>

#include "base/random.h"
#include "coupled_test_problems.h"
#include "dense_algebra.h"
#include "dimensions.h"
#include "solve/colour_order.h"
#include "solve/pressure_solver.h"

namespace tidelock {
namespace {

/// A box of cells, the first row next to a known value; `groups` of cells merged.
template <int D>
struct Merged {
    int n;
    BrickSetPtr<D> set;
    std::vector<std::vector<Coord<D>>> groups;

    [[nodiscard]] bool inside(const Coord<D>& c) const { return (c.array() >= 0).all() && (c.array() < n).all(); }
    [[nodiscard]] int group_of(const Coord<D>& c) const {
        for (std::size_t g = 0; g < groups.size(); ++g)
            for (const auto& cell : groups[g])
                if (cell == c) return static_cast<int>(g);
        return -1;
    }
    /// Links inside a group are good conductors: they must not matter.
    [[nodiscard]] double link(const Coord<D>& a, const Coord<D>& b) const {
        const int ga = group_of(a), gb = group_of(b);
        return ga >= 0 && ga == gb ? 1000 : 1 + 0.1 * ((a.sum() + b.sum()) % 5);
    }
    [[nodiscard]] MergedCells<D> merged() const {
        std::vector<std::vector<CellPlace>> places;
        for (const auto& group : groups) {
            places.emplace_back();
            for (const auto& c : group) places.back().push_back({set->find(brick_of<D>(c)), local_index<D>(c)});
        }
        return MergedCells<D>(places);
    }
    [[nodiscard]] PoissonOperator<D> op() const {
        return PoissonOperator<D>(set, 1.0, [&](std::ptrdiff_t slot, PoissonBrick<D>& out) {
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = first_cell<D>(set->brick(slot)) + local_coord<D>(i);
                if (!inside(cell)) continue;
                out.unknown[i] = 1;
                if (cell[0] == 0) out.excess[i] = 2;
                for (int a = 0; a < D; ++a) {
                    Coord<D> below = cell;
                    below[a] -= 1;
                    if (inside(below)) out.conductance[a][i] = link(below, cell);
                }
            }
        });
    }
};

// Against the Laplacian of the graph in which the cells of a group are one vertex, assembled densely.
TEST(MergedCells, IsTheGraphWithOneVertexPerGroup) {
    constexpr int n = 12;
    Merged<2> problem{n, make_dense<2>(lattice_for<2>(Coord2(n, n))), {}};
    problem.groups.push_back({{3, 3}, {3, 4}, {4, 3}, {4, 4}, {5, 4}});
    problem.groups.push_back({{8, 8}, {8, 9}});
    problem.groups.push_back({{1, 10}});
    // Vertices: groups first, then the other cells.
    std::vector<int> vertex(n * n, -1);
    int count = static_cast<int>(problem.groups.size());
    const auto at = [&](const Coord2& c) { return c[0] + n * c[1]; };
    for (int k = 0; k < n * n; ++k) {
        const Coord2 c(k % n, k / n);
        const int g = problem.group_of(c);
        vertex[static_cast<std::size_t>(k)] = g >= 0 ? g : count++;
    }
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
    Eigen::VectorXd rhs = Eigen::VectorXd::Zero(count);
    PressureSolver<2> solver(problem.op(), {}, {}, problem.merged());
    std::vector<double> b(static_cast<std::size_t>(solver.op().size()), 0.0), x(b.size(), 0.0);
    const Random random(7);
    const auto place = [&](const Coord2& c) {
        return static_cast<std::size_t>(problem.set->find(brick_of<2>(c)) * Brick<2>::cells + local_index<2>(c));
    };
    for (int k = 0; k < n * n; ++k) {
        const Coord2 c(k % n, k / n);
        const int v = vertex[static_cast<std::size_t>(k)];
        b[place(c)] = random.uniform(static_cast<std::uint64_t>(k), 0) - 0.5;
        rhs[v] += b[place(c)];
        if (c[0] == 0) matrix(v, v) += 2;
        for (int a = 0; a < 2; ++a) {
            Coord2 below = c;
            below[a] -= 1;
            if (!problem.inside(below)) continue;
            const int w = vertex[static_cast<std::size_t>(at(below))];
            if (v == w) continue;
            const double l = problem.link(below, c);
            matrix(v, v) += l, matrix(w, w) += l, matrix(v, w) -= l, matrix(w, v) -= l;
        }
    }
    const Eigen::VectorXd exact = solve_ldlt(matrix, rhs);
    SolveOptions options;
    options.tolerance = 1e-13;
    EXPECT_TRUE(solver.solve(b.data(), x.data(), options).converged());
    for (int k = 0; k < n * n; ++k)
        EXPECT_NEAR(x[place(Coord2(k % n, k / n))], exact[vertex[static_cast<std::size_t>(k)]], 1e-11) << k;
}

TEST(MergedCells, NumbersThatAreNotFiniteAreRefusedAndTheGuessIsLeftAlone) {
    Merged<2> problem{12, make_dense<2>(lattice_for<2>(Coord2(12, 12))), {{{3, 3}, {3, 4}, {4, 3}}}};
    PressureSolver<2> solver(problem.op(), {}, {}, problem.merged());
    const auto good = random_values(solver.op(), 1);
    auto b = good, x = random_values(solver.op(), 2);
    const auto inside = static_cast<std::size_t>(local_index<2>(Coord2(3, 4)));
    const auto guess = x;
    b[inside] = std::nan("");
    EXPECT_EQ(solver.solve(b.data(), x.data()).status, SolveStatus::not_finite);
    EXPECT_EQ(x, guess);
    x[inside] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(solver.solve(good.data(), x.data()).status, SolveStatus::not_finite);
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(x[i], i == inside ? std::numeric_limits<double>::infinity() : guess[i]);
    // Nothing of it stays behind.
    x = guess;
    EXPECT_TRUE(solver.solve(good.data(), x.data()).converged());
}

/// Boxes of cells between, beside and away from the bodies of mixed_case(), as far as they hold unknowns.
template <int D>
MergedCells<D> groups_of(const PoissonOperator<D>& op) {
    const Vec<D> unit = brick_unit<D>();
    const std::vector<std::pair<Vec3, Vec3>> boxes = {{{2.4, 0.4, 0.6}, {2.9, 0.9, 1.4}},   // around a corner of body 0
                                                      {{1.0, 2.4, 0.8}, {1.4, 2.9, 1.8}},   // touches bodies 2 and 3
                                                      {{1.0, 1.0, 0.4}, {1.3, 1.4, 1.2}},   // free
                                                      {{1.3, 1.0, 0.4}, {1.5, 1.4, 1.2}}};  // beside it
    std::vector<std::vector<CellPlace>> groups(boxes.size());
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(op.set().brick(b)) + local_coord<D>(i);
            for (std::size_t n = 0; n < boxes.size(); ++n)
                if (in_box<D>(c, unit, boxes[n].first, boxes[n].second))
                    groups[n].push_back({static_cast<std::int32_t>(b), i});
        }
    return MergedCells<D>(std::move(groups)).on_unknowns(op);
}

template <class T>
class GroupUnknownsTest : public testing::Test {};
TYPED_TEST_SUITE(GroupUnknownsTest, Dimensions);

const std::vector<std::vector<double>> density_sets = {{}, {1, 1, 1, 1}, {1e-4, 1e4, 1e-4, 1e4}};

TYPED_TEST(GroupUnknownsTest, LeaveTheCycleSymmetricAndPositive) {
    constexpr int D = TypeParam::value;
    for (const auto& density : density_sets) {
        const CoupledProblem<D> problem(mixed_case<D>(density));
        const auto op = problem.make_operator();
        const auto bodies = problem.make_bodies();
        const auto merged = groups_of<D>(op);
        ASSERT_EQ(merged.groups().size(), 4u);
        const auto held = hold_merged<D>(op, merged);
        Multigrid<D, double> multigrid(held, bodies, {.coarsest_unknowns = 60},
                                       GroupUnknowns<D, double>(op, merged, bodies));
        ASSERT_GE(multigrid.levels(), 3);
        // Cells, then groups.
        const Eigen::Index cells = op.size(), all = cells + 4;
        std::vector<Eigen::VectorXd> r, z;
        for (const std::uint64_t seed : {1, 2, 3}) {
            const auto values = random_values(held, seed);
            Eigen::VectorXd v(all);
            v << Eigen::Map<const Eigen::VectorXd>(values.data(), cells), Eigen::Vector4d::LinSpaced(-1, 1) * seed;
            r.push_back(v);
        }
        r.emplace_back(Eigen::VectorXd::Unit(all, cells + 1));
        for (const auto& v : r) {
            for (Eigen::Index i = 0; i < cells; ++i)
                multigrid.finest().r[static_cast<std::size_t>(colour_order<D>(i))] = v[i];
            multigrid.finest().groups.s = v.tail<4>();
            double product = 0;
            const double* x = multigrid.apply(product);
            Eigen::VectorXd out(all);
            for (Eigen::Index i = 0; i < cells; ++i) out[i] = x[colour_order<D>(i)];
            out.tail<4>() = multigrid.finest().groups.z;
            EXPECT_GT(product, 0);
            EXPECT_NEAR(product, v.dot(out), 1e-12 * v.norm() * out.norm());
            z.push_back(out);
        }
        for (std::size_t i = 0; i < r.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_NEAR(r[i].dot(z[j]), r[j].dot(z[i]), 1e-12 * r[i].norm() * z[j].norm());
    }
}

// What is left of the equations of the groups, b - Sigma x summed over their cells, and of all others.
TYPED_TEST(GroupUnknownsTest, SolveWithBodiesThatTouchThem) {
    constexpr int D = TypeParam::value;
    for (const auto& density : density_sets) {
        const CoupledProblem<D> problem(mixed_case<D>(density));
        const auto op = problem.make_operator();
        const auto merged = groups_of<D>(op);
        PressureSolver<D> solver(problem.make_operator(), problem.make_bodies(), {}, groups_of<D>(op));
        const auto b = random_values(op, 5);
        std::vector<double> x(b.size(), 0.0), rest(b.size(), 0.0);
        SolveOptions options;
        options.tolerance = 1e-11;
        const SolveReport report = solver.solve(b.data(), x.data(), options);
        EXPECT_TRUE(report.converged());
        EXPECT_LE(report.iterations, 24);  // twice as many digits as usual
        solver.apply(x.data(), rest.data());
        for (std::size_t i = 0; i < b.size(); ++i) rest[i] = b[i] - rest[i];
        for (const auto& group : merged.groups()) {
            double sum = 0;
            const auto at = [](const CellPlace& c) {
                return static_cast<std::size_t>(std::ptrdiff_t{c.slot} * Brick<D>::cells + c.local);
            };
            for (const auto& cell : group) {
                EXPECT_DOUBLE_EQ(x[at(cell)], x[at(group.front())]);
                sum += rest[at(cell)];
                rest[at(cell)] = 0;
            }
            EXPECT_NEAR(sum, 0, 1e-8);
        }
        const Eigen::Map<const Eigen::VectorXd> left(rest.data(), static_cast<Eigen::Index>(rest.size())),
            given(b.data(), static_cast<Eigen::Index>(b.size()));
        EXPECT_LE(left.norm(), 1e-10 * given.norm());
    }
}

// 49 groups of 3 x 3 to 6 x 6 cells with links of 1 to 100 times the usual conductance: as many iterations as with
// known values in their places, and four more at most.
TEST(GroupUnknowns, CostFewIterations) {
    constexpr int n = 96;
    const Random random(11);
    const auto group_at = [&](const Coord2& c) {
        const int k = c[0] / 13 + 7 * (c[1] / 13), size = 3 + k % 4;
        const bool within = (c.array() < 91).all() && c[0] % 13 >= 4 && c[1] % 13 >= 4;
        return within && c[0] % 13 < 4 + size && c[1] % 13 < 4 + size ? k : -1;
    };
    const auto set = make_dense<2>(lattice_for<2>(Coord2(n, n)));
    std::vector<std::vector<CellPlace>> groups(49);
    const auto make = [&] {
        return PoissonOperator<2>(set, 1.0, [&](std::ptrdiff_t slot, PoissonBrick<2>& out) {
            for (int i = 0; i < Brick<2>::cells; ++i) {
                const Coord2 cell = first_cell<2>(set->brick(slot)) + local_coord<2>(i);
                if ((cell.array() >= n).any()) continue;
                out.unknown[i] = 1;
                if (cell[1] == n - 1) out.excess[i] = 2;
                for (int a = 0; a < 2; ++a) {
                    if (cell[a] == 0) continue;
                    const bool surface = group_at(cell) != group_at(cell - Coord2::Unit(a));
                    const double theta =
                        std::pow(0.01, random.uniform(static_cast<std::uint64_t>(cell[0] + n * cell[1]),
                                                      static_cast<std::uint32_t>(a)));
                    out.conductance[a][i] = surface ? 1 / theta : 1;
                }
            }
        });
    };
    for (std::ptrdiff_t b = 0; b < set->count(); ++b)
        for (int i = 0; i < Brick<2>::cells; ++i)
            if (const int g = group_at(first_cell<2>(set->brick(b)) + local_coord<2>(i)); g >= 0)
                groups[static_cast<std::size_t>(g)].push_back({static_cast<std::int32_t>(b), i});
    const MergedCells<2> merged(groups);
    PressureSolver<2> solver(make(), {}, {}, MergedCells<2>(groups)), plain(hold_merged<2>(make(), merged));
    std::vector<double> x(static_cast<std::size_t>(solver.op().size()), 0.0), y = x;
    const auto b = random_values(solver.op(), 3), c = random_values(plain.op(), 3);
    const SolveReport with = solver.solve(b.data(), x.data()), without = plain.solve(c.data(), y.data());
    EXPECT_TRUE(with.converged());
    EXPECT_TRUE(without.converged());
    EXPECT_LE(with.iterations, without.iterations + 4) << without.iterations;
}

}  // namespace
}  // namespace tidelock
