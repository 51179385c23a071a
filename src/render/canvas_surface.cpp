#include "render/canvas_surface.h"

#include <algorithm>
#include <cmath>

#include "render/plot_text.h"

namespace tidelock {
namespace {

Rgb srgb(std::uint32_t colour) {
    const auto channel = [&](int shift) { return static_cast<float>((colour >> shift) & 255u) / 255.0f; };
    return {channel(16), channel(8), channel(0)};
}

/// Cuts a line into dashes, along its length; appends them.
void add_dashes(const Stroke& line, double dash, double gap, std::vector<Stroke>& out) {
    double left = dash;  // of the dash or gap that is being drawn
    bool on = true;
    Stroke piece = {line.front()};
    for (std::size_t n = 0; n + 1 < line.size(); ++n) {
        const double length = (line[n + 1] - line[n]).norm();
        double done = 0;
        while (length - done > left) {
            done += left;
            const Vec2 at = line[n] + done / length * (line[n + 1] - line[n]);
            if (on) piece.push_back(at), out.push_back(piece);
            on = !on;
            left = on ? dash : gap;
            piece = {at};
        }
        left -= length - done;
        piece.push_back(line[n + 1]);
    }
    if (on) out.push_back(piece);
}

/// Strokes of a text whose baseline begins at (0, 0), y up.
void add_text(std::string_view text, double size, const Vec2& at, std::vector<Stroke>& out) {
    for (Stroke& stroke : text_strokes(text)) {
        for (Vec2& p : stroke) p = at + size * Vec2(plot_letter_width * p[0], p[1]);
        out.push_back(std::move(stroke));
    }
}

}  // namespace

CanvasSurface::CanvasSurface(int width, int height, int scale)
    : picture_(width * scale, height * scale, Rgb::Ones()), scale_(scale) {}

void CanvasSurface::draw(std::vector<Stroke> lines, double width, std::uint32_t colour) {
    for (Stroke& line : lines)
        for (Vec2& p : line) p *= scale_;
    Canvas(picture_).strokes(lines, scale_ * width, srgb(colour));
}

void CanvasSurface::fill(Stroke loop, std::uint32_t colour, double opacity) {
    for (Vec2& p : loop) p *= scale_;
    Canvas(picture_).fill({&loop, 1}, srgb(colour), static_cast<float>(opacity));
}

void CanvasSurface::lines(std::span<const Stroke> lines, const PlotPen& pen) {
    std::vector<Stroke> drawn;
    for (const Stroke& line : lines) {
        if (pen.dashed && !line.empty())
            add_dashes(line, plot_dash * pen.width, plot_gap * pen.width, drawn);
        else
            drawn.push_back(line);
    }
    draw(std::move(drawn), pen.width, pen.colour);
}

void CanvasSurface::polygon(const Stroke& loop, std::uint32_t colour, double opacity) { fill(loop, colour, opacity); }

void CanvasSurface::marker(const Vec2& at, const PlotMarker& marker, double radius) {
    Stroke outline = marker_outline(marker.shape);
    for (Vec2& p : outline) p = at + radius * p;
    fill(outline, marker.hollow ? 0xffffff : marker.colour, 1);
    outline.push_back(outline.front());
    draw({outline}, marker_rim * radius, marker.hollow ? marker.colour : 0xffffff);
}

void CanvasSurface::text(const Vec2& at, std::string_view text, std::string_view raised, const PlotTextLook& look) {
    const double width = drawn_text_width(text, raised, look.size);
    std::vector<Stroke> strokes;
    add_text(text, look.size, Vec2::Zero(), strokes);
    const double exponent = drawn_text_width(text, "", look.size) + raised_gap * look.size;
    add_text(raised, raised_size * look.size, {exponent, raised_by * look.size}, strokes);
    const double shift = look.align == Align::left ? 0 : look.align == Align::centre ? 0.5 * width : width;
    for (Stroke& stroke : strokes)
        for (Vec2& p : stroke) {
            const Vec2 from_anchor(p[0] - shift, -p[1]);
            p = at + (look.upwards ? Vec2(from_anchor[1], -from_anchor[0]) : from_anchor);
        }
    draw(std::move(strokes), (look.bold ? 0.19 : 0.135) * look.size, look.colour);
}

Image CanvasSurface::finish() const {
    Image out{picture_.width, picture_.height, {}};
    out.rgb.reserve(3 * picture_.pixels.size());
    for (const Rgb& pixel : picture_.pixels)
        for (int a = 0; a < 3; ++a)
            out.rgb.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(pixel[a], 0.0f, 1.0f))));
    return out;
}

}  // namespace tidelock
