#include "render/picture2d.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "grid/interpolate.h"
#include "render/canvas.h"
#include "render/plot_axis.h"
#include "render/streamlines.h"

namespace tidelock {
namespace {

/// Where things are on the page [pixels].
struct Layout {
    int width, height;
    double text;              // height of capitals
    double left, top, scale;  // of the domain; scale: pixels a metre
    double right, bottom;

    explicit Layout(const Picture2d& p) : width(p.width) {
        const Vec2 size = p.grid.upper() - p.grid.origin;
        text = std::max(8.0, 0.0155 * width);
        const double bar = p.scalar != nullptr ? 6.5 * text : 1.6 * text;
        left = 1.6 * text;
        // One line above the domain holds the caption and, on the right, what the colours mean.
        const bool titled = p.scalar != nullptr && !(p.label.empty() && p.unit.empty());
        top = p.caption.empty() && !titled ? 1.6 * text : 3.6 * text;
        right = std::floor(width - bar);
        scale = (right - left) / size[0];
        bottom = top + scale * size[1];
        height = static_cast<int>(std::ceil(bottom + 1.6 * text));
        if (height > 16384) throw InputError("picture", "would be {} pixels high, must be at most 16384", height);
    }
    [[nodiscard]] Vec2 place(const Grid<2>& grid, const Vec2& x) const {
        return {left + scale * (x[0] - grid.origin[0]), bottom - scale * (x[1] - grid.origin[1])};
    }
    [[nodiscard]] Vec2 world(const Grid<2>& grid, double px, double py) const {
        return grid.origin + Vec2(px - left, bottom - py) / scale;
    }
};

void check(const Polyline& outline) {
    for (const auto& segment : outline.segments)
        for (const int i : segment)
            if (i < 0 || i >= static_cast<int>(outline.points.size()))
                throw InputError("picture", "an outline names point {} of {}", i, outline.points.size());
}

void check(const Picture2d& p) {
    check_grid(p.grid, "picture");
    if (p.width < 160 || p.width > 16384) throw InputError("picture", "width must be 160 to 16384, got {}", p.width);
    if (!(p.spacing >= 4)) throw InputError("picture", "spacing must be >= 4 pixels, got {}", p.spacing);
    if (p.range &&
        (!std::isfinite(p.range->first) || !std::isfinite(p.range->second) || !(p.range->first < p.range->second)))
        throw InputError("picture", "range must be finite and ascend, got {} to {}", p.range->first, p.range->second);
    if (p.marks != FlowMarks::none && p.velocity == nullptr)
        throw InputError("picture", "streamlines and arrows need a velocity");
    for (const BodyLook2d& body : p.bodies) check(body.outline);
    if (p.liquid) check(*p.liquid);
}

std::pair<double, double> range_of(const Picture2d& p) {
    if (p.range) return *p.range;
    double low = 1e300, high = -1e300;
    for (int j = 0; j < p.grid.cells[1]; ++j)
        for (int i = 0; i < p.grid.cells[0]; ++i) {
            const double v = p.scalar->at({i, j});
            if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
        }
    if (!(low <= high)) return {0.0, 1.0};
    if (diverging(p.map)) high = std::max(std::abs(low), std::abs(high)), low = -high;
    if (!(high > low)) low -= 0.5, high += 0.5;
    return {low, high};
}

void draw_scalar(const Picture2d& p, const Layout& page, std::pair<double, double> range, FloatImage& image) {
    const int x0 = static_cast<int>(page.left), x1 = static_cast<int>(std::ceil(page.right));
    const int y0 = static_cast<int>(page.top), y1 = std::min(page.height, static_cast<int>(std::ceil(page.bottom)));
    parallel_for("draw scalar", y1 - y0, [&](std::ptrdiff_t row) {
        const int y = y0 + static_cast<int>(row);
        Sampler<2, double> sampler(*p.scalar, Centring<2>::cell(), p.grid);
        for (int x = x0; x < x1; ++x) {
            const Vec2 at = page.world(p.grid, x + 0.5, y + 0.5);
            const double v = sampler.cubic_limited(p.grid.to_cells(at));
            const Rgb colour = colour_of(p.map, (v - range.first) / (range.second - range.first));
            // The outermost pixels are covered in part.
            const double cover = std::clamp(std::min({x + 1 - page.left, page.right - x, 1.0}), 0.0, 1.0) *
                                 std::clamp(std::min({y + 1 - page.top, page.bottom - y, 1.0}), 0.0, 1.0);
            Rgb& c = image.at(x, y);
            c += static_cast<float>(cover) * (colour - c);
        }
    });
}

/// The outline's loops in order, in pixels.
std::vector<Stroke> loops_of(const Polyline& outline, const Eigen::Isometry2d& pose, const Picture2d& p,
                             const Layout& page) {
    std::vector<int> next(outline.points.size(), -1);
    for (const auto& s : outline.segments) next[static_cast<std::size_t>(s[0])] = s[1];
    std::vector<Stroke> loops;
    for (std::size_t i = 0; i < next.size(); ++i) {
        Stroke loop;
        for (std::size_t k = i; next[k] >= 0;) {
            loop.push_back(page.place(p.grid, pose * outline.points[k]));
            const int to = next[k];
            next[k] = -1;
            k = static_cast<std::size_t>(to);
        }
        if (loop.size() > 2) loops.push_back(std::move(loop));
    }
    return loops;
}

bool inside(const std::vector<Stroke>& loops, const Vec2& x) {
    bool in = false;
    for (const Stroke& loop : loops)
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
            if ((a[1] <= x[1]) == (b[1] <= x[1])) continue;
            if (a[0] + (x[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > x[0]) in = !in;
        }
    return in;
}

void draw_body(const BodyLook2d& body, const std::vector<Stroke>& loops, const Picture2d& p, const Layout& page,
               Canvas& canvas) {
    if (loops.empty()) return;
    canvas.fill(loops, body.colour);
    std::vector<Stroke> closed = loops;
    for (Stroke& loop : closed) loop.push_back(loop.front());
    canvas.strokes(closed, std::max(1.2, page.width / 600.0), 0.25f * body.colour);
    const Vec2 centre = page.place(p.grid, body.pose.translation());
    const Vec2 axis = page.place(p.grid, body.pose * Vec2(1, 0)) - centre;
    double radius = 1e300;  // how far the outline is from the origin, at the nearest
    for (const Stroke& loop : loops)
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const Vec2 &a = loop[i], d = loop[(i + 1) % loop.size()] - a;
            const double s = d.squaredNorm() > 0 ? std::clamp((centre - a).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
            radius = std::min(radius, (a + s * d - centre).norm());
        }
    if (!inside(loops, centre) || radius < 3) return;
    const double width = std::clamp(0.13 * radius, 1.2, 5.0);
    const std::vector<Stroke> mark = {{centre, centre + 0.7 * radius * axis.normalized()}};
    canvas.strokes(mark, width, 0.25f * body.colour);
    const std::vector<Stroke> dot = {{centre}};
    canvas.strokes(dot, 2.6 * width, 0.25f * body.colour);
}

/// Over a scalar's colours the liquid is only outlined.
void draw_liquid(const Picture2d& p, const Layout& page, Canvas& canvas) {
    std::vector<Stroke> loops = loops_of(*p.liquid, Eigen::Isometry2d::Identity(), p, page);
    if (loops.empty()) return;
    if (p.scalar == nullptr) canvas.fill(loops, from_hex(0x2a7fb8));
    for (Stroke& loop : loops) loop.push_back(loop.front());
    canvas.strokes(loops, std::max(1.4, page.width / 500.0), from_hex(0xa9dcf5));
}

/// Dots as large as a third of a cell, but not too small to be seen.
void draw_particles(const Picture2d& p, const Layout& page, Canvas& canvas) {
    std::vector<Stroke> dots;
    for (const Vec2& x : p.particles)
        if (x.allFinite()) dots.push_back({page.place(p.grid, x)});
    if (!dots.empty())
        canvas.strokes(dots, std::clamp(0.33 * page.scale * p.grid.dx, 1.0, 5.0), from_hex(0xe6f4fb), 0.7f);
}

void draw_streamlines(const Picture2d& p, const Layout& page, const std::vector<std::vector<Stroke>>& bodies,
                      Canvas& canvas) {
    StreamlineOptions options;
    options.separation = p.spacing / page.scale;
    const auto blocked = [&](const Vec2& x) {
        const Vec2 at = page.place(p.grid, x);
        return std::any_of(bodies.begin(), bodies.end(), [&](const auto& loops) { return inside(loops, at); });
    };
    for (const Streamline& line : streamlines(*p.velocity, p.grid, options, blocked)) {
        Stroke points;
        std::vector<double> widths;
        const std::size_t n = line.points.size();
        for (std::size_t k = 0; k < n; ++k) {
            // Thin where lines crowd and at the tail; the head is the thick end, so that direction is seen.
            const double crowd = std::clamp((line.nearest[k] / options.separation - 0.45) / 0.5, 0.15, 1.0);
            const double along = static_cast<double>(k) / static_cast<double>(std::max<std::size_t>(1, n - 1));
            const double taper = std::min(1.0, 0.25 + along) * std::min(1.0, 14 * (1 - along));
            points.push_back(page.place(p.grid, line.points[k]));
            widths.push_back(std::max(0.25, page.width / 520.0 * crowd * taper));
        }
        canvas.tapered(points, widths, Rgb::Constant(0.92f), 0.62f);
    }
}

void draw_arrows(const Picture2d& p, const Layout& page, const std::vector<std::vector<Stroke>>& bodies,
                 Canvas& canvas) {
    VelocitySampler<2, double> sampler(*p.velocity, p.grid);
    std::vector<std::pair<Vec2, Vec2>> arrows;
    double most = 0;
    const int rows = static_cast<int>(std::ceil((page.bottom - page.top) / p.spacing - 0.5));
    const int columns = static_cast<int>(std::ceil((page.right - page.left) / p.spacing - 0.5));
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const Vec2 at(page.left + (column + 0.5) * p.spacing, page.top + (row + 0.5) * p.spacing);
            if (std::any_of(bodies.begin(), bodies.end(), [&](const auto& loops) { return inside(loops, at); }))
                continue;
            const Vec2 u = sample_velocity(sampler, p.grid.to_cells(page.world(p.grid, at[0], at[1])));
            if (!u.allFinite()) continue;
            arrows.emplace_back(at, Vec2(u[0], -u[1]));
            most = std::max(most, u.norm());
        }
    if (!(most > 0)) return;
    for (const auto& [at, u] : arrows) {
        const double length = 0.9 * p.spacing * u.norm() / most;
        if (length < 1) continue;
        const Vec2 d = u.normalized(), side(-d[1], d[0]), tip = at + 0.5 * length * d;
        const double head = std::min(0.32 * p.spacing, 0.4 * length);
        const std::vector<Stroke> lines = {{at - 0.5 * length * d, tip},
                                           {tip - head * (d + 0.55 * side), tip, tip - head * (d - 0.55 * side)}};
        canvas.strokes(lines, std::max(1.0, page.width / 700.0), Rgb::Constant(0.92f), 0.75f);
    }
}

std::string tick_text(double value, double step) {
    if (std::abs(value) < 1e-9 * step) return "0";
    const double size = std::max(std::abs(value), step);
    if (size >= 1e5 || step < 1e-4) return fmt::format("{:.3g}", value);
    const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    return fmt::format("{:.{}f}", value, digits);
}

void draw_bar(const Picture2d& p, const Layout& page, std::pair<double, double> range, FloatImage& image,
              Canvas& canvas, const Rgb& ink) {
    const double x = page.right + 1.2 * page.text, width = 1.0 * page.text;
    const double top = page.top, bottom = page.bottom;
    for (int y = std::max(0, static_cast<int>(top)); y < std::min(page.height, static_cast<int>(bottom)); ++y)
        for (int i = static_cast<int>(x); i < std::min(page.width, static_cast<int>(x + width)); ++i)
            image.at(i, y) = colour_of(p.map, (bottom - y - 0.5) / (bottom - top));
    const int count = std::clamp(static_cast<int>((bottom - top) / (4 * page.text)), 2, 8);
    const std::vector<double> marks = linear_ticks(range.first, range.second, count + 1).values;
    const double step = marks.size() > 1 ? marks[1] - marks[0] : 1;
    for (const double v : marks) {
        const double y = bottom - (v - range.first) / (range.second - range.first) * (bottom - top);
        const std::vector<Stroke> tick = {{{x + width, y}, {x + width + 0.35 * page.text, y}}};
        canvas.strokes(tick, 1.2, ink);
        canvas.text({x + width + 0.7 * page.text, y + 0.42 * page.text}, 0.85 * page.text, tick_text(v, step), ink,
                    Align::left);
    }
    const std::string title = p.unit.empty() ? p.label : p.label.empty() ? p.unit : p.label + " [" + p.unit + "]";
    canvas.text({page.width - 0.8 * page.text, page.top - 1.1 * page.text}, page.text, title, ink, Align::right);
}

}  // namespace

Image render(const Picture2d& picture) {
    check(picture);
    const Layout page(picture);
    const Rgb paper = from_hex(0x14181d), ink = from_hex(0xc9d0d8);
    FloatImage image(page.width, page.height, paper);
    Canvas canvas(image);
    const auto range = picture.scalar != nullptr ? range_of(picture) : std::pair(0.0, 1.0);
    if (picture.scalar != nullptr) draw_scalar(picture, page, range, image);
    if (picture.liquid) draw_liquid(picture, page, canvas);
    std::vector<std::vector<Stroke>> bodies;
    for (const BodyLook2d& body : picture.bodies) bodies.push_back(loops_of(body.outline, body.pose, picture, page));
    draw_particles(picture, page, canvas);
    if (picture.marks == FlowMarks::streamlines) draw_streamlines(picture, page, bodies, canvas);
    if (picture.marks == FlowMarks::arrows) draw_arrows(picture, page, bodies, canvas);
    for (std::size_t n = 0; n < bodies.size(); ++n) draw_body(picture.bodies[n], bodies[n], picture, page, canvas);
    const std::vector<Stroke> border = {{{page.left, page.top},
                                         {page.right, page.top},
                                         {page.right, page.bottom},
                                         {page.left, page.bottom},
                                         {page.left, page.top}}};
    canvas.strokes(border, 1.3, 0.55f * ink);
    if (picture.scalar != nullptr) draw_bar(picture, page, range, image, canvas, ink);
    canvas.text({page.left, page.top - 1.1 * page.text}, page.text, picture.caption, ink, Align::left);
    return quantise(image);
}

}  // namespace tidelock
