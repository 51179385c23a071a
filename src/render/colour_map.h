/// Colours for numbers. The maps are laid out in Oklab, where equal steps look equal: lightness rises at a constant
/// rate along a sequential map, and from the middle of the diverging map to both ends.
/// Source   [Ott20] (Oklab).
#pragma once

#include "render/image.h"

namespace tidelock {

enum class ColourMap {
    mist,   ///< density: night blue to white
    ember,  ///< temperature: black through red and orange to pale yellow
    tide,   ///< speed: indigo through teal and green to yellow
    swirl   ///< vorticity, diverging: light blue - dark - light orange
};

/// Linear light for t in [0, 1]; clamped outside, 0 for what is not a number.
[[nodiscard]] Rgb colour_of(ColourMap map, double t);
[[nodiscard]] bool diverging(ColourMap map);

[[nodiscard]] Rgb from_oklab(const Eigen::Vector3f& lab);

}  // namespace tidelock
