#include "base/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tidelock {
namespace {

static_assert(std::endian::native == std::endian::little, "the specification reads lanes as little-endian");

// Section "Algorithm description", prime numbers.
constexpr std::uint64_t prime1 = 0x9e3779b185ebca87, prime2 = 0xc2b2ae3d27d4eb4f, prime3 = 0x165667b19e3779f9,
                        prime4 = 0x85ebca77c2b2ae63, prime5 = 0x27d4eb2f165667c5;

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t input) { return std::rotl(lane + input * prime2, 31) * prime1; }

void add_stripe(std::array<std::uint64_t, 4>& lanes, const std::byte* stripe) {
    for (std::size_t i = 0; i < 4; ++i) lanes[i] = round(lanes[i], load<std::uint64_t>(stripe + 8 * i));
}

}  // namespace

void Hasher::add(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    const std::size_t held = length_ % 32;
    length_ += bytes.size();
    if (held > 0) {
        const std::size_t n = std::min(32 - held, bytes.size());
        std::memcpy(tail_.data() + held, bytes.data(), n);
        if (held + n < 32) return;
        add_stripe(lanes_, tail_.data());
        bytes = bytes.subspan(n);
    }
    for (; bytes.size() >= 32; bytes = bytes.subspan(32)) add_stripe(lanes_, bytes.data());
    std::copy(bytes.begin(), bytes.end(), tail_.begin());
}

std::uint64_t Hasher::value() const {
    std::uint64_t h = prime5;
    if (length_ >= 32) {
        h = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
        for (const std::uint64_t lane : lanes_) h = (h ^ round(0, lane)) * prime1 + prime4;
    }
    h += length_;
    const std::byte* rest = tail_.data();
    const std::byte* end = rest + length_ % 32;
    for (; end - rest >= 8; rest += 8) h = std::rotl(h ^ round(0, load<std::uint64_t>(rest)), 27) * prime1 + prime4;
    for (; end - rest >= 4; rest += 4) {
        h = std::rotl(h ^ (load<std::uint32_t>(rest) * prime1), 23) * prime2 + prime3;
    }
    for (; rest != end; ++rest) h = std::rotl(h ^ (std::to_integer<std::uint64_t>(*rest) * prime5), 11) * prime1;
    h = (h ^ (h >> 33)) * prime2;
    h = (h ^ (h >> 29)) * prime3;
    return h ^ (h >> 32);
}

std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
    Hasher hasher;
    hasher.add(bytes);
    return hasher.value();
}

std::uint64_t hash_bytes(std::string_view bytes) {
    return hash_bytes(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace tidelock
