/// Colours and markers of a plot's series.
/// Source   [OI08]: colours that people with any of the common kinds of colour
///          vision tell apart.
/// Deviates Its yellow, which cannot be seen on white, is replaced by a grey.
#pragma once

#include <cstdint>

#include "render/font.h"

namespace tidelock {

inline constexpr int plot_colours = 16;  ///< eight with filled markers, then the same with hollow ones

enum class MarkerShape { circle, square, triangle, diamond, inverted_triangle, plus, cross, star };

struct PlotMarker {
    MarkerShape shape = MarkerShape::circle;
    std::uint32_t colour = 0;  ///< sRGB, 0xRRGGBB
    bool hollow = false;       ///< a white middle with a coloured rim; otherwise filled, with a thin white rim
};

/// Width of either rim, in radii.
inline constexpr double marker_rim = 0.26;

/// `colour` in [0, plot_colours).
[[nodiscard]] PlotMarker plot_marker(int colour);

/// A closed loop around (0, 0), y down, of about the area of a circle with radius 0.9.
[[nodiscard]] Stroke marker_outline(MarkerShape shape);

}  // namespace tidelock
