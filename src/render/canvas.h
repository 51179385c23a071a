/// Antialiased lines, shapes and text on a picture, in pixels from the upper left corner; y points down.
#pragma once

#include <span>
#include <string_view>

#include "render/font.h"
#include "render/image.h"

namespace tidelock {

enum class Align { left, centre, right };

class Canvas {
  public:
    explicit Canvas(FloatImage& image) : image_(&image) {}

    /// Lines of constant width with round ends and joints. Where strokes of one call overlap they are drawn once.
    void strokes(std::span<const Stroke> lines, double width, const Rgb& colour, float alpha = 1);
    /// The same with a width at each point of the line.
    void tapered(const Stroke& line, std::span<const double> widths, const Rgb& colour, float alpha = 1);
    /// The inside of closed loops, by the even-odd rule.
    void fill(std::span<const Stroke> loops, const Rgb& colour, float alpha = 1);
    /// Capitals are `size` pixels high; `at` is on the baseline.
    void text(const Vec2& at, double size, std::string_view text, const Rgb& colour, Align align);

  private:
    FloatImage* image_;
};

}  // namespace tidelock
