/// Draws a plot that has been laid out: grid, axes, curves, legend, title and note.
#pragma once

#include "render/plot_layout.h"

namespace tidelock {

void draw_plot(const Plot& plot, const PlotLayout& layout, PlotSurface& surface);

}  // namespace tidelock
