#include "solve/colour_order.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "colour_readers.h"
#include "dimensions.h"
#include "solve/pressure_kernels.h"

namespace tidelock {
namespace {

template <class T>
class ColourOrderTest : public testing::Test {};
TYPED_TEST_SUITE(ColourOrderTest, Dimensions);

TYPED_TEST(ColourOrderTest, PlacesAreAPermutationWithOneColourBeforeTheOther) {
    constexpr int D = TypeParam::value, cells = Brick<D>::cells;
    std::set<std::ptrdiff_t> places;
    for (int i = 0; i < cells; ++i) {
        const int place = colour_place<D>(i);
        EXPECT_EQ(colour_at<D>(place), local_coord<D>(i).sum() % 2);
        EXPECT_EQ(colour_order<D>(7 * cells + i), 7 * cells + place);
        places.insert(place);
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(cells));
    EXPECT_EQ(*places.begin(), 0);
    EXPECT_EQ(*places.rbegin(), cells - 1);
}

TYPED_TEST(ColourOrderTest, BricksArePartedAndJoined) {
    constexpr int D = TypeParam::value, cells = Brick<D>::cells;
    std::vector<double> natural(cells);
    std::iota(natural.begin(), natural.end(), 1.0);
    std::vector<float> parted(cells);
    std::vector<double> joined(cells, std::numeric_limits<double>::quiet_NaN());
    pressure_kernels<D>().part(natural.data(), 0.5, parted.data());
    for (int i = 0; i < cells; ++i)
        ASSERT_EQ(parted[static_cast<std::size_t>(colour_place<D>(i))], static_cast<float>(0.5 * (i + 1)));
    // The direction of conjugate gradients comes back from there.
    pressure_kernels<D>().direct(parted.data(), 4.0, 0.0, joined.data());
    for (int i = 0; i < cells; ++i) ASSERT_EQ(joined[static_cast<std::size_t>(i)], 2.0 * (i + 1));
    pressure_kernels<D>().direct(parted.data(), 4.0, 0.25, joined.data());
    for (int i = 0; i < cells; ++i) ASSERT_EQ(joined[static_cast<std::size_t>(i)], 2.5 * (i + 1));
    part_brick<D>(natural.data(), joined.data());
    for (int i = 0; i < cells; ++i) ASSERT_EQ(joined[static_cast<std::size_t>(colour_place<D>(i))], i + 1);
}

TYPED_TEST(ColourOrderTest, ReadersFindEveryNeighbourInEveryInstructionSet) {
    constexpr int D = TypeParam::value;
    // With gaps: there, and beyond the edges, values come from the void brick behind the last.
    const auto set = make_where<D>(Coord<D>::Constant(3), [](const Coord<D>& b) { return b.sum() % 4 != 0; });
    for (const auto& [name, check] : colour_reader_checks<D>())
        for (std::ptrdiff_t b = 0; b < set->count(); ++b) ASSERT_EQ(check(*set, b), "") << name << ", brick " << b;
}

}  // namespace
}  // namespace tidelock
