#include "solve/colour_order.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "grid/brick_set.h"
#include "grid/neighbour_cell.h"

namespace tidelock {
namespace {

template <class T>
class ColourOrderTest : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
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
    std::vector<float> parted(cells), joined(cells);
    part_brick<D>(natural.data(), 0.5, parted.data());
    for (int i = 0; i < cells; ++i)
        ASSERT_EQ(parted[static_cast<std::size_t>(colour_place<D>(i))], static_cast<float>(0.5 * (i + 1)));
    join_brick<D>(parted.data(), joined.data());
    for (int i = 0; i < cells; ++i) ASSERT_EQ(joined[static_cast<std::size_t>(i)], static_cast<float>(0.5 * (i + 1)));
}

/// Reads around all cells of a colour and compares with the neighbour table.
template <int D, class T, int colour>
void expect_neighbours(const BrickSet<D>& set, std::ptrdiff_t brick) {
    constexpr int cells = Brick<D>::cells;
    std::vector<T> values(static_cast<std::size_t>(set.cells() + cells));
    std::iota(values.begin(), values.end(), T{1});
    using Reader = ColourReader<D, T, colour>;
    Reader reader(values.data(), FaceSlots<D>(set.neighbours(brick).data()));
    std::vector<int> visited(half_brick<D>, 0);
    for_each_row_block<D>([&](int y, int z) {
        for_each_colour_row<D, colour>(
            y, z,
            [&]<int shift>(int k, int row) {
                for (int i = 0; i < Reader::nx; i += Reader::lanes)
                    for (int lane = 0; lane < Reader::lanes; ++lane) {
                        const int n = row + i + lane;
                        ++visited[static_cast<std::size_t>(n)];
                        int local = 0;  // the cell of this colour at the n-th place of its half
                        while (colour_place<D>(local) != colour * half_brick<D> + n) ++local;
                        for (int a = 0; a < D; ++a)
                            for (const int step : {-1, 1}) {
                                const auto [slot, cell] = neighbour_cell<D>(set, brick, local, a, step);
                                const auto place = colour_order<D>(std::ptrdiff_t{slot} * cells + cell);
                                const auto read = step < 0 ? reader.template lower<shift>(a, k, i)
                                                           : reader.template upper<shift>(a, k, i);
                                ASSERT_EQ(read[lane], values[static_cast<std::size_t>(place)])
                                    << "axis " << a << ", step " << step << ", cell " << local;
                            }
                    }
            },
            reader);
    });
    for (const int times : visited) ASSERT_EQ(times, 1);
}

TYPED_TEST(ColourOrderTest, ReadersFindEveryNeighbour) {
    constexpr int D = TypeParam::value;
    // With gaps: there, and beyond the edges, values come from the void brick behind the last.
    const auto set = make_where<D>(Coord<D>::Constant(3), [](const Coord<D>& b) { return b.sum() % 4 != 0; });
    for (std::ptrdiff_t b = 0; b < set->count(); ++b) {
        expect_neighbours<D, float, 0>(*set, b);
        expect_neighbours<D, float, 1>(*set, b);
        expect_neighbours<D, double, 0>(*set, b);
        expect_neighbours<D, double, 1>(*set, b);
    }
}

}  // namespace
}  // namespace tidelock
