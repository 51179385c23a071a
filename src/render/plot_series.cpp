#include "render/plot_series.h"

#include <algorithm>
#include <cmath>

namespace tidelock {
namespace {

using Style = PlotSeries::Style;

constexpr double line_width = 2.6, marker_radius = 5.6, fill_opacity = 0.16;
// Points nearer to the last one that was kept are left out of a line: less than the width of its edge.
constexpr double nearest_points = 0.25;
constexpr std::size_t few_markers = 16;
constexpr double nearest_markers = 30;

/// Runs of points that can be drawn, in pixels.
std::vector<Stroke> runs_of(const PlotSeries& series, const PlotAxis& x, const PlotAxis& y) {
    std::vector<Stroke> runs;
    bool open = false;
    for (std::size_t n = 0; n < series.x.size(); ++n) {
        if (!drawable_point(series, n)) {
            open = false;
            continue;
        }
        if (!open) runs.emplace_back();
        open = true;
        runs.back().emplace_back(x.pixel(series.x[n]), y.pixel(series.y[n]));
    }
    return runs;
}

Stroke thinned(const Stroke& line) {
    Stroke out;
    for (std::size_t n = 0; n < line.size(); ++n)
        if (n == 0 || n + 1 == line.size() || (line[n] - out.back()).norm() >= nearest_points) out.push_back(line[n]);
    return out;
}

/// Some points, far enough apart that their markers can be told; the first and the last are among them.
Stroke spread(const Stroke& points) {
    Stroke out;
    for (const Vec2& p : points)
        if (out.empty() || (p - out.back()).norm() >= nearest_markers) out.push_back(p);
    if (out.size() > 1 && (points.back() - out.back()).norm() < 0.5 * nearest_markers) out.pop_back();
    if (points.back() != out.back()) out.push_back(points.back());
    return out;
}

}  // namespace

std::vector<Stroke> cut_line(const Stroke& line, const PlotArea& area) {
    std::vector<Stroke> parts;
    bool joined = false;  // whether the last part ends where the next segment begins
    for (std::size_t n = 0; n + 1 < line.size(); ++n) {
        const Vec2 &a = line[n], along = line[n + 1] - a;
        double from = 0, to = 1;
        for (int axis = 0; axis < 2; ++axis) {
            // Where along the segment the two sides lie.
            double enter = area.min()[axis] - a[axis], leave = area.max()[axis] - a[axis];
            if (along[axis] == 0) {
                if (enter > 0 || leave < 0) to = -1;
                continue;
            }
            enter /= along[axis], leave /= along[axis];
            from = std::max(from, std::min(enter, leave)), to = std::min(to, std::max(enter, leave));
        }
        if (from > to) {
            joined = false;
            continue;
        }
        if (!joined || from > 0) parts.push_back({a + from * along});
        parts.back().push_back(to < 1 ? Vec2(a + to * along) : line[n + 1]);
        joined = to == 1;
    }
    return parts;
}

Stroke cut_loop(const Stroke& loop, const PlotArea& area) {
    // [SH74]: cut by one side after the other.
    Stroke points = loop;
    for (int side = 0; side < 4; ++side) {
        const int axis = side / 2;
        const double limit = side % 2 == 0 ? area.min()[axis] : area.max()[axis], sign = side % 2 == 0 ? 1 : -1;
        Stroke kept;
        for (std::size_t n = 0; n < points.size(); ++n) {
            const Vec2 &a = points[n], &b = points[(n + 1) % points.size()];
            const double in_a = sign * (a[axis] - limit), in_b = sign * (b[axis] - limit);
            if (in_a >= 0) kept.push_back(a);
            if ((in_a >= 0) != (in_b >= 0)) {
                Vec2 crossing = a + in_a / (in_a - in_b) * (b - a);
                crossing[axis] = limit;
                kept.push_back(crossing);
            }
        }
        points = std::move(kept);
    }
    return points;
}

bool drawable_point(const PlotSeries& series, std::size_t n) { return drawable(series.x[n]) && drawable(series.y[n]); }

void draw_series(const PlotSeries& series, int colour, const PlotAxis& x, const PlotAxis& y, PlotSurface& surface) {
    const PlotMarker look = plot_marker(colour);
    const PlotArea area(Vec2(std::min(x.from, x.to), std::min(y.from, y.to)),
                        Vec2(std::max(x.from, x.to), std::max(y.from, y.to)));
    // Points on the rim are inside, whatever rounding did to them.
    const PlotArea around(area.min() - Vec2::Constant(1e-6), area.max() + Vec2::Constant(1e-6));
    surface.begin_group(series.name);
    std::vector<Stroke> lines;
    Stroke points;
    for (Stroke run : runs_of(series, x, y)) {
        const bool alone = run.size() == 1;
        if (alone || series.style == Style::markers || series.style == Style::line_and_markers)
            std::copy_if(run.begin(), run.end(), std::back_inserter(points),
                         [&](const Vec2& p) { return around.contains(p); });
        if (alone || series.style == Style::markers) continue;
        if (series.style == Style::outline) {
            const Stroke inside = cut_loop(run, area);
            if (inside.size() >= 3) surface.polygon(inside, look.colour, fill_opacity);
            run.push_back(run.front());
        }
        for (Stroke& part : cut_line(thinned(run), around)) lines.push_back(std::move(part));
    }
    if (!lines.empty()) surface.lines(lines, {look.colour, line_width, series.style == Style::dashed});
    if (series.style == Style::line_and_markers && points.size() > few_markers) points = spread(points);
    for (const Vec2& p : points) surface.marker(p, look, marker_radius);
    surface.end_group();
}

void draw_legend_key(const PlotSeries& series, int colour, const Vec2& left, double width, PlotSurface& surface) {
    const PlotMarker look = plot_marker(colour);
    const Vec2 middle = left + Vec2(0.5 * width, 0);
    if (series.style == Style::outline) {
        const Vec2 across(0.3 * width, 0), up(0, 0.2 * width);
        const Stroke box = {middle - across - up, middle + across - up, middle + across + up, middle - across + up,
                            middle - across - up};
        surface.polygon({box.begin(), box.end() - 1}, look.colour, fill_opacity);
        surface.lines({&box, 1}, {look.colour, line_width, false});
        return;
    }
    const Stroke line = {left, left + Vec2(width, 0)};
    if (series.style != Style::markers)
        surface.lines({&line, 1}, {look.colour, line_width, series.style == Style::dashed});
    if (series.style == Style::markers || series.style == Style::line_and_markers)
        surface.marker(middle, look, marker_radius);
}

}  // namespace tidelock
