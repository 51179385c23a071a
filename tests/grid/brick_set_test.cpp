#include "grid/brick_set.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "dimensions.h"

namespace tidelock {
namespace {

template <class T>
class BrickSets : public testing::Test {};
TYPED_TEST_SUITE(BrickSets, Dimensions);

template <int D>
BrickSetPtr<D> scattered_set(const Coord<D>& lattice, double share) {
    const Random random(11);
    return make_where<D>(lattice, [&](const Coord<D>& b) {
        std::uint64_t key = 0;
        for (int a = 0; a < D; ++a) key = key * 1000 + static_cast<std::uint64_t>(b[a]);
        return random.uniform(key) < share;
    });
}

TYPED_TEST(BrickSets, CellArithmeticInverts) {
    constexpr int D = TypeParam::value;
    for (int i = 0; i < Brick<D>::cells; ++i) EXPECT_EQ(local_index<D>(local_coord<D>(i)), i);
    const Coord<D> cell = Coord<D>::Constant(37);
    EXPECT_EQ(first_cell<D>(brick_of<D>(cell)) + local_coord<D>(local_index<D>(cell)), cell);
    EXPECT_EQ(brick_of<D>(Coord<D>::Constant(-1)), Coord<D>::Constant(-1));
}

TYPED_TEST(BrickSets, NeighboursAreWhoTheyShouldBe) {
    constexpr int D = TypeParam::value;
    const auto set = scattered_set<D>(Coord<D>::Constant(5), 0.5);
    ASSERT_GT(set->count(), 5);
    for (std::ptrdiff_t s = 0; s < set->count(); ++s) {
        EXPECT_EQ(set->find(set->brick(s)), s);
        for (int n = 0; n < Brick<D>::neighbours; ++n) {
            Coord<D> offset;
            for (int a = 0, rest = n; a < D; ++a, rest /= 3) offset[a] = rest % 3 - 1;
            EXPECT_EQ(neighbour_slot<D>(offset), n);
            const auto slot = set->neighbours(s)[static_cast<std::size_t>(n)];
            if (slot == set->void_slot()) {
                EXPECT_EQ(set->find(set->brick(s) + offset), set->void_slot());
            } else {
                EXPECT_EQ(set->brick(slot), set->brick(s) + offset);
            }
        }
    }
}

TYPED_TEST(BrickSets, UniteCoarsenAgainstDefinition) {
    constexpr int D = TypeParam::value;
    const Coord<D> lattice = Coord<D>::Constant(6);
    const auto set = scattered_set<D>(lattice, 0.1);
    const auto other = make_where<D>(lattice, [](const Coord<D>& b) { return b[0] == 2; });
    const auto both = unite(*set, *other);
    const auto all = make_dense<D>(lattice);
    for (const auto& b : all->bricks())
        EXPECT_EQ(both->find(b) != both->void_slot(), b[0] == 2 || set->find(b) != set->void_slot());
    const auto coarse = coarsen(*set);
    EXPECT_EQ(coarse->lattice(), Coord<D>::Constant(3));
    const auto all_coarse = make_dense<D>(coarse->lattice());
    for (const auto& c : all_coarse->bricks()) {
        bool child = false;
        for (const auto& b : set->bricks()) child = child || Coord<D>(b / 2) == c;
        EXPECT_EQ(coarse->find(c) != coarse->void_slot(), child);
    }
}

TYPED_TEST(BrickSets, RejectsBricksOutside) {
    constexpr int D = TypeParam::value;
    EXPECT_THROW(BrickSet<D>(Coord<D>::Constant(2), {Coord<D>::Constant(2)}), InputError);
    EXPECT_THROW(BrickSet<D>(Coord<D>::Constant(0), {}), InputError);
}

}  // namespace
}  // namespace tidelock
