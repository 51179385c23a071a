#include "solve/body_blocks.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "dense_algebra.h"
#include "dimensions.h"
#include "solve/colour_order.h"

namespace tidelock {
namespace {

template <class T>
class RigidTermsTest : public testing::Test {};
TYPED_TEST_SUITE(RigidTermsTest, Dimensions);

constexpr int bricks = 3;

/// Entries of several bodies, some on the same cell; repeats included, as the header allows.
template <int D>
std::vector<RigidEntry<D>> random_entries(int bodies, int count) {
    const Random random(1);
    std::vector<RigidEntry<D>> entries;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
        RigidEntry<D> e;
        e.slot = static_cast<int>(random.bits(i, 1) % bricks);
        e.local = static_cast<int>(random.bits(i, 2) % 40);
        e.body = static_cast<int>(random.bits(i, 3) % static_cast<std::uint64_t>(bodies));
        for (std::size_t d = 0; d < e.k.size(); ++d) e.k[d] = random.normal(i, static_cast<std::uint32_t>(4 + d));
        e.cap = random.uniform(i, 30, 0.5, 2);
        entries.push_back(e);
    }
    return entries;
}

template <int D>
Eigen::MatrixXd dense_k(const std::vector<RigidEntry<D>>& entries, int bodies) {
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(bodies * rigid_dof<D>, bricks * Brick<D>::cells);
    for (const auto& e : entries)
        for (int d = 0; d < rigid_dof<D>; ++d)
            k(e.body * rigid_dof<D> + d, e.slot * Brick<D>::cells + e.local) += e.k[static_cast<std::size_t>(d)];
    return k;
}

/// Symmetric positive definite; bodies 0-2 and 3-4 coupled, the rest alone.
Eigen::MatrixXd coupled_mass(int bodies, int dof) {
    const Random random(2);
    Eigen::MatrixXd root = Eigen::MatrixXd::Zero(bodies * dof, bodies * dof);
    const auto fill = [&](int a, int b) {
        for (int i = 0; i < dof; ++i)
            for (int j = 0; j < dof; ++j)
                root(a * dof + i, b * dof + j) =
                    random.normal(static_cast<std::uint64_t>(((a * 9 + b) * 9 + i) * 9 + j));
    };
    for (int a = 0; a < bodies; ++a) fill(a, a);
    fill(0, 2);
    if (bodies > 4) fill(3, 4);
    return transposed_product(root, root) + Eigen::MatrixXd::Identity(bodies * dof, bodies * dof);
}

Eigen::VectorXd random_vector(Eigen::Index n, std::uint64_t seed) {
    const Random random(seed);
    return Eigen::VectorXd::NullaryExpr(
        n, [&](Eigen::Index i) { return random.uniform(static_cast<std::uint64_t>(i), 0, -1, 1); });
}

TYPED_TEST(RigidTermsTest, GatherAndScatterAreAdjointInBothPrecisions) {
    constexpr int D = TypeParam::value;
    const auto entries = random_entries<D>(5, 300);
    const RigidTerms<D> terms(entries, coupled_mass(5, rigid_dof<D>));
    const Eigen::VectorXd x = random_vector(bricks * Brick<D>::cells, 3), s = random_vector(5 * rigid_dof<D>, 4);
    EXPECT_LE((terms.gather(x.data()) - dense_k<D>(entries, 5) * x).norm(), 1e-12);
    Eigen::VectorXd y = Eigen::VectorXd::Zero(x.size());
    terms.scatter_add(s, 2.0, y.data());
    EXPECT_NEAR(2 * s.dot(terms.gather(x.data())), y.dot(x), 1e-12);
    const Eigen::VectorXf xf = x.cast<float>();
    Eigen::VectorXf yf = Eigen::VectorXf::Zero(x.size());
    terms.scatter_add(s, 2.0, yf.data());
    EXPECT_LE((yf.cast<double>() - y).norm(), 1e-5 * y.norm());
    EXPECT_LE((terms.gather(xf.data()) - terms.gather(x.data())).norm(), 1e-5 * x.norm());
}

TYPED_TEST(RigidTermsTest, ApplyIsTheDenseProduct) {
    constexpr int D = TypeParam::value;
    constexpr int dof = rigid_dof<D>;
    const auto entries = random_entries<D>(5, 300);
    const Eigen::MatrixXd mass = coupled_mass(5, dof), k = dense_k<D>(entries, 5);
    const Eigen::VectorXd x = random_vector(k.cols(), 5);
    const RigidTerms<D> coupled(entries, mass);
    Eigen::VectorXd y = Eigen::VectorXd::Ones(k.cols());
    coupled.apply_add(x.data(), y.data());
    const Eigen::VectorXd expected = k.transpose() * solve_ldlt(mass, Eigen::VectorXd(k * x));
    EXPECT_LE((y - Eigen::VectorXd::Ones(k.cols()) - expected).norm(), 1e-11 * expected.norm());

    std::vector<typename RigidTerms<D>::Block> blocks;
    Eigen::MatrixXd diagonal = Eigen::MatrixXd::Zero(5 * dof, 5 * dof);
    for (int b = 0; b < 5; ++b) {
        blocks.push_back(mass.block<dof, dof>(b * dof, b * dof));
        diagonal.block<dof, dof>(b * dof, b * dof) = blocks.back();
    }
    const RigidTerms<D> separate(entries, blocks);
    EXPECT_EQ(separate.clusters().size(), 5u);
    y.setZero();
    separate.apply_add(x.data(), y.data());
    EXPECT_LE((y - k.transpose() * solve_ldlt(diagonal, Eigen::VectorXd(k * x))).norm(), 1e-11 * y.norm());
}

TYPED_TEST(RigidTermsTest, ClustersFollowTheMass) {
    constexpr int D = TypeParam::value;
    const RigidTerms<D> terms(random_entries<D>(6, 100), coupled_mass(6, rigid_dof<D>));
    std::vector<std::vector<int>> clusters = terms.clusters();
    std::sort(clusters.begin(), clusters.end());
    EXPECT_EQ(clusters, (std::vector<std::vector<int>>{{0, 2}, {1}, {3, 4}, {5}}));
}

/// Woodbury's formula for a colour's block against the block itself, with bodies that share cells and mass.
TYPED_TEST(RigidTermsTest, BlocksInvertSigmaOnEachColour) {
    constexpr int D = TypeParam::value;
    constexpr int dof = rigid_dof<D>;
    for (const double heavy : {1e-6, 1.0, 1e6}) {
        const Eigen::MatrixXd mass = heavy * coupled_mass(5, dof);
        const RigidTerms<D> terms(random_entries<D>(5, 200), mass);
        const Eigen::MatrixXd k = dense_k<D>(terms.entries(), 5);
        Eigen::VectorXd diagonal(k.cols());
        for (Eigen::Index i = 0; i < k.cols(); ++i) diagonal[i] = 1 + 0.5 * std::sin(static_cast<double>(i));
        std::vector<double> inverse;
        for (const auto& e : terms.entries()) inverse.push_back(1 / diagonal[e.slot * Brick<D>::cells + e.local]);
        const BodyBlocks<D> blocks(terms, inverse);
        for (const int colour : {0, 1}) {
            std::vector<Eigen::Index> cells;
            for (Eigen::Index i = 0; i < k.cols(); ++i)
                if (colour_of<D>(static_cast<int>(i % Brick<D>::cells)) == colour && k.col(i).squaredNorm() > 0)
                    cells.push_back(i);
            const Eigen::MatrixXd kc = k(Eigen::all, cells);
            const Eigen::VectorXd dc = diagonal(cells);
            const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(kc.cols(), -1, 2), z = r.cwiseQuotient(dc);
            const Eigen::VectorXd s = blocks.solve(colour, kc * z);
            const Eigen::VectorXd x = z - Eigen::VectorXd(kc.transpose() * s).cwiseQuotient(dc);
            const Eigen::VectorXd answer = solve_ldlt(mass, Eigen::VectorXd(kc * x));
            const Eigen::VectorXd back = dc.cwiseProduct(x) + kc.transpose() * answer;
            // Rounding over the condition of the light bodies' blocks.
            EXPECT_LE((back - r).norm(), 1e-9 * r.norm() * std::max(1.0, 1e-2 / heavy)) << heavy;
            // What the bodies do is known without another look at x.
            EXPECT_LE((s - answer).norm(), 1e-9 * std::max(1.0, 1e-2 / heavy) * s.norm()) << heavy;
        }
    }
}

TYPED_TEST(RigidTermsTest, RejectsWhatIsNoMassOrNoBody) {
    constexpr int D = TypeParam::value;
    using Block = typename RigidTerms<D>::Block;
    EXPECT_THROW(RigidTerms<D>({}, std::vector<Block>{-Block::Identity()}), InputError);
    EXPECT_THROW(RigidTerms<D>(random_entries<D>(2, 20), std::vector<Block>{Block::Identity()}), InputError);
    EXPECT_TRUE(RigidTerms<D>().empty());
}

}  // namespace
}  // namespace tidelock
