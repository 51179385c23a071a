#include "solve/multigrid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/parallel.h"
#include "coupled_test_problems.h"
#include "dense_algebra.h"
#include "dimensions.h"
#include "solve/colour_order.h"
#include "solve/pressure_solver.h"

namespace tidelock {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

template <class T>
class MultigridTest : public testing::Test {};
TYPED_TEST_SUITE(MultigridTest, Dimensions);

const std::vector<std::vector<double>> density_ratios = {
    {}, {1, 1, 1, 1}, {1e-4, 1e4, 1e-4, 1e-4}, {1e4, 1e4, 1, 1e-4}};

/// V r and r.V r.
template <int D, class T>
VectorXd cycle(Multigrid<D, T>& multigrid, const VectorXd& r, double* r_dot_z = nullptr) {
    auto& in = multigrid.finest().r;
    for (Eigen::Index i = 0; i < r.size(); ++i) in[static_cast<std::size_t>(colour_order<D>(i))] = static_cast<T>(r[i]);
    double product = 0;
    const T* z = multigrid.apply(product);
    if (r_dot_z != nullptr) *r_dot_z = product;
    VectorXd out(r.size());
    for (Eigen::Index i = 0; i < r.size(); ++i) out[i] = static_cast<double>(z[colour_order<D>(i)]);
    return out;
}

template <int D>
VectorXd random_residual(const PoissonOperator<D>& op, std::uint64_t seed) {
    const auto values = random_values(op, seed);
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

template <int D>
VectorXd smooth_residual(const PoissonOperator<D>& op, double frequency) {
    VectorXd r = VectorXd::Zero(op.size());
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (op.unknown(b)[i])
                r[b * Brick<D>::cells + i] =
                    std::cos(frequency * (first_cell<D>(op.set().brick(b)) + local_coord<D>(i)).sum());
    return r;
}

template <int D>
bool has_kind(const StencilLevel<D, double>& level, BrickKind kind) {
    return std::find(level.kind.begin(), level.kind.end(), kind) != level.kind.end();
}

/// Eigen's own conversion moves all entries once per row.
Sparse diagonal_matrix(const VectorXd& v) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < v.size(); ++i) entries.emplace_back(i, i, v[i]);
    Sparse matrix(v.size(), v.size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

/// The cycle as its headers define it, with assembled matrices on plain boxes of cells.
template <int D>
class ReferenceCycle {
  public:
    ReferenceCycle(const CoupledProblem<D>& problem, const Multigrid<D, double>& multigrid, double uniform) {
        if (problem.bodies() > 0) find_clusters(problem.lumped_mass());
        for (int l = 0; l < multigrid.levels(); ++l) {
            const auto& tested = multigrid.level(l);
            Level level;
            const auto n = tested.set->cells() + Brick<D>::cells;
            if (l == 0) {
                const Sparse laplacian = problem.laplacian();
                level.excess = laplacian * VectorXd::Ones(n) / uniform;
                level.graph = laplacian / uniform - diagonal_matrix(level.excess);
                if (problem.bodies() > 0) level.k = problem.k() / std::sqrt(uniform);
                if (problem.bodies() > 0) level.mass = problem.lumped_mass();
            } else {
                Level& fine = levels_.back();
                fine.prolongation = prolongation(*multigrid.level(l - 1).set, *tested.set);
                aggregate(fine, level, n);
                if (problem.bodies() > 0) {
                    level.k = fine.k * fine.prolongation;
                    level.mass = fine.mass + MatrixXd(fine.k * diagonal_matrix(fine.settle) * fine.k.transpose());
                }
            }
            for (std::ptrdiff_t b = 0; b < tested.set->count(); ++b)
                for (int i = 0; i < Brick<D>::cells; ++i)
                    level.cell.push_back(first_cell<D>(tested.set->brick(b)) + local_coord<D>(i));
            level.cell.resize(static_cast<std::size_t>(n), Coord<D>::Zero());
            finish(level);
            levels_.push_back(std::move(level));
        }
    }

    [[nodiscard]] VectorXd apply(const VectorXd& r, const MultigridOptions& options, std::size_t l = 0) const {
        const Level& level = levels_[l];
        if (l + 1 == levels_.size()) return solve_directly(level, r);
        const int sweeps = options.sweeps + static_cast<int>(l) * options.extra_sweeps;
        VectorXd x = VectorXd::Zero(r.size());
        for (int s = 0; s < sweeps; ++s) sweep(level, r, x, 0);
        const VectorXd residual = level.prolongation.transpose() * (r - level.laplacian * x - body_term(level, x));
        const VectorXd correction = apply(residual, options, l + 1);
        x += (level.inverse.array() > 0).select(level.prolongation * correction, 0);
        if (!cluster_.empty()) {
            const Level& coarse = levels_[l + 1];
            const VectorXd force = coarse.k * correction, answer = coarse.inverse_mass * force;
            x -= level.settle.cwiseProduct(VectorXd(level.k.transpose() * answer));
        }
        for (int s = 0; s < sweeps; ++s) sweep(level, r, x, 1);
        return x;
    }

    struct Level {
        Sparse graph, laplacian, k, prolongation;
        VectorXd excess, diagonal, inverse, colour;  ///< colour is 0 or 1
        VectorXd settle;                             ///< W of solve/local_answer.h
        MatrixXd mass, inverse_mass;                 ///< Mbar, of the finest level and with K W K^T of those before
        std::vector<Coord<D>> cell;
    };
    std::vector<Level> levels_;

  private:
    static Sparse prolongation(const BrickSet<D>& fine, const BrickSet<D>& coarse) {
        std::vector<Eigen::Triplet<double>> entries;
        for (std::ptrdiff_t b = 0; b < fine.count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                Coord<D> c = first_cell<D>(fine.brick(b)) + local_coord<D>(i);
                for (int a = 0; a < D; ++a) c[a] /= 2;
                entries.emplace_back(static_cast<int>(b * Brick<D>::cells + i),
                                     coarse.find(brick_of<D>(c)) * Brick<D>::cells + local_index<D>(c), 1.0);
            }
        Sparse p(fine.cells() + Brick<D>::cells, coarse.cells() + Brick<D>::cells);
        p.setFromTriplets(entries.begin(), entries.end());
        return p;
    }

    /// coarse_level.cpp: links over the distance of the centroids of what they join, in fine cells.
    static void aggregate(const Level& fine, Level& level, std::ptrdiff_t n) {
        constexpr double rounding = 1e-12;
        std::vector<Vec<D>> centroid(static_cast<std::size_t>(n), Vec<D>::Zero());
        std::vector<int> children(centroid.size(), 0);
        std::vector<std::size_t> parent(fine.cell.size(), 0);
        for (int coarse = 0; coarse < fine.prolongation.cols(); ++coarse)
            for (Sparse::InnerIterator it(fine.prolongation, coarse); it; ++it)
                parent[static_cast<std::size_t>(it.row())] = static_cast<std::size_t>(coarse);
        for (std::size_t i = 0; i < parent.size(); ++i)
            if (fine.diagonal[static_cast<Eigen::Index>(i)] > rounding)
                centroid[parent[i]] += fine.cell[i].template cast<double>(), ++children[parent[i]];
        for (std::size_t q = 0; q < centroid.size(); ++q)
            if (children[q] > 0) centroid[q] /= children[q];

        std::vector<Eigen::Triplet<double>> links;
        level.excess = VectorXd::Zero(n);
        for (int i = 0; i < fine.diagonal.size(); ++i) {
            const auto own = static_cast<std::size_t>(i), home = parent[own];
            Vec<D> way = Vec<D>::Zero();
            double largest = 0, beside[D][2] = {};
            for (Sparse::InnerIterator it(fine.graph, i); it; ++it) {
                const auto other = static_cast<std::size_t>(it.row());
                if (other == own || -it.value() < rounding) continue;
                const Coord<D> offset = fine.cell[other] - fine.cell[own];
                for (int a = 0; a < D; ++a) {
                    if (offset[a] == 0) continue;
                    beside[a][offset[a] > 0] = -it.value();
                    if (parent[other] == home) continue;
                    const double distance = std::abs(centroid[parent[other]][a] - centroid[home][a]);
                    const auto row = static_cast<int>(home), column = static_cast<int>(parent[other]);
                    links.emplace_back(row, row, -it.value() / distance);
                    links.emplace_back(row, column, it.value() / distance);
                }
            }
            if (fine.excess[i] < rounding) continue;
            for (int a = 0; a < D; ++a) {
                const double most = std::max(beside[a][0], beside[a][1]);
                if (most > 0) way[a] = (beside[a][0] - beside[a][1]) / most;
                largest = std::max(largest, most);
            }
            const auto e = fine.excess[i];
            const double length = way.template lpNorm<1>();
            auto& sum = level.excess[static_cast<Eigen::Index>(home)];
            if (length == 0) {
                sum += e;
                continue;
            }
            const double further = way.dot(fine.cell[own].template cast<double>() - centroid[home]) / length;
            sum += largest / std::max(largest / e + further, std::min(largest / e, 0.25));
        }
        level.graph = Sparse(n, n);
        level.graph.setFromTriplets(links.begin(), links.end());
    }

    /// Bodies that the mass couples, each by the first of them.
    void find_clusters(const MatrixXd& mass) {
        const auto bodies = mass.rows() / rigid_dof<D>;
        for (Eigen::Index b = 0; b < bodies; ++b) cluster_.push_back(b);
        const auto coupled = [&](Eigen::Index a, Eigen::Index b) {
            return mass.block(a * rigid_dof<D>, b * rigid_dof<D>, rigid_dof<D>, rigid_dof<D>).squaredNorm() > 0;
        };
        for (Eigen::Index a = 0; a < bodies; ++a)
            for (Eigen::Index b = 0; b < a; ++b)
                if (coupled(a, b))
                    std::replace(cluster_.begin(), cluster_.end(), cluster_[static_cast<std::size_t>(a)],
                                 cluster_[static_cast<std::size_t>(b)]);
    }

    /// Cells of colour 1 that one cluster touches.
    void find_settling(Level& level) const {
        level.inverse_mass = solve_llt(level.mass, MatrixXd(MatrixXd::Identity(level.mass.rows(), level.mass.rows())));
        level.settle = VectorXd::Zero(level.inverse.size());
        for (int i = 0; i < level.k.cols(); ++i) {
            std::vector<Eigen::Index> touching;
            for (Sparse::InnerIterator it(level.k, i); it; ++it)
                touching.push_back(cluster_[static_cast<std::size_t>(it.row() / rigid_dof<D>)]);
            if (touching.empty() || level.colour[i] != 1) continue;
            if (std::all_of(touching.begin(), touching.end(), [&](auto c) { return c == touching.front(); }))
                level.settle[i] = level.inverse[i];
        }
    }

    void finish(Level& level) const {
        level.laplacian = level.graph + diagonal_matrix(level.excess);
        level.diagonal = level.laplacian.diagonal();
        // Rows without a coefficient sum to zero up to rounding.
        level.inverse = (level.diagonal.array() > 1e-12).select(level.diagonal.cwiseInverse(), 0);
        level.colour = VectorXd::Zero(level.diagonal.size());
        for (std::size_t i = 0; i < level.cell.size(); ++i)
            level.colour[static_cast<Eigen::Index>(i)] = level.cell[i].sum() % 2;
        if (!cluster_.empty()) find_settling(level);
    }

    [[nodiscard]] VectorXd body_term(const Level& level, const VectorXd& x) const {
        if (cluster_.empty()) return VectorXd::Zero(x.size());
        const VectorXd s = level.k * x;
        return level.k.transpose() * VectorXd(level.inverse_mass * s);
    }
    /// Each colour's block of Sigma is solved, as a dense matrix where a body touches it.
    void sweep(const Level& level, const VectorXd& r, VectorXd& x, int first) const {
        for (const int colour : {first, 1 - first}) {
            const VectorXd rest = r - body_term(level, x) - level.laplacian * x;
            VectorXd step = level.inverse.cwiseProduct(rest);
            std::vector<Eigen::Index> touched;
            for (Eigen::Index i = 0; i < x.size() && !cluster_.empty(); ++i)
                if (level.colour[i] == colour && level.inverse[i] > 0 && VectorXd(level.k.col(i)).squaredNorm() > 0)
                    touched.push_back(i);
            if (!touched.empty()) {
                MatrixXd k(level.k.rows(), static_cast<Eigen::Index>(touched.size()));
                for (std::size_t j = 0; j < touched.size(); ++j)
                    k.col(static_cast<Eigen::Index>(j)) = level.k.col(touched[j]);
                MatrixXd block = transposed_product(k, product(level.inverse_mass, k));
                block.diagonal() += level.diagonal(touched);
                const VectorXd part = rest(touched);
                const VectorXd solved = solve_ldlt(block, part);
                step(touched) = solved;
            }
            x += (level.colour.array() == colour).select(step, 0);
        }
    }
    /// Regular: the problems that are compared all have an open side and are connected.
    [[nodiscard]] VectorXd solve_directly(const Level& level, const VectorXd& r) const {
        std::vector<Eigen::Index> rows;
        for (Eigen::Index i = 0; i < r.size(); ++i)
            if (level.inverse[i] > 0) rows.push_back(i);
        MatrixXd a(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const VectorXd unit = VectorXd::Unit(r.size(), rows[i]);
            const VectorXd column = level.laplacian * unit + body_term(level, unit);
            a.col(static_cast<Eigen::Index>(i)) = column(rows);
        }
        VectorXd x = VectorXd::Zero(r.size());
        const VectorXd part = r(rows);
        const VectorXd solved = solve_ldlt(a, part);
        x(rows) = solved;
        return x;
    }

    std::vector<Eigen::Index> cluster_;  ///< per body; empty: no bodies
};

TYPED_TEST(MultigridTest, IsTheCycleOfItsDefinition) {
    constexpr int D = TypeParam::value;
    for (const auto& density : density_ratios) {
        const CoupledProblem<D> problem(mixed_case<D>(density, 0.3));
        const auto op = problem.make_operator();
        const VectorXd r = random_residual(op, 5) + smooth_residual(op, 0.01);
        std::unique_ptr<ReferenceCycle<D>> reference;
        for (const auto& [sweeps, extra] : {std::pair{1, 0}, {1, 1}, {2, 1}, {3, 0}}) {
            const MultigridOptions options{.sweeps = sweeps, .extra_sweeps = extra, .coarsest_unknowns = 150};
            Multigrid<D, double> multigrid(op, problem.make_bodies(), options);
            ASSERT_GE(multigrid.levels(), 3);
            for (const auto kind : {BrickKind::plain, BrickKind::masked, BrickKind::stored})
                ASSERT_TRUE(has_kind(multigrid.level(0), kind)) << static_cast<int>(kind);
            ASSERT_EQ(has_kind(multigrid.level(0), BrickKind::bodied), !density.empty());
            if (!reference) reference = std::make_unique<ReferenceCycle<D>>(problem, multigrid, op.uniform());
            double r_dot_z = 0;
            const VectorXd z = cycle(multigrid, r, &r_dot_z), expected = reference->apply(r, options);
            // Rounding, amplified by the coarse solve: its condition is below 1e4 without bodies. Light bodies add
            // stiffness of up to the ratio of cap to lumped mass, about as much again.
            EXPECT_LE((z - expected).norm(), 1e-11 * expected.norm()) << sweeps;
            EXPECT_NEAR(r_dot_z, r.dot(z), 1e-12 * r.norm() * z.norm());
        }
    }
}

TYPED_TEST(MultigridTest, TwoLevelsWithADirectCoarseSolve) {
    constexpr int D = TypeParam::value;
    Coord<D> cells = Coord<D>::Constant(12);
    if constexpr (D == 2) cells = {40, 24};
    const auto fill = [=](const Coord<D>& c) {
        if (!inside<D>(c, cells)) return c[1] >= cells[1] ? air : wall;
        return in_box<D>(c, cells.template cast<double>(), {0.2, 0.2, 0.2}, {0.6, 0.6, 0.6}) ? body_cell(0) : fluid;
    };
    const CoupledProblem<D> problem({cells, fill, random_fraction<D>(3), {0.1}});
    const auto op = problem.make_operator();
    const MultigridOptions options{.sweeps = 2, .coarsest_unknowns = 260};
    Multigrid<D, double> multigrid(op, problem.make_bodies(), options);
    ASSERT_EQ(multigrid.levels(), 2);
    const ReferenceCycle<D> reference(problem, multigrid, op.uniform());
    const VectorXd r = random_residual(op, 6), expected = reference.apply(r, options);
    EXPECT_LE((cycle(multigrid, r) - expected).norm(), 1e-12 * expected.norm());  // rounding; condition below 1e3
}

template <int D>
void expect_symmetric_and_positive(const PoissonOperator<D>& op, const RigidTerms<D>& bodies, int sweeps) {
    Multigrid<D, double> multigrid(op, bodies, {.sweeps = sweeps, .coarsest_unknowns = 100});
    ASSERT_GE(multigrid.levels(), 3);
    std::vector<VectorXd> x, z;
    for (const std::uint64_t seed : {1, 2}) x.push_back(random_residual(op, seed));
    for (const double frequency : {0.0, 0.03, 0.4, 3.14159}) x.push_back(smooth_residual(op, frequency));
    for (const auto& v : x) {
        double product = 0;
        z.push_back(cycle(multigrid, v, &product));
        ASSERT_TRUE(z.back().allFinite());
        EXPECT_GT(product, 0);
        EXPECT_GT(v.dot(z.back()), 0);
    }
    // Rounding of a product, relative to the size of its terms.
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            worst = std::max(worst, std::abs(x[i].dot(z[j]) - x[j].dot(z[i])) / (x[i].norm() * z[j].norm()));
    EXPECT_LE(worst, 1e-12) << sweeps;
}

TYPED_TEST(MultigridTest, IsSymmetricAndPositiveOnRandomDomains) {
    constexpr int D = TypeParam::value;
    for (const bool with_excess : {true, false})
        for (const int sweeps : {1, 2, 3})
            expect_symmetric_and_positive<D>(random_domain<D>(Coord<D>::Constant(4), 11, with_excess), {}, sweeps);
}

TYPED_TEST(MultigridTest, IsSymmetricAndPositiveWithBodies) {
    constexpr int D = TypeParam::value;
    for (const auto& density : density_ratios) {
        const CoupledProblem<D> problem(mixed_case<D>(density));
        const auto bodies = problem.make_bodies();
        if (!density.empty()) {
            ASSERT_EQ(bodies.clusters().size(), 3u);
        }
        for (const int sweeps : {1, 2, 3}) expect_symmetric_and_positive<D>(problem.make_operator(), bodies, sweeps);
    }
}

/// Pockets lose their links on coarse levels; some cells touch nothing but a body and are no unknowns even on the
/// finest.
TYPED_TEST(MultigridTest, IsSymmetricAndPositiveWithBodiesAmongPockets) {
    constexpr int D = TypeParam::value;
    const Coord<D> cells = Coord<D>::Constant(D == 2 ? 90 : 40);
    const Vec<D> unit = cells.template cast<double>() / 10;
    const Random random(12);
    for (const double density : {1e-4, 1.0, 1e4}) {
        const auto fill = [=](const Coord<D>& c) {
            if (!inside<D>(c, cells)) return wall;
            if (in_box<D>(c, unit, {2, 2, 2}, {5, 6, 6})) return body_cell(0);
            if (in_box<D>(c, unit, {6, 3, 2}, {8, 7, 9})) return body_cell(1);
            const double draw = random.uniform(cell_key<D>(c));
            return draw < (D == 2 ? 0.4 : 0.65) ? wall : draw > 0.98 ? air : fluid;
        };
        const CoupledProblem<D> problem({.cells = cells, .fill = fill, .density = {density, 1.0}});
        const auto op = problem.make_operator();
        const auto bodies = problem.make_bodies();
        const auto lost = std::count_if(bodies.entries().begin(), bodies.entries().end(),
                                        [&](const auto& e) { return !op.unknown(e.slot)[e.local]; });
        ASSERT_GT(lost, 0);
        for (const int sweeps : {1, 2}) expect_symmetric_and_positive<D>(op, bodies, sweeps);
        // The same with those cells as unknowns that only the bodies determine.
        const PressureSolver<D> solver(problem.make_operator(), bodies);
        ASSERT_GT(solver.op().unknowns(), op.unknowns());
        for (const int sweeps : {1, 2}) expect_symmetric_and_positive<D>(solver.op(), solver.bodies(), sweeps);
    }
}

TYPED_TEST(MultigridTest, CoarseLevelsAreScaledAggregates) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(mixed_case<D>({1, 10, 0.1, 1}));
    const auto op = problem.make_operator();
    const Multigrid<D, double> multigrid(op, problem.make_bodies(), {.coarsest_unknowns = 100});
    const ReferenceCycle<D> reference(problem, multigrid, op.uniform());
    auto level = finest_level<D, double>(op, problem.make_bodies());
    for (int l = 1; l < multigrid.levels(); ++l) {
        level = coarser_level<D, double>(level);
        const auto& expected = reference.levels_[static_cast<std::size_t>(l)];
        Sparse rest = expected.graph;  // what remains when the level's conductances are taken out again
        VectorXd diagonal = VectorXd::Zero(rest.rows());
        std::vector<Eigen::Triplet<double>> entries;
        for (std::ptrdiff_t b = 0; b < level.set->count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const auto row = static_cast<int>(b * Brick<D>::cells + i);
                diagonal[row] = level.diagonal_at(b, i);
                for (int a = 0; a < D; ++a) {
                    const double c = level.lower_links(a, b)[i];
                    if (c == 0) continue;
                    Coord<D> lower = first_cell<D>(level.set->brick(b)) + local_coord<D>(i);
                    --lower[a];
                    const int column = level.set->find(brick_of<D>(lower)) * Brick<D>::cells + local_index<D>(lower);
                    entries.emplace_back(row, row, c), entries.emplace_back(column, column, c);
                    entries.emplace_back(row, column, -c), entries.emplace_back(column, row, -c);
                }
            }
        Sparse own(rest.rows(), rest.cols());
        own.setFromTriplets(entries.begin(), entries.end());
        // Sums of up to 2^(D l) conductances below 10, in different orders.
        EXPECT_LE(Sparse(rest - own).norm(), 1e-12 * expected.graph.norm()) << l;
        EXPECT_LE((diagonal - expected.diagonal).cwiseAbs().maxCoeff(), 1e-12 * expected.diagonal.maxCoeff()) << l;
        // K_coarse = K P, so that its transpose restricts: P^T K^T. Arms reach over the domain: sums of sizes to 1e4.
        VectorXd s = VectorXd::LinSpaced(expected.k.rows(), -1, 1), scattered = VectorXd::Zero(rest.rows());
        level.bodies.scatter_add(s, 1.0, scattered.data());
        const VectorXd restricted = expected.k.transpose() * s;
        EXPECT_LE((scattered - restricted).norm(), 1e-13 * restricted.norm()) << l;
    }
}

TYPED_TEST(MultigridTest, EveryKindOfBrickGivesWhatStoredOnesGive) {
    constexpr int D = TypeParam::value;
    for (const auto& density : {std::vector<double>{}, {1, 1, 1, 1}}) {
        const CoupledProblem<D> problem(mixed_case<D>(density));
        const auto op = problem.make_operator();
        const auto stored_op = problem.make_operator(1 + 1e-9);  // no conductance equals `uniform`: nothing to exploit
        Multigrid<D, double> multigrid(op, problem.make_bodies());
        Multigrid<D, double> stored(stored_op, problem.make_bodies());
        ASSERT_TRUE(has_kind(multigrid.level(0), BrickKind::plain));
        ASSERT_TRUE(has_kind(multigrid.level(0), BrickKind::masked));
        ASSERT_FALSE(has_kind(stored.level(0), BrickKind::plain));
        ASSERT_FALSE(has_kind(stored.level(0), BrickKind::masked));
        const VectorXd r = random_residual(op, 8) + smooth_residual(op, 0.05);
        const VectorXd z = cycle(multigrid, r) / op.uniform(), w = cycle(stored, r) / stored_op.uniform();
        // The cycle is homogeneous in `uniform`, so that only rounding is left.
        EXPECT_LE((z - w).norm(), 1e-12 * z.norm());
    }
}

TYPED_TEST(MultigridTest, FloatAgreesWithDouble) {
    constexpr int D = TypeParam::value;
    for (const auto& density : density_ratios) {
        const CoupledProblem<D> problem(mixed_case<D>(density));
        const auto op = problem.make_operator();
        Multigrid<D, double> precise(op, problem.make_bodies());
        Multigrid<D, float> fast(op, problem.make_bodies());
        // White noise: smooth right-hand sides lose digits to the coarse levels' condition.
        const VectorXd r = random_residual(op, 9), z = cycle(precise, r);
        double product = 0;
        EXPECT_LE((cycle(fast, r, &product) - z).norm(), 1e-5 * z.norm());
        EXPECT_NEAR(product, r.dot(z), 1e-5 * r.norm() * z.norm());
    }
}

TYPED_TEST(MultigridTest, SameBitsOnOneAndTwoThreads) {
    constexpr int D = TypeParam::value;
    for (const auto& density : {std::vector<double>{}, {1, 10, 0.1, 1}}) {
        VectorXd z[2];
        double product[2];
        for (const int threads : {1, 2}) {
            const ThreadLimit limit(threads);
            const CoupledProblem<D> problem(mixed_case<D>(density));
            const auto op = problem.make_operator();
            Multigrid<D, float> multigrid(op, problem.make_bodies());
            z[threads - 1] = cycle(multigrid, random_residual(op, 10), &product[threads - 1]);
        }
        EXPECT_EQ(z[0], z[1]);
        EXPECT_EQ(product[0], product[1]);
    }
}

TYPED_TEST(MultigridTest, HasNoMemoryOfEarlierCycles) {
    constexpr int D = TypeParam::value;
    const CoupledProblem<D> problem(mixed_case<D>({1, 10, 0.1, 1}));
    const auto op = problem.make_operator();
    Multigrid<D, float> multigrid(op, problem.make_bodies());
    const VectorXd r = random_residual(op, 10), first = cycle(multigrid, r);
    cycle(multigrid, 1e6 * smooth_residual(op, 0.1));
    EXPECT_EQ(cycle(multigrid, r), first);
}

TYPED_TEST(MultigridTest, RejectsWrongOptions) {
    constexpr int D = TypeParam::value;
    const auto op = box_domain<D>(Coord<D>::Constant(8), true);
    EXPECT_THROW((Multigrid<D, float>(op, {}, {.sweeps = 0})), InputError);
    EXPECT_THROW((Multigrid<D, float>(op, {}, {.extra_sweeps = -1})), InputError);
    EXPECT_THROW((Multigrid<D, float>(op, {}, {.coarsest_unknowns = 0})), InputError);
}

}  // namespace
}  // namespace tidelock
