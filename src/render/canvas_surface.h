/// A plot as pixels.
#pragma once

#include "render/plot_surface.h"

namespace tidelock {

class CanvasSurface final : public PlotSurface {
  public:
    /// On white; `scale` pixels of the picture for one of the plot.
    CanvasSurface(int width, int height, int scale);

    void begin_group(std::string_view) override {}
    void end_group() override {}
    void lines(std::span<const Stroke> lines, const PlotPen& pen) override;
    void polygon(const Stroke& loop, std::uint32_t colour, double opacity) override;
    void marker(const Vec2& at, const PlotMarker& marker, double radius) override;
    void text(const Vec2& at, std::string_view text, std::string_view raised, const PlotTextLook& look) override;

    [[nodiscard]] Image finish() const;

  private:
    /// Strokes in pixels of the plot.
    void draw(std::vector<Stroke> lines, double width, std::uint32_t colour);
    void fill(Stroke loop, std::uint32_t colour, double opacity);

    // Holds sRGB instead of linear light: colours then mix as browsers mix those of the SVG, and no dither is needed.
    FloatImage picture_;
    double scale_;
};

}  // namespace tidelock
