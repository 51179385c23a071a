#include "render/plot_draw.h"

#include <algorithm>

namespace tidelock {
namespace {

constexpr std::uint32_t ink = 0x262626, faint_ink = 0x5a5a5a, frame_colour = 0x8a8a8a, grid_colour = 0xe2e2e2;

/// Lines of text from a baseline downwards.
void draw_lines(const std::vector<std::string>& lines, Vec2 at, const PlotTextLook& look, PlotSurface& surface) {
    for (const std::string& line : lines) {
        surface.text(at, line, "", look);
        (look.upwards ? at[0] : at[1]) += line_pitch * look.size;
    }
}

void draw_grid(const PlotLayout& l, PlotSurface& surface) {
    std::vector<Stroke> lines;
    for (const PlotTick& t : l.x_ticks.labelled) {
        const double at = l.x.pixel_of_unit(t.at);
        lines.push_back({{at, l.area.min()[1]}, {at, l.area.max()[1]}});
    }
    for (const PlotTick& t : l.y_ticks.labelled) {
        const double at = l.y.pixel_of_unit(t.at);
        lines.push_back({{l.area.min()[0], at}, {l.area.max()[0], at}});
    }
    surface.begin_group("grid");
    if (!lines.empty()) surface.lines(lines, {grid_colour, 1, false});
    surface.end_group();
}

/// Ticks with their numbers, and the label.
void draw_axis(const PlotLayout& l, bool horizontal, PlotSurface& surface) {
    const PlotAxis& axis = horizontal ? l.x : l.y;
    const PlotTicks& ticks = horizontal ? l.x_ticks : l.y_ticks;
    const Vec2 outwards = horizontal ? Vec2(0, 1) : Vec2(-1, 0);
    const auto at = [&](double unit) {
        const double p = axis.pixel_of_unit(unit);
        return horizontal ? Vec2(p, l.area.max()[1]) : Vec2(l.area.min()[0], p);
    };
    surface.begin_group(horizontal ? "x axis" : "y axis");
    std::vector<Stroke> marks;
    for (const double unit : ticks.minor) marks.push_back({at(unit), at(unit) + 3.5 * outwards});
    for (const PlotTick& t : ticks.labelled) marks.push_back({at(t.at), at(t.at) + 7 * outwards});
    if (!marks.empty()) surface.lines(marks, {frame_colour, 1, false});
    const Vec2 shift = horizontal ? Vec2(0, 2 * tick_size) : Vec2(-12, 0.5 * tick_size);
    for (const PlotTick& t : ticks.labelled)
        surface.text(at(t.at) + shift, t.text, t.raised,
                     {tick_size, ink, horizontal ? Align::centre : Align::right, false, false});
    if (horizontal)
        draw_lines(l.x_label, {l.area.center()[0], l.area.max()[1] + 2 * tick_size + line_pitch * label_size + 2},
                   {label_size, ink, Align::centre, false, false}, surface);
    else
        draw_lines(l.y_label, {plot_margin + label_size, l.area.center()[1]},
                   {label_size, ink, Align::centre, false, true}, surface);
    surface.end_group();
}

void draw_legend(const Plot& plot, const PlotLayout& l, PlotSurface& surface) {
    const double size = l.legend.size;
    Vec2 at(l.area.max()[0] + legend_gap, l.area.min()[1] + 0.5 * size + 4);
    surface.begin_group("legend");
    for (const PlotLegendEntry& entry : l.legend.entries) {
        draw_legend_key(plot.series[entry.series], l.colours[entry.series], at, legend_key_width, surface);
        draw_lines(entry.lines, at + Vec2(legend_key_width + legend_key_gap, 0.5 * size),
                   {size, ink, Align::left, false, false}, surface);
        at[1] += line_pitch * size * (static_cast<double>(std::max<std::size_t>(entry.lines.size(), 1)) + 0.3);
    }
    surface.end_group();
}

}  // namespace

void draw_plot(const Plot& plot, const PlotLayout& l, PlotSurface& surface) {
    draw_grid(l, surface);
    draw_axis(l, true, surface);
    draw_axis(l, false, surface);
    const Vec2 low = l.area.min(), high = l.area.max();
    const Stroke frame = {low, {high[0], low[1]}, high, {low[0], high[1]}, low};
    surface.lines({&frame, 1}, {frame_colour, 1, false});
    for (std::size_t n = 0; n < plot.series.size(); ++n) draw_series(plot.series[n], l.colours[n], l.x, l.y, surface);
    draw_legend(plot, l, surface);
    draw_lines(l.title, {plot_margin, plot_margin + title_size}, {title_size, ink, Align::left, true, false}, surface);
    const double below = line_pitch * note_size * (static_cast<double>(l.note.size()) - 1);
    draw_lines(l.note, {plot_margin, plot.height - plot_margin - below},
               {note_size, faint_ink, Align::left, false, false}, surface);
}

}  // namespace tidelock
