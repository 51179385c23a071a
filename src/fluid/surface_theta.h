/// Where the surface of a liquid lies between the centres of a liquid and an air cell.
#pragma once

#include <algorithm>

namespace tidelock {

/// [cells] So far above its centre the surface of a liquid cell lies at least (numerics/surface 4).
inline constexpr double least_level = 1e-6;

/// Share of the way from a liquid cell (phi < 0) to an air cell that lies in the liquid, above 0 and at most 1. The level is
/// what is clamped, not the share: of a level surface through centres the share towards an air cell beside may be anything,
/// and pressure over share must be the slope of the level.
inline double surface_theta(double phi_liquid, double phi_air, double dx) {
    const double wet = std::max(-phi_liquid, least_level * dx);
    return wet / (wet + std::max(phi_air, 0.0));
}

}  // namespace tidelock
