#include "render/plot.h"

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "render/canvas_surface.h"
#include "render/plot_draw.h"
#include "render/png.h"
#include "render/svg_surface.h"

namespace tidelock {
namespace {

constexpr int sharpness = 2;  // pixels of the PNG for one of the plot

void check_range(const std::string& place, const char* axis, bool log, std::optional<double> low,
                 std::optional<double> high) {
    for (const std::optional<double>& end : {low, high}) {
        if (end && !drawable(*end))
            throw InputError(place, "{} range: {} must be a number of at most {:.0e}", axis, *end, plot_largest);
        if (end && log && *end < plot_smallest)
            throw InputError(place, "{} range: {} must be > 0 on a log axis", axis, *end);
    }
    // Closer ends have no ticks that can be told apart.
    if (low && high && !(*high - *low > std::max(1e-12 * std::max(std::abs(*low), std::abs(*high)), plot_smallest)))
        throw InputError(place, "{} range: from {} to {} is empty, must rise", axis, *low, *high);
}

void check_series(const std::string& place, const Plot& plot, const PlotSeries& series) {
    const std::string here = place + ", series '" + series.name + "'";
    if (series.x.size() != series.y.size())
        throw InputError(here, "{} x values and {} y values, must be as many", series.x.size(), series.y.size());
    if (series.colour < -1 || series.colour >= plot_colours)
        throw InputError(here, "colour {}, must be -1 to {}", series.colour, plot_colours - 1);
    for (std::size_t n = 0; n < series.x.size(); ++n) {
        if (!drawable_point(series, n)) continue;
        for (const bool on_x : {true, false})
            if ((on_x ? plot.log_x : plot.log_y) && (on_x ? series.x[n] : series.y[n]) < plot_smallest)
                throw InputError(here, "point {} of {}: {} = {}, must be > 0 on a log axis", n + 1, series.x.size(),
                                 on_x ? "x" : "y", on_x ? series.x[n] : series.y[n]);
    }
}

std::string checked(const Plot& plot) {
    std::string place = "plot '" + plot.title + "'";
    if (std::min(plot.width, plot.height) < 300 || std::max(plot.width, plot.height) > 4000)
        throw InputError(place, "{} x {} pixels, must be 300 to 4000", plot.width, plot.height);
    if (plot.equal_axes && (plot.log_x || plot.log_y))
        throw InputError(place, "equal_axes with a log axis, must be with linear axes");
    check_range(place, "x", plot.log_x, plot.x_min, plot.x_max);
    check_range(place, "y", plot.log_y, plot.y_min, plot.y_max);
    for (const PlotSeries& s : plot.series) check_series(place, plot, s);
    return place;
}

std::string svg_of(const Plot& plot, const PlotLayout& layout) {
    SvgSurface surface(plot.width, plot.height, plot.title);
    draw_plot(plot, layout, surface);
    return surface.finish();
}

Image image_of(const Plot& plot, const PlotLayout& layout) {
    CanvasSurface surface(plot.width, plot.height, sharpness);
    draw_plot(plot, layout, surface);
    return surface.finish();
}

}  // namespace

std::string plot_svg(const Plot& plot) { return svg_of(plot, lay_out(plot, checked(plot))); }

Image plot_image(const Plot& plot) { return image_of(plot, lay_out(plot, checked(plot))); }

void write_plot(const Plot& plot, const std::filesystem::path& stem) {
    const PlotLayout layout = lay_out(plot, checked(plot));
    const std::string svg = svg_of(plot, layout);
    const std::vector<unsigned char> png = encode_png(image_of(plot, layout));
    std::filesystem::path svg_file = stem, png_file = stem;
    svg_file += ".svg", png_file += ".png";
    // Both are on the disk before either gets its name.
    AtomicFile svg_out(svg_file), png_out(png_file);
    svg_out.write(svg);
    png_out.write(std::as_bytes(std::span(png)));
    svg_out.commit();
    png_out.commit();
}

}  // namespace tidelock
