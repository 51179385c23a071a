/// A small font of strokes: ASCII, the minus and times signs, and the degree sign, middle dot, micro and
/// raised 2 and 3 of units.
#pragma once

#include <string_view>
#include <vector>

#include "base/vec.h"

namespace tidelock {

using Stroke = std::vector<Vec2>;

/// The strokes of a line of UTF-8 text, left to right from x = 0; the baseline is y = 0, y points up, capitals are 1
/// high. Characters that the font lacks are drawn as a box.
[[nodiscard]] std::vector<Stroke> text_strokes(std::string_view text);
/// Its width, in heights of a capital.
[[nodiscard]] double text_width(std::string_view text);

}  // namespace tidelock
