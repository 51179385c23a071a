#include "solve/regions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <queue>

#include "base/parallel.h"
#include "coupled_test_problems.h"
#include "dimensions.h"

namespace tidelock {
namespace {

using Eigen::VectorXd;

template <class T>
class RegionsTest : public testing::Test {};
TYPED_TEST_SUITE(RegionsTest, Dimensions);

/// Region of each place by breadth-first search over the assembled matrix, -1 without an unknown; and its excess.
struct Searched {
    std::vector<int> region;
    std::vector<double> excess;
    std::vector<std::ptrdiff_t> cells;
};

template <int D>
Searched search(const PoissonOperator<D>& op) {
    const auto matrix = assemble(op);
    Searched out;
    out.region.assign(static_cast<std::size_t>(matrix.rows()), -1);
    for (int seed = 0; seed < matrix.rows(); ++seed) {
        if (out.region[static_cast<std::size_t>(seed)] >= 0 || matrix.coeff(seed, seed) == 0) continue;
        const auto id = static_cast<int>(out.cells.size());
        out.cells.push_back(0), out.excess.push_back(0);
        std::queue<int> queue;
        queue.push(seed);
        out.region[static_cast<std::size_t>(seed)] = id;
        while (!queue.empty()) {
            const int i = queue.front();
            queue.pop();
            ++out.cells.back();
            out.excess.back() += op.excess(i / Brick<D>::cells)[i % Brick<D>::cells];
            for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, i); it; ++it) {
                auto& mark = out.region[static_cast<std::size_t>(it.row())];
                if (mark < 0) mark = id, queue.push(static_cast<int>(it.row()));
            }
        }
    }
    return out;
}

template <int D>
void expect_same_regions(const PoissonOperator<D>& op) {
    const Searched expected = search(op);
    const Regions<D> regions(op);
    ASSERT_EQ(regions.count(), static_cast<int>(expected.cells.size()));
    std::map<int, int> there, back;
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b) {
        bool whole = true;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const int r = regions.region(b, i), e = expected.region[static_cast<std::size_t>(b * Brick<D>::cells + i)];
            ASSERT_EQ(r < 0, e < 0);
            whole = whole && r >= 0 && r == regions.region(b, 0);
            if (r < 0) continue;
            ASSERT_EQ(there.try_emplace(r, e).first->second, e);
            ASSERT_EQ(back.try_emplace(e, r).first->second, r);
        }
        if (regions.region_of_brick(b) >= 0) {
            EXPECT_TRUE(whole);
            EXPECT_EQ(regions.region_of_brick(b), regions.region(b, 0));
        }
    }
    for (const auto& [r, e] : there) {
        EXPECT_EQ(regions.cells(r), expected.cells[static_cast<std::size_t>(e)]);
        EXPECT_EQ(regions.closed(r), expected.excess[static_cast<std::size_t>(e)] == 0);
    }
}

/// Cells are unknowns with this probability and so many faces between them are open: near the percolation threshold
/// regions of all sizes and shapes occur.
template <int D>
PoissonOperator<D> porous(std::uint64_t seed, double share, double open, double brick_share) {
    const Random random(seed);
    const auto set = make_where<D>(Coord<D>::Constant(3),
                                   [=](const Coord<D>& b) { return random.uniform(cell_key<D>(b), 9) < brick_share; });
    const auto unknown = [=](const Coord<D>& c) {
        return set->find(brick_of<D>(c)) != set->void_slot() && random.uniform(cell_key<D>(c), 0) < share;
    };
    return PoissonOperator<D>(set, 1.0, [=](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(set->brick(slot)) + local_coord<D>(i);
            if (!unknown(c)) continue;
            out.unknown[i] = 1;
            for (int a = 0; a < D; ++a) {
                Coord<D> lower = c;
                --lower[a];
                if (unknown(lower) && random.uniform(cell_key<D>(c), static_cast<std::uint32_t>(1 + a)) < open)
                    out.conductance[a][i] = 1;
            }
            if (random.uniform(cell_key<D>(c), 7) < 0.01) out.excess[i] = 0.5;
        }
    });
}

TYPED_TEST(RegionsTest, AreThoseOfASearchOverAllCells) {
    constexpr int D = TypeParam::value;
    for (const std::uint64_t seed : {1, 2, 3}) {
        expect_same_regions<D>(random_domain<D>(Coord<D>::Constant(4), seed, true, 0.5));
        expect_same_regions<D>(porous<D>(seed, D == 2 ? 0.8 : 0.6, D == 2 ? 0.7 : 0.5, 0.7));
        expect_same_regions<D>(porous<D>(seed, 0.3, 0.5, 1.0));
        expect_same_regions<D>(porous<D>(seed, 1.0, 1.0, 0.5));  // only whole bricks
    }
}

