#include "render/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "base/file.h"
#include "render/plot_series.h"
#include "render/png.h"
#include "svg_reader.h"

namespace tidelock {
namespace {

using test::read_svg;
using test::SvgElement;
using Style = PlotSeries::Style;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<SvgElement> find(const std::vector<SvgElement>& all, const std::string& group, const std::string& name) {
    std::vector<SvgElement> out;
    for (const SvgElement& e : all)
        if (e.group == group && e.name == name) out.push_back(e);
    return out;
}

/// Where an axis has the tick with this text [pixels].
double tick_at(const std::vector<SvgElement>& all, bool horizontal, const std::string& text) {
    const auto labels = find(all, horizontal ? "x axis" : "y axis", "text");
    const auto marks = find(all, horizontal ? "x axis" : "y axis", "path").at(0).points();
    for (const SvgElement& label : labels) {
        if (label.text != text || label.attributes.contains("transform")) continue;
        // The mark nearest to the number.
        double at = 1e9;
        const double wanted = label.number(horizontal ? "x" : "y") - (horizontal ? 0 : 6.5);
        for (const Vec2& p : marks)
            if (std::abs(p[horizontal ? 0 : 1] - wanted) < std::abs(at - wanted)) at = p[horizontal ? 0 : 1];
        EXPECT_NEAR(at, wanted, 0.011) << text;
        return at;
    }
    ADD_FAILURE() << "no tick " << text;
    return not_a_number;
}

PlotArea frame_of(const std::vector<SvgElement>& all) {
    PlotArea area;
    for (const Vec2& p : find(all, "", "path").at(0).points()) area.extend(p);
    return area;
}

Plot simple(Style style = Style::line) {
    Plot plot;
    plot.title = "Title";
    plot.x_label = "time [s]";
    plot.y_label = "height [m]";
    plot.series.push_back({"one", {0, 1, 2, 3, 4}, {10, 20, 15, 40, 30}, style, -1, true});
    return plot;
}

TEST(Plot, PointsLieWhereTheAxesSay) {
    const auto all = read_svg(plot_svg(simple()));
    const Stroke line = find(all, "one", "path").at(0).points();
    ASSERT_EQ(line.size(), 5u);
    // Hundredths of a pixel, rounded on both sides.
    EXPECT_NEAR(line[2][0], tick_at(all, true, "2.0"), 0.011);
    EXPECT_NEAR(line[1][1], tick_at(all, false, "20"), 0.011);
    EXPECT_NEAR(line[3][1], tick_at(all, false, "40"), 0.011);
    EXPECT_NEAR(line[2][1], 0.5 * (line[0][1] + line[1][1]), 0.011);  // 15 is half-way
    EXPECT_LT(line[3][1], line[0][1]);                                // larger is higher
}

TEST(Plot, PointsLieWhereLogAxesSay) {
    Plot plot = simple(Style::markers);
    plot.log_x = plot.log_y = true;
    plot.series[0].x = {1e-4, 1, 1e4};
    plot.series[0].y = {1, 1e-3, 1e-6};
    const auto all = read_svg(plot_svg(plot));
    const auto points = find(all, "one", "circle");
    ASSERT_EQ(points.size(), 3u);
    EXPECT_NEAR(points[0].number("cx"), tick_at(all, true, "10^−4"), 0.011);
    EXPECT_NEAR(points[2].number("cx"), tick_at(all, true, "10^4"), 0.011);
    EXPECT_NEAR(points[1].number("cy"), tick_at(all, false, "10^−3"), 0.011);
    EXPECT_NEAR(points[2].number("cy"), tick_at(all, false, "10^−6"), 0.011);
    EXPECT_NEAR(points[1].number("cx"), 0.5 * (points[0].number("cx") + points[2].number("cx")), 0.011);
}

TEST(Plot, EqualAxesHaveOneScale) {
    Plot plot = simple(Style::outline);
    plot.series[0].x.clear(), plot.series[0].y.clear();
    for (int n = 0; n < 64; ++n) {
        plot.series[0].x.push_back(0.5 + 0.2 * std::cos(std::numbers::pi * n / 32));
        plot.series[0].y.push_back(3 + 0.2 * std::sin(std::numbers::pi * n / 32));
    }
    plot.equal_axes = true;
    for (const int ranges : {0, 1, 2}) {
        if (ranges == 1) plot.x_min = 0, plot.x_max = 1;                         // y gives way
        if (ranges == 2) plot.y_min = 2.7, plot.y_max = 3.3, plot.width = 1200;  // nothing can: the area shrinks
        const auto all = read_svg(plot_svg(plot));
        PlotArea box;
        for (const Vec2& p : find(all, "one", "path").at(1).points()) box.extend(p);
        EXPECT_NEAR(box.sizes()[0], box.sizes()[1], 0.03) << ranges;
        const PlotArea frame = frame_of(all);
        EXPECT_TRUE(frame.contains(box));
        if (ranges == 2) {
            EXPECT_NEAR(frame.sizes()[0] / frame.sizes()[1], 1 / 0.6, 0.01);
        }
    }
}

TEST(Plot, BothSurfacesShowTheSame) {
    const Plot plot = simple(Style::markers);
    const Image image = plot_image(plot);
    ASSERT_EQ(image.width, 2 * plot.width);
    ASSERT_EQ(image.height, 2 * plot.height);
    const auto all = read_svg(plot_svg(plot));
    const auto pixel = [&](double x, double y) {
        const std::uint8_t* p = image.at(static_cast<int>(2 * x), static_cast<int>(2 * y));
        return p[0] << 16 | p[1] << 8 | p[2];
    };
    for (const SvgElement& point : find(all, "one", "circle"))
        EXPECT_EQ(pixel(point.number("cx"), point.number("cy")), 0x0072b2);
    const PlotArea frame = frame_of(all);
    EXPECT_EQ(pixel(frame.max()[0], frame.center()[1]), 0x8a8a8a);
    EXPECT_EQ(pixel(1, 1), 0xffffff);
    EXPECT_EQ(find(all, "", "rect").at(0).attributes.at("fill"), "#ffffff");
    EXPECT_EQ(all[0].attributes.at("viewBox"), "0 0 900 560");
    EXPECT_EQ(all[0].attributes.at("font-family"), "sans-serif");
}

TEST(Plot, DashesAndGapsHaveTheirShares) {
    Plot plot = simple(Style::dashed);
    plot.series[0].x = {0, 4}, plot.series[0].y = {25.5, 25.5};
    plot.series[0].colour = 1;
    plot.y_min = 0, plot.y_max = 50;  // 25.5: between the lines of the grid
    const auto all = read_svg(plot_svg(plot));
    const Stroke line = find(all, "one", "path").at(0).points();
    const Image image = plot_image(plot);
    double shown = 0;
    for (int x = static_cast<int>(2 * line[0][0]) + 1; x < static_cast<int>(2 * line[1][0]); ++x)
        shown += (255 - *(image.at(x, static_cast<int>(2 * line[0][1])) + 2)) / 255.0;  // vermillion has no blue
    // A dash of 3.2 widths, longer by its round ends (one width), then a gap of 2.6; the pattern is cut by the line's
    // end.
    EXPECT_NEAR(shown / (2 * (line[1][0] - line[0][0])), 4.2 / 5.8, 0.02);
    EXPECT_EQ(find(all, "one", "path").at(0).attributes.at("stroke-dasharray"), "8.32 6.76");
}

TEST(Plot, NamesAreEscaped) {
    Plot plot = simple();
    plot.title = "a < b & \"c\" > 'd'";
    plot.series[0].name = "</text><script>";
    plot.note = std::string("tab\tline\nbell\a bad\xff\xc3 overlong\xc0\xaf surrogate\xed\xa0\x80 ok µ×−");
    const std::string svg = plot_svg(plot);
    const auto all = read_svg(svg);
    EXPECT_EQ(all[1].text, plot.title);
    EXPECT_EQ(find(all, "legend", "text").at(0).text, plot.series[0].name);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    std::string note;
    for (const SvgElement& e : find(all, "", "text"))
        if (e.text.starts_with("tab")) note = e.text;
    EXPECT_EQ(note, "tab line bell\uFFFD bad\uFFFD\uFFFD overlong\uFFFD\uFFFD surrogate\uFFFD\uFFFD\uFFFD ok µ×−");
}

TEST(Plot, LegendStandsBesideTheAxes) {
    Plot plot = simple();
    plot.series.push_back({"two", {}, {}, Style::line, -1, true});
    plot.series.push_back({"three", {1}, {not_a_number}, Style::line, -1, true});
    plot.series.push_back({"four", {1, 2}, {3, 4}, Style::line, -1, false});
    for (int n = 0; n < 20; ++n) plot.series.push_back({"more " + std::to_string(n), {1}, {2}, Style::line, -1, true});
    const auto all = read_svg(plot_svg(plot));
    const double right = frame_of(all).max()[0];
    const auto names = find(all, "legend", "text");
    ASSERT_EQ(names.size(), 23u);
    EXPECT_EQ(names[1].text, "two (no data)");
    EXPECT_EQ(names[2].text, "three (no data)");
    EXPECT_EQ(names[3].text, "more 0");
    for (const SvgElement& name : names) {
        EXPECT_GT(name.number("x"), right);
        EXPECT_LT(name.number("y"), plot.height);
    }
    EXPECT_TRUE(find(all, "two", "path").empty());
}

TEST(Plot, LinesBreakAndLonePointsShow) {
    Plot plot = simple();
    plot.series[0].x = {0, 1, 2, 3, 4, 5, 6};
    plot.series[0].y = {1, 2, not_a_number, 3, std::numeric_limits<double>::infinity(), 5, 4};
    const auto all = read_svg(plot_svg(plot));
    const std::string d = find(all, "one", "path").at(0).attributes.at("d");
    EXPECT_EQ(std::count(d.begin(), d.end(), 'M'), 2);
    EXPECT_EQ(find(all, "one", "path").at(0).points().size(), 4u);
    EXPECT_EQ(find(all, "one", "circle").size(), 1u);
    // One point alone has an axis around it.
    plot.series[0].x = {3}, plot.series[0].y = {7};
    const auto one = read_svg(plot_svg(plot));
    const auto point = find(one, "one", "circle").at(0);
    EXPECT_NEAR(point.number("cx"), frame_of(one).center()[0], 0.011);
    EXPECT_NEAR(point.number("cy"), frame_of(one).center()[1], 0.011);
}

TEST(Plot, NothingIsDrawnOutsideTheAxes) {
    Plot plot = simple(Style::line_and_markers);
    plot.x_min = 0.5, plot.x_max = 3.5, plot.y_min = 12, plot.y_max = 30;
    plot.series.push_back({"loop", {0, 10, 10, 0}, {0, 0, 100, 100}, Style::outline, -1, true});
    const auto all = read_svg(plot_svg(plot));
    PlotArea frame = frame_of(all);
    frame.min() -= Vec2::Constant(0.011), frame.max() += Vec2::Constant(0.011);
    for (const char* name : {"one", "loop"})
        for (const SvgElement& e : find(all, name, "path"))
            for (const Vec2& p : e.points()) EXPECT_TRUE(frame.contains(p)) << p.transpose();
    EXPECT_EQ(find(all, "one", "circle").size(), 2u);  // (1, 20) and (2, 15); (3, 40) is above
    // The loop holds the whole area: filled, and no side of it shows.
    ASSERT_EQ(find(all, "loop", "path").size(), 1u);
    EXPECT_TRUE(find(all, "loop", "path")[0].attributes.contains("fill"));
}

TEST(Plot, CutsAreExact) {
    const PlotArea area(Vec2(0, 0), Vec2(10, 6));
    const Stroke line = {{-5, 3}, {5, 3}, {5, 9}, {8, 9}, {8, 0}, {20, 12}};
    const std::vector<Stroke> parts = cut_line(line, area);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0], (Stroke{{0, 3}, {5, 3}, {5, 6}}));
    EXPECT_EQ(parts[1], (Stroke{{8, 6}, {8, 0}, {10, 2}}));
    EXPECT_TRUE(cut_line({{-1, -1}, {-1, 9}}, area).empty());
    // A diamond of radius 4 around (10, 3) has half of its area, less two tips of height 1, inside: 16 - 2 * 1/2.
    const Stroke loop = cut_loop({{6, 3}, {10, -1}, {14, 3}, {10, 7}}, area);
    double twice = 0;
    for (std::size_t n = 0; n < loop.size(); ++n) {
        const Vec2 &a = loop[n], &b = loop[(n + 1) % loop.size()];
        twice += a[0] * b[1] - a[1] * b[0];
    }
    EXPECT_NEAR(std::abs(twice) / 2, 15, 1e-12);
    EXPECT_TRUE(cut_loop({{20, 20}, {30, 20}, {30, 30}}, area).empty());
}

