/// The keys of the method `weak` (docs/methods/weak.md).
#pragma once

#include <array>

#include "scene/coupling/method_keys.h"

namespace tidelock::scene {

[[nodiscard]] MethodKeys weak_keys();

/// Mass of the fluid that an ellipse or an ellipsoid carries along, over that of the fluid which it displaces, when it
/// moves the way where that is most (numerics/partitioned 3).
[[nodiscard]] double added_mass_of_ellipse(double a, double b);
[[nodiscard]] double added_mass_of_ellipsoid(const std::array<double, 3>& semi_axes);

}  // namespace tidelock::scene