TYPED_TEST(RegionsTest, SameOnOneAndTwoThreads) {
    constexpr int D = TypeParam::value;
    std::vector<int> labels[2];
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        const auto op = porous<D>(4, D == 2 ? 0.8 : 0.6, 0.6, 0.8);
        const Regions<D> regions(op);
        for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) labels[threads - 1].push_back(regions.region(b, i));
    }
    EXPECT_EQ(labels[0], labels[1]);
}

TYPED_TEST(RegionsTest, EachOfTwoRegionsOfWholeBricksLosesItsMean) {
    constexpr int D = TypeParam::value;
    Coord<D> lattice = Coord<D>::Constant(3);
    lattice[0] = 5;
    const auto set = make_dense<D>(lattice);
    const int wall_at = 2 * Brick<D>::size[0] + 5;  // inside a brick, so that not all of them are whole
    const PoissonOperator<D> op(set, 1.0, [&](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(set->brick(slot)) + local_coord<D>(i);
            out.unknown[i] = 1;
            for (int a = 0; a < D; ++a) out.conductance[a][i] = c[a] > 0 && !(a == 0 && c[0] == wall_at) ? 1 : 0;
        }
    });
    const NullSpace<D> space(op, {});
    ASSERT_EQ(space.dimension(), 2);
    const auto given = random_values(op, 5);
    auto v = given;
    const auto [removed, left] = space.project(v.data());
    double cells[2] = {}, before[2] = {}, after[2] = {}, square = 0;
    for (std::ptrdiff_t k = 0; k < set->cells(); ++k) {
        const Coord<D> c =
            first_cell<D>(set->brick(k / Brick<D>::cells)) + local_coord<D>(static_cast<int>(k % Brick<D>::cells));
        const int side = c[0] < wall_at ? 0 : 1;
        const auto at = static_cast<std::size_t>(k);
        cells[side] += 1, before[side] += given[at], after[side] += v[at], square += v[at] * v[at];
    }
    const double expected = std::hypot(before[0] / std::sqrt(cells[0]), before[1] / std::sqrt(cells[1]));
    for (const double sum : after) EXPECT_NEAR(sum, 0, 1e-9);
    EXPECT_NEAR(removed, expected, 1e-12 * std::sqrt(square));
    EXPECT_NEAR(left, std::sqrt(square), 1e-12 * left);
}

/// A tank of 2.5 bricks along each axis; `inner` fills it.
template <int D>
CoupledCase<D> tank(const Fill<D>& inner, int bodies = 0, bool open_top = false) {
    const Coord<D> cells = (2.5 * brick_unit<D>()).template cast<int>();
    const auto fill = [=](const Coord<D>& c) {
        if (!inside<D>(c, cells)) return open_top && c[1] >= cells[1] ? air : wall;
        return inner(c);
    };
    return {.cells = cells, .fill = fill, .density = std::vector<double>(static_cast<std::size_t>(bodies), 2.0)};
}

template <int D>
bool between(const Coord<D>& c, int axis, double low, double high) {
    const double s = c[axis] / brick_unit<D>()[axis];
    return s >= low && s < high;
}

template <int D>
int plain_fluid(const Coord<D>&) {
    return fluid;
}

/// Dimension of the null space, after checking that project() is the orthogonal projection onto its complement.
template <int D>
int null_dimension(const CoupledCase<D>& spec) {
    const CoupledProblem<D> problem(spec);
    const auto op = problem.make_operator();
    const auto bodies = problem.make_bodies();
    const NullSpace<D> space(op, bodies);
    const auto values = random_values(op, 3);
    const VectorXd v = Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    VectorXd once = v;
    const auto [removed, left] = space.project(once.data());
    const VectorXd part = v - once;
    // Sums over all cells.
    const double rounding = 1e-12 * v.norm();
    EXPECT_NEAR(part.norm(), removed, rounding);
    EXPECT_NEAR(once.norm(), left, rounding);
    EXPECT_NEAR(once.dot(part), 0, rounding * v.norm());
    VectorXd twice = once;
    EXPECT_LE(space.project(twice.data()).removed, rounding);
    EXPECT_LE((twice - once).norm(), rounding);
    // What is removed is null: L_N and K annihilate it.
    EXPECT_LE((problem.laplacian() * part).norm(), rounding);
    if (!bodies.empty()) {
        EXPECT_LE(bodies.gather(part.data()).norm(), 1e-10 * v.norm());  // arms and areas of up to 1e3
    }
    EXPECT_EQ(removed > 0, space.dimension() > 0);
    // Against the dimension by definition: closed regions less the rank of K on their indicators.
    const Searched found = search(op);
    std::vector<VectorXd> ones;
    for (std::size_t r = 0; r < found.cells.size(); ++r) {
        if (found.excess[r] > 0) continue;
        ones.emplace_back(VectorXd::Zero(v.size()));
        for (std::size_t i = 0; i < found.region.size(); ++i)
            if (found.region[i] == static_cast<int>(r)) ones.back()[static_cast<Eigen::Index>(i)] = 1;
    }
    Eigen::MatrixXd force(std::max<Eigen::Index>(problem.k().rows(), 1), static_cast<Eigen::Index>(ones.size()));
    force.setZero();
    if (!bodies.empty())
        for (std::size_t r = 0; r < ones.size(); ++r) force.col(static_cast<Eigen::Index>(r)) = problem.k() * ones[r];
    const auto rank = ones.empty() || force.cwiseAbs().maxCoeff() < 1e-9
                          ? 0
                          : Eigen::FullPivLU<Eigen::MatrixXd>(force).setThreshold(1e-9).rank();
    EXPECT_EQ(space.dimension(), static_cast<int>(ones.size()) - static_cast<int>(rank));
    return space.dimension();
}

