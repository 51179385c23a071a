#include "base/union_find.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace tidelock {
namespace {

TEST(UnionFind, StartsWithSingles) {
    EXPECT_EQ(UnionFind(3).labels(), (std::vector<std::int32_t>{0, 1, 2}));
    EXPECT_TRUE(UnionFind(0).labels().empty());
}

TEST(UnionFind, RootIsTheSmallestMember) {
    UnionFind sets(6);
    sets.join(5, 3);
    sets.join(3, 4);
    sets.join(1, 0);
    sets.join(1, 1);
    EXPECT_EQ(sets.root(5), 3);
    EXPECT_EQ(sets.labels(), (std::vector<std::int32_t>{0, 0, 1, 2, 2, 2}));
}

/// Against labels that are renamed one by one at each join.
TEST(UnionFind, AgreesWithBruteForce) {
    constexpr int n = 200;
    const Random random(3);
    UnionFind sets(n);
    std::vector<std::int32_t> smallest(n);
    for (int i = 0; i < n; ++i) smallest[static_cast<std::size_t>(i)] = i;
    for (std::uint64_t k = 0; k < 150; ++k) {
        const auto i = static_cast<std::int32_t>(random.uniform(k, 0, 0, n));
        const auto j = static_cast<std::int32_t>(random.uniform(k, 1, 0, n));
        sets.join(i, j);
        const auto a = smallest[static_cast<std::size_t>(i)], b = smallest[static_cast<std::size_t>(j)];
        for (auto& s : smallest)
            if (s == a || s == b) s = std::min(a, b);
    }
    for (int i = 0; i < n; ++i) EXPECT_EQ(sets.root(i), smallest[static_cast<std::size_t>(i)]) << i;
}

}  // namespace
}  // namespace tidelock
