/// Counter-based random numbers: the value depends on the seed and the index only, never on who asked before,
/// so a parallel loop draws the same numbers on any number of threads.
///
/// Source   [SMDS11] "Parallel random numbers: as easy as 1, 2, 3": Philox-4x32, 10 rounds.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "base/math.h"
#include "base/vec.h"

namespace tidelock {

/// The Philox-4x32-10 bijection: a 128-bit counter under a 64-bit key.
TIDELOCK_HD inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key) {
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53u} * counter[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ k1, static_cast<std::uint32_t>(a)};
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return counter;
}

/// Random access to an endless table of numbers. `lane` separates several draws for one index.
class Random {
  public:
    explicit Random(std::uint64_t seed) : seed_(seed) {}

    /// 64 random bits.
    [[nodiscard]] std::uint64_t bits(std::uint64_t index, std::uint32_t lane = 0) const {
        const auto v =
            philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), lane, 0}, seed_);
        return (std::uint64_t{v[0]} << 32) | v[1];
    }
    /// Uniform in [0, 1), 53 bits.
    [[nodiscard]] double uniform(std::uint64_t index, std::uint32_t lane = 0) const {
        return static_cast<double>(bits(index, lane) >> 11) * 0x1.0p-53;
    }
    /// Uniform in [low, high).
    [[nodiscard]] double uniform(std::uint64_t index, std::uint32_t lane, double low, double high) const {
        return low + (high - low) * uniform(index, lane);
    }
    /// Standard normal (Box-Muller on two lanes of its own).
    [[nodiscard]] double normal(std::uint64_t index, std::uint32_t lane = 0) const {
        const double u = 1.0 - uniform(index, 2 * lane + 0x40000000u);
        const double v = uniform(index, 2 * lane + 0x40000001u);
        return std::sqrt(-2.0 * logarithm(u)) * cosine(6.283185307179586 * v);
    }
    /// A point uniform in the unit cube.
    template <int D>
    [[nodiscard]] Vec<D> point(std::uint64_t index) const {
        Vec<D> x;
        for (int a = 0; a < D; ++a) x[a] = uniform(index, static_cast<std::uint32_t>(a));
        return x;
    }

  private:
    std::uint64_t seed_;
};

}  // namespace tidelock
