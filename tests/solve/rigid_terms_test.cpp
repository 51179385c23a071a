#include "solve/rigid_terms.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"

namespace tidelock {
namespace {

template <class T>
class RigidTermsTest : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
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
    return root.transpose() * root + Eigen::MatrixXd::Identity(bodies * dof, bodies * dof);
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
    const Eigen::VectorXd expected = k.transpose() * mass.ldlt().solve(k * x);
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
    EXPECT_LE((y - k.transpose() * diagonal.ldlt().solve(k * x)).norm(), 1e-11 * y.norm());
}

TYPED_TEST(RigidTermsTest, ClustersFollowTheMass) {
    constexpr int D = TypeParam::value;
    const RigidTerms<D> terms(random_entries<D>(6, 100), coupled_mass(6, rigid_dof<D>));
    std::vector<std::vector<int>> clusters = terms.clusters();
    std::sort(clusters.begin(), clusters.end());
    EXPECT_EQ(clusters, (std::vector<std::vector<int>>{{0, 2}, {1}, {3, 4}, {5}}));
}

TYPED_TEST(RigidTermsTest, TightestCapIsTight) {
    constexpr int D = TypeParam::value;
    constexpr int dof = rigid_dof<D>;
    // One body: cells are not shared, so the cap of the header is the diagonal itself.
    const auto entries = random_entries<D>(1, 60);
    const typename RigidTerms<D>::Block mass = coupled_mass(3, dof).template block<dof, dof>(dof, dof);
    const RigidTerms<D> terms(entries, std::vector<typename RigidTerms<D>::Block>{mass});
    const Eigen::MatrixXd k = dense_k<D>(entries, 1);
    Eigen::VectorXd cap = Eigen::VectorXd::Zero(k.cols());
    for (const auto& e : entries) cap[e.slot * Brick<D>::cells + e.local] += e.cap;
    std::vector<Eigen::Index> touched;
    for (Eigen::Index i = 0; i < cap.size(); ++i)
        if (cap[i] > 0) touched.push_back(i);
    const Eigen::MatrixXd kt = k(Eigen::all, touched);
    const Eigen::VectorXd root = cap(touched).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd scaled = root.asDiagonal() * (kt.transpose() * mass.ldlt().solve(kt)) * root.asDiagonal();
    const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled).eigenvalues().maxCoeff();
    ASSERT_EQ(terms.tightest_caps().size(), 1u);
    EXPECT_NEAR(terms.tightest_caps()[0], largest, 1e-11 * largest);
}

TYPED_TEST(RigidTermsTest, CapsBoundCoupledBodiesThatShareCells) {
    constexpr int D = TypeParam::value;
    constexpr int dof = rigid_dof<D>;
    const auto entries = random_entries<D>(5, 200);
    const Eigen::MatrixXd mass = coupled_mass(5, dof), k = dense_k<D>(entries, 5);
    const RigidTerms<D> terms(entries, mass);
    const auto caps = terms.tightest_caps();
    ASSERT_EQ(caps.size(), terms.clusters().size());
    // Per cluster K_c^T Mbar_c^-1 K_c <= c cap_c, as a quadratic form on split cells; hence sum_c over shared cells
    // holds with each body's own copy of the value, up to the number of bodies of the cluster on one cell.
    for (std::size_t c = 0; c < caps.size(); ++c) {
        const auto& members = terms.clusters()[c];
        std::vector<Eigen::Index> rows;
        for (const int b : members)
            for (int d = 0; d < dof; ++d) rows.push_back(b * dof + d);
        // Split: one column per merged (cell, body) entry.
        std::vector<RigidEntry<D>> own;
        for (const auto& e : terms.entries())
            if (std::find(members.begin(), members.end(), e.body) != members.end()) own.push_back(e);
        Eigen::MatrixXd split = Eigen::MatrixXd::Zero(5 * dof, static_cast<Eigen::Index>(own.size()));
        for (std::size_t j = 0; j < own.size(); ++j)
            for (int d = 0; d < dof; ++d)
                split(own[j].body * dof + d, static_cast<Eigen::Index>(j)) =
                    own[j].k[static_cast<std::size_t>(d)] / std::sqrt(own[j].cap);
        const Eigen::MatrixXd part = split(rows, Eigen::all), block = mass(rows, rows);
        const Eigen::MatrixXd form = part.transpose() * block.ldlt().solve(part);
        const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(form).eigenvalues().maxCoeff();
        EXPECT_NEAR(caps[c], largest, 1e-10 * largest);
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
