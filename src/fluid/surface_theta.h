/// Where the surface of a liquid lies between the centres of a liquid and an air cell.
#pragma once

#include <algorithm>

namespace tidelock {

/// 1e-3 costs the solver nothing, and moves the surface by less than a thousandth of a cell (numerics/surface 4).
inline constexpr double least_theta = 1e-3;

/// Share of the way from a liquid cell (phi < 0) to an air cell that lies in the liquid; clamped, as a surface that
/// nearly touches the centre would outweigh everything else.
inline double surface_theta(double phi_liquid, double phi_air) {
    return std::clamp(phi_liquid / (phi_liquid - phi_air), least_theta, 1.0);
}

}  // namespace tidelock
