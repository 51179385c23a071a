/// Which sides of the domain are open: fluid passes, pressure is known. The others are closed: free-slip walls.
#pragma once

#include <algorithm>
#include <array>

namespace tidelock {

template <int D>
struct Sides {
    std::array<std::array<bool, 2>, D> open{};  ///< [axis][0: lower, 1: upper]

    [[nodiscard]] bool is_open(int axis, int side) const {
        return open[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)];
    }
    [[nodiscard]] bool any_open() const {
        return std::ranges::any_of(open, [](const auto& axis) { return axis[0] || axis[1]; });
    }
};

}  // namespace tidelock
