#include "base/hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"

namespace tidelock {
namespace {

std::string sample_bytes(std::size_t size) {
    const Random random(7);
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(random.bits(i) & 0xff);
    return bytes;
}

TEST(Hash, MatchesPublishedValuesOfXxh64) {
    EXPECT_EQ(hash_bytes(""), 0xef46db3751d8e999);
    EXPECT_EQ(hash_bytes("a"), 0xd24ec4f1a98c6e5b);
    EXPECT_EQ(hash_bytes("abc"), 0x44bc2cf5ad770999);
    // Longer than a stripe of 32 bytes: all four lanes.
    EXPECT_EQ(hash_bytes("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1);
    EXPECT_EQ(hash_text(0xabc), "0000000000000abc");
}

TEST(Hash, DoesNotDependOnThePieces) {
    const std::string bytes = sample_bytes(200);
    for (std::size_t piece = 1; piece < 80; ++piece) {
        Hasher hasher;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            hasher.add(std::string_view(bytes).substr(at, piece));
            EXPECT_EQ(hasher.value(), hash_bytes(std::string_view(bytes).substr(0, at + piece)));
        }
    }
}

TEST(Hash, SeesEveryBit) {
    std::string bytes = sample_bytes(150);
    std::set<std::uint64_t> seen{hash_bytes(bytes)};
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
        EXPECT_TRUE(seen.insert(hash_bytes(bytes)).second) << "bit " << bit;
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    }
}

}  // namespace
}  // namespace tidelock
