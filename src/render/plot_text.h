/// How much room text takes in a plot, before it is drawn.
///
/// A browser draws an SVG's text with a font that we do not know. Room is therefore kept for the wider of two: the
/// letters of font.h, which the PNG has, and DejaVu Sans, the widest of the fonts that "sans-serif" usually means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidelock {

/// Heights of capitals in font sizes: 0.70 to 0.73 in the usual fonts.
inline constexpr double capital_height = 0.72;
/// The letters of font.h are narrowed by this, to the width of those fonts.
inline constexpr double plot_letter_width = 0.86;
/// Of an exponent: its height, how far it is raised and the gap before it, in heights of a capital.
inline constexpr double raised_size = 0.76, raised_by = 0.52, raised_gap = 0.18;

/// With the letters of font.h; in pixels, for capitals `size` pixels high.
[[nodiscard]] double drawn_text_width(std::string_view text, std::string_view raised, double size);

/// Room to keep for text on any surface.
[[nodiscard]] double plot_text_width(std::string_view text, std::string_view raised, double size, bool bold = false);

/// Lines of at most `width` pixels, broken at spaces; a longer word has a line of its own. Empty text has none.
[[nodiscard]] std::vector<std::string> wrapped_text(std::string_view text, double size, double width,
                                                    bool bold = false);

}  // namespace tidelock
