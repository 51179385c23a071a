#include "render/plot_layout.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "render/plot_text.h"

namespace tidelock {
namespace {

constexpr double least_width = 140, least_height = 100;  // of the area between the axes [pixels]

double rows(const std::vector<std::string>& lines, double size) {
    return line_pitch * size * static_cast<double>(lines.size());
}

double top_of(const PlotLayout& l) {
    return plot_margin + (l.title.empty() ? 0.5 * tick_size : rows(l.title, title_size));
}

double widest(const std::vector<PlotTick>& ticks) {
    double width = 0;
    for (const PlotTick& t : ticks) width = std::max(width, plot_text_width(t.text, t.raised, tick_size));
    return width;
}

/// Given ones are kept; the others get the first numbers that are left, and share once there are none.
std::vector<int> choose_colours(const std::vector<PlotSeries>& series) {
    std::vector<int> users(plot_colours, 0), out;
    for (const PlotSeries& s : series)
        if (s.colour >= 0) ++users[static_cast<std::size_t>(s.colour)];
    for (const PlotSeries& s : series) {
        const auto least = std::min_element(users.begin(), users.end());
        if (s.colour < 0) ++*least;
        out.push_back(s.colour >= 0 ? s.colour : static_cast<int>(least - users.begin()));
    }
    return out;
}

/// `top`: where the area between the axes begins [pixels].
PlotLegend make_legend(const Plot& plot, double top) {
    PlotLegend legend;
    const double room = 0.3 * plot.width - legend_key_width - legend_key_gap;
    std::size_t lines = 0;
    for (std::size_t n = 0; n < plot.series.size(); ++n) {
        const PlotSeries& s = plot.series[n];
        if (!s.in_legend) continue;
        bool any = false;
        for (std::size_t k = 0; k < s.x.size(); ++k) any = any || drawable_point(s, k);
        legend.entries.push_back({n, wrapped_text(any ? s.name : s.name + " (no data)", legend_size, room)});
        lines += std::max<std::size_t>(legend.entries.back().lines.size(), 1);
    }
    const double height = line_pitch * legend_size * (static_cast<double>(lines) + 0.3 * double(legend.entries.size()));
    legend.size = legend_size * std::min(1.0, (plot.height - top - plot_margin) / std::max(height, 1.0));
    for (const PlotLegendEntry& entry : legend.entries)
        for (const std::string& line : entry.lines)
            legend.width = std::max(legend.width, plot_text_width(line, "", legend.size));
    if (!legend.entries.empty()) legend.width += legend_key_width + legend_key_gap;
    return legend;
}

PlotAxis axis_of(const Plot& plot, int axis) {
    std::vector<double> values;
    for (const PlotSeries& s : plot.series)
        for (std::size_t n = 0; n < s.x.size(); ++n)
            if (drawable_point(s, n)) values.push_back(axis == 0 ? s.x[n] : s.y[n]);
    return axis == 0 ? axis_for(values, plot.log_x, plot.x_min, plot.x_max)
                     : axis_for(values, plot.log_y, plot.y_min, plot.y_max);
}

/// Widens an axis to a span at those ends that are free; returns whether there was one.
bool widen(PlotAxis& axis, double span, bool low_free, bool high_free) {
    const double more = span - (axis.high - axis.low);
    if (low_free) axis.low -= high_free ? 0.5 * more : more;
    if (high_free) axis.high += low_free ? 0.5 * more : more;
    return low_free || high_free;
}

/// The same number of pixels a unit on both axes: widens the range of one, or shrinks the area if that is given.
void equalise(const Plot& plot, PlotLayout& layout) {
    PlotAxis &x = layout.x, &y = layout.y;
    const Vec2 size = layout.area.sizes();
    const double scale = std::min(size[0] / (x.high - x.low), size[1] / (y.high - y.low));  // [pixels a unit]
    if (size[0] / (x.high - x.low) > scale && !widen(x, size[0] / scale, !plot.x_min, !plot.x_max))
        layout.area.max()[0] = layout.area.min()[0] + scale * (x.high - x.low);
    if (size[1] / (y.high - y.low) > scale && !widen(y, size[1] / scale, !plot.y_min, !plot.y_max))
        layout.area.max()[1] = layout.area.min()[1] + scale * (y.high - y.low);
}

/// As many as have room side by side.
PlotTicks ticks_along(const PlotAxis& x, double width) {
    for (int most = static_cast<int>(width / 40);; --most) {
        PlotTicks ticks = x.ticks(most);
        double nearest = width;
        for (std::size_t n = 1; n < ticks.labelled.size(); ++n)
            nearest =
                std::min(nearest, x.pixel_of_unit(ticks.labelled[n].at) - x.pixel_of_unit(ticks.labelled[n - 1].at));
        if (most <= 2 || nearest > widest(ticks.labelled) + 1.4 * tick_size) return ticks;
    }
}

/// The area that labels, legend and note leave, for the ticks that there are now.
PlotArea area_within(const Plot& plot, const PlotLayout& l) {
    Vec2 low(plot_margin, top_of(l)), high(plot.width - plot_margin, plot.height - plot_margin);
    low[0] += rows(l.y_label, label_size) + widest(l.y_ticks.labelled) + 12;
    if (!l.note.empty()) high[1] -= rows(l.note, note_size) + 4;
    high[1] -= rows(l.x_label, label_size) + 2 * tick_size + 4;
    const double beyond = 0.5 * widest(l.x_ticks.labelled);  // a tick's label at the right end
    high[0] -= l.legend.entries.empty() ? beyond : std::max(beyond, l.legend.width + legend_gap);
    // Middles of pixels, so that the frame is sharp.
    for (int a = 0; a < 2; ++a) low[a] = std::floor(low[a]) + 0.5, high[a] = std::floor(high[a]) + 0.5;
    return {low, high};
}

}  // namespace

PlotLayout lay_out(const Plot& plot, const std::string& place) {
    PlotLayout l;
    l.colours = choose_colours(plot.series);
    const double inner = plot.width - 2 * plot_margin;
    l.title = wrapped_text(plot.title, title_size, inner, true);
    l.legend = make_legend(plot, top_of(l));
    l.note = wrapped_text(plot.note, note_size, inner);
    const PlotAxis x = axis_of(plot, 0), y = axis_of(plot, 1);
    // The area depends on the widths of the labels, and these on the area: settled after a few rounds.
    for (int round = 0; round < 4; ++round) {
        l.area = area_within(plot, l);
        const Vec2 size = l.area.sizes();
        if ((size.array() < Eigen::Array2d(least_width, least_height)).any())
            throw InputError(place, "{} x {} pixels leave {:.0f} x {:.0f} between the axes, must be at least {} x {}",
                             plot.width, plot.height, std::max(0.0, size[0]), std::max(0.0, size[1]), least_width,
                             least_height);
        l.x = x, l.y = y;
        if (plot.equal_axes) equalise(plot, l);
        l.x.from = l.area.min()[0], l.x.to = l.area.max()[0];
        l.y.from = l.area.max()[1], l.y.to = l.area.min()[1];
        l.x_ticks = ticks_along(l.x, l.area.sizes()[0]);
        l.y_ticks = l.y.ticks(static_cast<int>(l.area.sizes()[1] / (3.4 * tick_size)));
        l.x_label = wrapped_text(plot.x_label, label_size, size[0]);
        l.y_label = wrapped_text(plot.y_label, label_size, size[1]);
    }
    return l;
}

}  // namespace tidelock
