/// The curves of a plot, cut to its axes.
#pragma once

#include "render/plot.h"
#include "render/plot_axis.h"
#include "render/plot_surface.h"

namespace tidelock {

/// A rectangle: low is the upper left corner in pixels.
using PlotArea = Eigen::AlignedBox2d;

/// The parts of a line inside an area.
[[nodiscard]] std::vector<Stroke> cut_line(const Stroke& line, const PlotArea& area);
/// The part of a closed loop's inside that is inside an area, as one loop (empty: none).
[[nodiscard]] Stroke cut_loop(const Stroke& loop, const PlotArea& area);

/// Whether a point can be drawn: both coordinates are.
[[nodiscard]] bool drawable_point(const PlotSeries& series, std::size_t n);

/// Draws a series between its axes, in a group of its name.
void draw_series(const PlotSeries& series, int colour, const PlotAxis& x, const PlotAxis& y, PlotSurface& surface);

/// What stands for the series in the legend, from `left` (a point at mid-height) to the right.
void draw_legend_key(const PlotSeries& series, int colour, const Vec2& left, double width, PlotSurface& surface);

}  // namespace tidelock