TYPED_TEST(RegionsTest, NullSpaceWithoutBodies) {
    constexpr int D = TypeParam::value;
    EXPECT_EQ(null_dimension<D>(tank<D>(plain_fluid<D>)), 1);
    EXPECT_EQ(null_dimension<D>(tank<D>(plain_fluid<D>, 0, true)), 0);
    const auto halves = [](const Coord<D>& c) { return between<D>(c, 0, 1.4, 1.6) ? wall : fluid; };
    EXPECT_EQ(null_dimension<D>(tank<D>(halves)), 2);
    EXPECT_EQ(null_dimension<D>(tank<D>(halves, 0, true)), 0);
    const auto storeys = [](const Coord<D>& c) { return between<D>(c, 1, 1.3, 1.6) ? wall : fluid; };
    EXPECT_EQ(null_dimension<D>(tank<D>(storeys, 0, true)), 1);  // only the lower one is closed
    // A wall without thickness: on the border of two bricks, and inside one.
    for (const double place : {1.0, 1.5}) {
        auto spec = tank<D>(plain_fluid<D>);
        const int face = static_cast<int>(place * Brick<D>::size[0]);
        spec.fraction = [=](const Coord<D>& c, int axis) { return axis == 0 && c[0] == face ? 0.0 : 1.0; };
        EXPECT_EQ(null_dimension<D>(spec), 2);
        const auto hole = spec.fraction;
        spec.fraction = [=](const Coord<D>& c, int axis) { return c[1] == 3 ? 0.5 : hole(c, axis); };
        EXPECT_EQ(null_dimension<D>(spec), 1);
    }
}

TYPED_TEST(RegionsTest, ImmersedAndHollowBodiesLeaveTheConstants) {
    constexpr int D = TypeParam::value;
    const auto unit = brick_unit<D>();
    const auto immersed = [=](const Coord<D>& c) {
        return in_box<D>(c, unit, {0.7, 0.6, 0.6}, {1.8, 1.7, 1.9}) ? body_cell(0) : fluid;
    };
    EXPECT_EQ(null_dimension<D>(tank<D>(immersed, 1)), 1);
    EXPECT_EQ(null_dimension<D>(tank<D>(immersed, 1, true)), 0);
    const auto hollow = [=](const Coord<D>& c) {
        return in_box<D>(c, unit, {1.0, 1.0, 1.0}, {1.5, 1.5, 1.5}) ? fluid : immersed(c);
    };
    EXPECT_EQ(null_dimension<D>(tank<D>(hollow, 1)), 2);
    EXPECT_EQ(null_dimension<D>(tank<D>(hollow, 1, true)), 1);
}

TYPED_TEST(RegionsTest, PistonsDetermineTheirPressure) {
    constexpr int D = TypeParam::value;
    const auto piston = [](const Coord<D>& c) { return between<D>(c, 1, 0.8, 1.4) ? body_cell(0) : fluid; };
    EXPECT_EQ(null_dimension<D>(tank<D>(piston, 1)), 1);        // one combination of the two chambers
    EXPECT_EQ(null_dimension<D>(tank<D>(piston, 1, true)), 0);  // the closed chamber presses on the body
    // Two pistons, three chambers: two forces.
    const auto pair = [](const Coord<D>& c) {
        return between<D>(c, 1, 0.5, 0.9) ? body_cell(0) : between<D>(c, 1, 1.5, 1.9) ? body_cell(1) : fluid;
    };
    EXPECT_EQ(null_dimension<D>(tank<D>(pair, 2)), 1);
    EXPECT_EQ(null_dimension<D>(tank<D>(pair, 2, true)), 0);
    // A fixed wall between two pistons: each closed chamber has its own force.
    const auto split = [=](const Coord<D>& c) { return between<D>(c, 1, 1.1, 1.3) ? wall : pair(c); };
    EXPECT_EQ(null_dimension<D>(tank<D>(split, 2)), 2);
    EXPECT_EQ(null_dimension<D>(tank<D>(split, 2, true)), 1);
}

}  // namespace
}  // namespace tidelock
