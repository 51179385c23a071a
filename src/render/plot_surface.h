/// What a plot is drawn on. Pixels from the upper left corner, y points down; colours are sRGB, 0xRRGGBB.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "render/canvas.h"
#include "render/plot_marker.h"

namespace tidelock {

struct PlotPen {
    std::uint32_t colour = 0;
    double width = 1;  ///< [pixels]
    bool dashed = false;
};

/// Dashes and the gaps between them, in widths of the pen.
inline constexpr double plot_dash = 3.2, plot_gap = 2.6;

struct PlotTextLook {
    double size = 13;  ///< height of a capital [pixels]
    std::uint32_t colour = 0;
    Align align = Align::left;
    bool bold = false;
    bool upwards = false;  ///< turned by 90 degrees, to be read from the right
};

class PlotSurface {
  public:
    virtual ~PlotSurface() = default;

    /// What follows belongs together, until end_group.
    virtual void begin_group(std::string_view name) = 0;
    virtual void end_group() = 0;
    /// Round ends and joints.
    virtual void lines(std::span<const Stroke> lines, const PlotPen& pen) = 0;
    virtual void polygon(const Stroke& loop, std::uint32_t colour, double opacity) = 0;
    virtual void marker(const Vec2& at, const PlotMarker& marker, double radius) = 0;
    /// `at` is on the baseline; `raised` follows the text as an exponent.
    virtual void text(const Vec2& at, std::string_view text, std::string_view raised, const PlotTextLook& look) = 0;
};

}  // namespace tidelock
