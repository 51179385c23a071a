/// Draws for one random scene: the same for the same seed, scene and attempt, in the order in which they are asked for;
/// which that is among a call's arguments, compilers may choose.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/math.h"
#include "base/random.h"

namespace tidelock {

class Dice {
  public:
    Dice(std::uint64_t seed, std::uint64_t scene, std::uint64_t attempt)
        : random_(seed), index_(1000 * scene + attempt) {}

    double in(double low, double high) { return random_.uniform(index_, lane_++, low, high); }
    /// Between two positive numbers, each power of ten alike.
    double power_in(double low, double high) { return low * exponential(in(0, 1) * logarithm(high / low)); }
    bool chance(double p) { return in(0, 1) < p; }
    int below(int n) { return std::min(n - 1, static_cast<int>(in(0, n))); }
    int from(int low, int high) { return low + below(high - low + 1); }
    template <class T>
    const T& pick(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    }
    std::string word(const std::vector<std::string>& list) { return pick(list); }

  private:
    Random random_;
    std::uint64_t index_;
    std::uint32_t lane_ = 0;
};

}  // namespace tidelock
