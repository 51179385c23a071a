#include "base/big_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace tidelock {
namespace {

// From malloc, from pages of its own, on huge pages; each size once more a little longer, as a moving liquid's are.
class BigArrayOf : public testing::TestWithParam<std::size_t> {};

TEST_P(BigArrayOf, IsZeroAndAlignedAlsoWhereAFreedOneLay) {
    for (const std::size_t more : {0, 1, 1000, 0}) {
        BigArray<std::uint8_t> a(GetParam() + more);
        ASSERT_EQ(a.size(), GetParam() + more);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
        EXPECT_TRUE(std::all_of(a.begin(), a.end(), [](std::uint8_t v) { return v == 0; }));
        std::fill(a.begin(), a.end(), std::uint8_t{0xff});  // the last byte is ours, too
    }
}

TEST_P(BigArrayOf, SharesNothingWithOthersOfItsSize) {
    BigArray<std::uint8_t> a(GetParam()), b(GetParam(), Uninitialised{}), c(GetParam());
    std::fill(a.begin(), a.end(), std::uint8_t{1});
    std::fill(b.begin(), b.end(), std::uint8_t{2});
    EXPECT_TRUE(std::all_of(a.begin(), a.end(), [](std::uint8_t v) { return v == 1; }));
    EXPECT_TRUE(std::all_of(c.begin(), c.end(), [](std::uint8_t v) { return v == 0; }));
    c = std::move(a);
    EXPECT_EQ(c[GetParam() - 1], 1);
}

INSTANTIATE_TEST_SUITE_P(Sizes, BigArrayOf,
                         testing::Values(std::size_t{1}, std::size_t{100'000}, std::size_t{128} << 10,
                                         std::size_t{700'001}, (std::size_t{4} << 20) - 1, std::size_t{4} << 20,
                                         std::size_t{9'000'001}));

TEST(BigArray, OfNothingHasNoMemory) {
    const BigArray<double> none(0);
    EXPECT_EQ(none.data(), nullptr);
    EXPECT_EQ(none.bytes(), 0u);
}

}  // namespace
}  // namespace tidelock