TEST(Plot, LongSeriesKeepTheirEndsAndSomeMarkers) {
    Plot plot = simple(Style::line_and_markers);
    plot.series[0].x.clear(), plot.series[0].y.clear();
    for (int n = 0; n <= 20000; ++n) plot.series[0].x.push_back(n), plot.series[0].y.push_back(100 + n);
    const std::string svg = plot_svg(plot);
    EXPECT_LT(svg.size(), 70000u);
    const auto all = read_svg(svg);
    const Stroke line = find(all, "one", "path").at(0).points();
    const auto markers = find(all, "one", "circle");
    EXPECT_NEAR(markers.front().number("cx"), line.front()[0], 1e-9);
    EXPECT_NEAR(markers.back().number("cx"), line.back()[0], 1e-9);
    EXPECT_NEAR(static_cast<double>(markers.size()), (line.back() - line.front()).norm() / 30, 2);
    for (std::size_t n = 2; n + 1 < markers.size(); ++n)
        EXPECT_GT(markers[n].number("cx"), markers[n - 1].number("cx") + 10);
}

TEST(Plot, ColoursAreDistinctUntilTheyAreUsedUp) {
    std::vector<std::pair<std::uint32_t, bool>> seen;
    for (int n = 0; n < plot_colours; ++n) {
        const PlotMarker m = plot_marker(n);
        EXPECT_EQ(std::count(seen.begin(), seen.end(), std::pair(m.colour, m.hollow)), 0);
        seen.emplace_back(m.colour, m.hollow);
        EXPECT_EQ(m.shape, plot_marker(n % 8).shape);
        EXPECT_EQ(m.colour, plot_marker(n % 8).colour);
    }
    Plot plot = simple();
    plot.series.push_back({"two", {1, 2}, {3, 4}, Style::line, 0, true});
    plot.series.push_back({"three", {1, 2}, {3, 4}, Style::line, -1, true});
    const auto all = read_svg(plot_svg(plot));
    // The first is not given the colour that the second asks for.
    EXPECT_EQ(find(all, "one", "path").at(0).attributes.at("stroke"), "#d55e00");
    EXPECT_EQ(find(all, "two", "path").at(0).attributes.at("stroke"), "#0072b2");
    EXPECT_EQ(find(all, "three", "path").at(0).attributes.at("stroke"), "#009e73");
}

