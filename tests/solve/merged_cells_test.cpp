/// Unknowns that share a value: METHODS 4.2, 4.7 (c).
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/random.h"
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
    PressureSolver<2> solver(problem.op(), {}, {}, [&] {
        std::vector<std::vector<CellPlace>> places;
        for (const auto& group : problem.groups) {
            places.emplace_back();
            for (const auto& c : group) places.back().push_back({problem.set->find(brick_of<2>(c)), local_index<2>(c)});
        }
        return MergedCells<2>(places);
    }());
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
    const Eigen::VectorXd exact = matrix.ldlt().solve(rhs);
    SolveOptions options;
    options.tolerance = 1e-13;
    EXPECT_TRUE(solver.solve(b.data(), x.data(), options).converged());
    for (int k = 0; k < n * n; ++k)
        EXPECT_NEAR(x[place(Coord2(k % n, k / n))], exact[vertex[static_cast<std::size_t>(k)]], 1e-11) << k;
}

}  // namespace
}  // namespace tidelock
