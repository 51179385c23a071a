/// What the writer and the reader of checkpoints agree on (layout: io/checkpoint.h).
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace tidelock {

static_assert(std::endian::native == std::endian::little, "checkpoints are copied as they are");

inline constexpr std::string_view checkpoint_magic = "tidelock";
inline constexpr std::uint64_t checkpoint_prefix_bytes = 16;  // magic, version, length of the header
inline constexpr std::uint64_t checkpoint_suffix_bytes = 8;   // the hash

/// Arrays start at multiples of 64: a cache line, the widest vector.
inline std::uint64_t aligned(std::uint64_t offset) { return (offset + 63) / 64 * 64; }

}  // namespace tidelock
