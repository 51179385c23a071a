/// Points that fill space evenly without a pattern: one in each of the 2^D parts of a cell, somewhere within the part.
/// They depend on seed, round, cell and part only.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "grid/brick.h"

namespace tidelock {

template <int D>
class Jitter {
  public:
    /// Rounds are far apart in the space of seeds (a multiple of the golden ratio's bits).
    Jitter(std::uint64_t seed, std::uint64_t round) : random_(seed + 0x9E3779B97F4A7C15u * round) {}

    /// A point of part `part` of a cell [cell units]; bit a of the part: upper half along axis a. Cells repeat after
    /// 2^24 along an axis, more than a grid has (check_grid).
    [[nodiscard]] Vec<D> point(const Coord<D>& cell, int part) const {
        const auto bits = [&](int a) { return static_cast<std::uint64_t>(cell[a]) & 0xFFFFFF; };
        // 64 of the coordinates' bits name the index, the rest the lane.
        std::uint64_t index = bits(0) | bits(1) << 24;
        auto lane = static_cast<std::uint32_t>(part * D);
        if constexpr (D == 3) {
            index |= bits(2) << 48;
            lane |= static_cast<std::uint32_t>(bits(2) >> 16) << 8;
        }
        Vec<D> x;
        for (int a = 0; a < D; ++a)
            x[a] = cell[a] + 0.5 * ((part >> a & 1) + random_.uniform(index, lane + static_cast<std::uint32_t>(a)));
        return x;
    }

  private:
    Random random_;
};

}  // namespace tidelock
