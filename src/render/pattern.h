/// Ordered patterns that stand in for random numbers in pictures: neighbours differ as much as they can, so that what
/// noise is left averages out over a few pixels and is not seen as speckles.
#pragma once

#include <cmath>

#include "base/vec.h"

namespace tidelock {

[[nodiscard]] inline float fraction(float x) { return x - std::floor(x); }

/// Interleaved gradient noise in [0, 1): any 3x3 pixels hold values spread evenly.
/// Source   [Jim14].
[[nodiscard]] inline float gradient_noise(int x, int y) {
    const float inner = fraction(0.06711056f * static_cast<float>(x) + 0.00583715f * static_cast<float>(y));
    return std::fmin(fraction(52.9829189f * inner), 0.99999f);
}

/// Point n of the plane-filling sequence built on the plastic number, moved by an offset and wrapped: any run of
/// consecutive points covers the unit square evenly.
/// Source   [Rob18] (R2).
[[nodiscard]] inline Eigen::Vector2f even_point(int n, float u, float v) {
    return {fraction(u + 0.7548776662f * static_cast<float>(n)), fraction(v + 0.5698402910f * static_cast<float>(n))};
}

}  // namespace tidelock
