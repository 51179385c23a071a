/// A region of trapped air, and how cells name the region that they belong to.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/math.h"
#include "solve/poisson_operator.h"

namespace tidelock {

/// BubbleState::label of cells.
namespace air_label {
inline constexpr std::int32_t none = 0, atmosphere = 1, first_bubble = 2;
}  // namespace air_label

struct Bubble {
    double volume = 0;             ///< measured [m^D]
    double target = 0;             ///< that it should have [m^D]
    double missing = 0;            ///< integral of what the surface lacks over time so far [m^D s]
    double poured = 0;             ///< into it in this step [m^D]
    bool foam = false;             ///< too small to have a pressure of its own
    std::vector<CellPlace> cells;  ///< whose centres are in it
    std::vector<CellPlace> shell;  ///< liquid cells around it

    /// That its surface does not have for its own errors: what was poured into it the flow makes room for.
    [[nodiscard]] double lacks() const { return target - poured - volume; }
};

/// Surface of a ball of this volume [m^(D-1)].
template <int D>
double ball_surface(double volume) {
    return D == 2 ? 2 * std::sqrt(std::numbers::pi * volume) : cube_root(36 * std::numbers::pi * volume * volume);
}

}  // namespace tidelock
