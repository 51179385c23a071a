/// A 64-bit hash of bytes: names a scene, proves that a checkpoint is undamaged, compares states in tests.
///
/// Source   XXH64, seed 0, from its public specification (Yann Collet, "xxHash fast digest algorithm", 0.1.1), so that
///          other programs can check our files. Not for secrets: whoever wants a collision finds one.
/// Promise  the same bytes give the same value on every machine and however they are cut into pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tidelock {

class Hasher {
  public:
    void add(std::span<const std::byte> bytes);
    void add(std::string_view bytes) { add(std::as_bytes(std::span(bytes.data(), bytes.size()))); }
    /// Of everything added so far; more may be added afterwards.
    [[nodiscard]] std::uint64_t value() const;

  private:
    std::array<std::uint64_t, 4> lanes_{0x60ea27eeadc0b5d6, 0xc2b2ae3d27d4eb4f, 0, 0x61c8864e7a143579};
    std::array<std::byte, 32> tail_{};  ///< bytes since the last whole stripe
    std::uint64_t length_ = 0;
};

[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes);
[[nodiscard]] std::uint64_t hash_bytes(std::string_view bytes);

/// 16 hexadecimal digits, as files and messages show a hash.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

}  // namespace tidelock
