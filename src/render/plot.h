/// Line plots of numbers: one layout, drawn as SVG and as PNG.
///
/// Ranges follow the data unless they are given; the legend stands to the right of the axes, so that it never covers a
/// curve. Series get colours that colour-blind readers can tell apart (plot_marker.h), each with a marker of its own,
/// so that a black-and-white print can be read. The same plot gives the same bytes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "render/image.h"

namespace tidelock {

struct PlotSeries {
    enum class Style {
        line,
        dashed,
        markers,           ///< one at every point
        line_and_markers,  ///< beyond 16 points only some have a marker, about 30 pixels apart
        outline            ///< a closed loop, filled lightly
    };
    std::string name;
    /// As many of one as of the other. Points that are not finite, or beyond 1e300, break the line. A point without
    /// neighbours to draw a line to is drawn as a marker.
    std::vector<double> x, y;
    Style style = Style::line;
    int colour = -1;  ///< number of the colour and marker, 0 to 15; -1: the first that no other series has
    bool in_legend = true;
};

struct Plot {
    std::string title, x_label, y_label;  ///< UTF-8; labels say the unit
    std::string note;                     ///< in small letters beneath
    bool log_x = false, log_y = false;
    bool equal_axes = false;  ///< the same scale on both, for paths; automatic ranges are widened as needed
    std::optional<double> x_min, x_max, y_min, y_max;
    std::vector<PlotSeries> series;  ///< the first is drawn first
    int width = 900, height = 560;   ///< [pixels], 300 to 4000; the PNG has twice as many
};

/// Throws InputError, as all functions here do, for series with unequal numbers of x and y, values <= 0 on a log axis,
/// ranges that are empty, and pictures too small for their own labels.
[[nodiscard]] std::string plot_svg(const Plot& plot);
[[nodiscard]] Image plot_image(const Plot& plot);

/// STEM.svg and STEM.png; each appears whole or not at all, and neither if the plot has an error. Throws FileError too.
void write_plot(const Plot& plot, const std::filesystem::path& stem);

}  // namespace tidelock
