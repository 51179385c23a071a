/// A plot as SVG 1.1: real text, so that it can be searched and read aloud.
#pragma once

#include "render/plot_surface.h"

namespace tidelock {

/// Text that is safe in XML: markup is escaped; bytes that are not UTF-8, and characters that XML 1.0 forbids, become
/// U+FFFD; line breaks and tabs become spaces.
[[nodiscard]] std::string xml_text(std::string_view text);

class SvgSurface final : public PlotSurface {
  public:
    /// On white.
    SvgSurface(int width, int height, std::string_view title);

    void begin_group(std::string_view name) override;
    void end_group() override;
    void lines(std::span<const Stroke> lines, const PlotPen& pen) override;
    void polygon(const Stroke& loop, std::uint32_t colour, double opacity) override;
    void marker(const Vec2& at, const PlotMarker& marker, double radius) override;
    void text(const Vec2& at, std::string_view text, std::string_view raised, const PlotTextLook& look) override;

    /// The whole file. All groups have been ended.
    [[nodiscard]] std::string finish() const { return svg_ + "</svg>\n"; }

  private:
    std::string svg_;
};

}  // namespace tidelock
