/// Where the parts of a plot go.
#pragma once

#include "render/plot_series.h"

namespace tidelock {

/// Heights of capitals [pixels]; a picture 900 wide can be read at half its size.
inline constexpr double title_size = 16, label_size = 14, tick_size = 13, legend_size = 13, note_size = 11.5;
/// From baseline to baseline, in heights of a capital.
inline constexpr double line_pitch = 1.75;
inline constexpr double plot_margin = 16;                                             ///< at the picture's rim [pixels]
inline constexpr double legend_key_width = 36, legend_key_gap = 10, legend_gap = 22;  ///< [pixels]

struct PlotLegendEntry {
    std::size_t series = 0;
    std::vector<std::string> lines;
};

struct PlotLegend {
    std::vector<PlotLegendEntry> entries;
    double size = legend_size;  ///< smaller if there are many entries
    double width = 0;           ///< with keys; 0 without entries
};

struct PlotLayout {
    PlotArea area;  ///< between the axes
    PlotAxis x, y;
    PlotTicks x_ticks, y_ticks;
    std::vector<std::string> title, x_label, y_label, note;
    PlotLegend legend;
    std::vector<int> colours;  ///< of every series, in [0, plot_colours)
};

/// `place` names the plot in errors. The plot has been checked.
[[nodiscard]] PlotLayout lay_out(const Plot& plot, const std::string& place);

}  // namespace tidelock