std::string error_of(const Plot& plot) {
    try {
        (void)plot_svg(plot);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Plot, ErrorsNameSeriesAndPoint) {
    Plot plot = simple();
    plot.series[0].x.pop_back();
    EXPECT_EQ(error_of(plot), "plot 'Title', series 'one': 4 x values and 5 y values, must be as many");
    plot = simple();
    plot.log_y = true;
    plot.series[0].y[2] = 0;
    EXPECT_EQ(error_of(plot), "plot 'Title', series 'one': point 3 of 5: y = 0, must be > 0 on a log axis");
    plot = simple();
    plot.log_x = true;
    plot.series[0].x[0] = not_a_number;
    EXPECT_EQ(error_of(plot), "no error");
    plot.series[0].x[1] = -2;
    EXPECT_EQ(error_of(plot), "plot 'Title', series 'one': point 2 of 5: x = -2, must be > 0 on a log axis");
    plot = simple();
    plot.x_min = 3, plot.x_max = 3;
    EXPECT_EQ(error_of(plot), "plot 'Title': x range: from 3 to 3 is empty, must rise");
    plot.x_min = not_a_number;
    EXPECT_EQ(error_of(plot), "plot 'Title': x range: nan must be a number of at most 1e+300");
    plot = simple();
    plot.log_y = true, plot.y_min = -1;
    EXPECT_EQ(error_of(plot), "plot 'Title': y range: -1 must be > 0 on a log axis");
    plot = simple();
    plot.equal_axes = plot.log_x = true;
    EXPECT_EQ(error_of(plot), "plot 'Title': equal_axes with a log axis, must be with linear axes");
    plot = simple();
    plot.series[0].colour = 16;
    EXPECT_EQ(error_of(plot), "plot 'Title', series 'one': colour 16, must be -1 to 15");
    plot = simple();
    plot.width = 20;
    EXPECT_EQ(error_of(plot), "plot 'Title': 20 x 560 pixels, must be 300 to 4000");
    plot.width = 300;
    plot.series[0].name = "averyveryveryverylongwordindeed";
    EXPECT_NE(error_of(plot).find("between the axes, must be at least 140 x 100"), std::string::npos);
}

TEST(Plot, EmptyPlotsHaveAxes) {
    const auto all = read_svg(plot_svg(Plot{}));
    EXPECT_GT(find(all, "x axis", "text").size(), 2u);
    Plot log;
    log.log_x = log.log_y = true;
    EXPECT_GT(find(read_svg(plot_svg(log)), "y axis", "text").size(), 1u);
}

TEST(Plot, FilesAreWholeAndTheSameEachTime) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "tidelock_plot_test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    Plot plot = simple(Style::line_and_markers);
    write_plot(plot, folder / "figure.7");
    write_plot(plot, folder / "again");
    EXPECT_EQ(read_file(folder / "figure.7.svg"), plot_svg(plot));
    EXPECT_EQ(read_file(folder / "figure.7.svg"), read_file(folder / "again.svg"));
    const std::string png = read_file(folder / "figure.7.png");
    EXPECT_EQ(png, read_file(folder / "again.png"));
    EXPECT_EQ(decode_png({reinterpret_cast<const unsigned char*>(png.data()), png.size()}), plot_image(plot));
    plot.series[0].y.clear();
    EXPECT_THROW(write_plot(plot, folder / "bad"), InputError);
    EXPECT_THROW(write_plot(simple(), folder / "no such folder" / "figure"), FileError);
    const auto files = std::filesystem::directory_iterator(folder);
    EXPECT_EQ(std::distance(begin(files), end(files)), 4);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tidelock
