/// Light at a smooth boundary between two clear media.
#pragma once

#include <algorithm>
#include <cmath>

#include "render/image.h"

namespace tidelock {

/// What becomes of a ray at the boundary. Shares of the light's power: `reflectance` and 1 - `reflectance`.
struct Refraction {
    float reflectance = 1;                                // of unpolarised light
    Eigen::Vector3f reflected = Eigen::Vector3f::Zero();  // unit
    Eigen::Vector3f refracted = Eigen::Vector3f::Zero();  // unit; zero for total internal reflection
};

/// Snell's law and Fresnel's formulas. `direction` is a unit vector, `normal` the unit normal on the side it comes from
/// (direction . normal < 0), `ratio` the index of refraction on that side over the one beyond.
[[nodiscard]] inline Refraction refract(const Eigen::Vector3f& direction, const Eigen::Vector3f& normal, float ratio) {
    Refraction out;
    const float cosine = std::clamp(-direction.dot(normal), 0.0f, 1.0f);
    out.reflected = (direction + 2 * cosine * normal).normalized();
    const float sine2 = ratio * ratio * (1 - cosine * cosine);
    if (sine2 >= 1) return out;
    const float beyond = std::sqrt(1 - sine2);
    out.refracted = (ratio * direction + (ratio * cosine - beyond) * normal).normalized();
    const float across = (ratio * cosine - beyond) / (ratio * cosine + beyond);
    const float along = (cosine - ratio * beyond) / (cosine + ratio * beyond);
    out.reflectance = 0.5f * (across * across + along * along);
    return out;
}

/// Share of each colour that is left after `distance` [m] in a medium that absorbs `absorption` [1/m] (Beer, Lambert).
[[nodiscard]] inline Rgb transmittance(const Rgb& absorption, float distance) {
    return (-absorption * distance).array().exp();
}

}  // namespace tidelock
