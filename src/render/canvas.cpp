#include "render/canvas.h"

#include <algorithm>
#include <cmath>

namespace tidelock {
namespace {

/// Coverage of a part of the picture, gathered before it is laid on, so that overlaps count once.
struct StrokeMask {
    int x0, y0, width, height;
    std::vector<float> cover;

    /// The pixels between two points, grown by `margin`, cut to the picture.
    StrokeMask(const FloatImage& image, Vec2 low, Vec2 high, double margin) {
        const auto clip = [](double v, int most) { return static_cast<int>(std::clamp(v, 0.0, double(most))); };
        x0 = clip(std::floor(low[0] - margin), image.width);
        y0 = clip(std::floor(low[1] - margin), image.height);
        width = clip(std::ceil(high[0] + margin), image.width) - x0;
        height = clip(std::ceil(high[1] + margin), image.height) - y0;
        cover.assign(static_cast<std::size_t>(std::max(0, width)) * static_cast<std::size_t>(std::max(0, height)), 0);
    }
    float& at(int x, int y) {
        return cover[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }

    /// A segment whose half width goes from ra to rb.
    void segment(const Vec2& a, const Vec2& b, double ra, double rb) {
        const Vec2 along = b - a;
        const double square = along.squaredNorm(), reach = std::max(ra, rb) + 1;
        // Cut to the mask before they become integers: a line may reach far outside the picture.
        const auto from = [&](double v, int o, int n) {
            return static_cast<int>(std::clamp(std::floor(v - reach) - o, 0.0, n + 0.0));
        };
        const auto to = [&](double v, int o, int n) {
            return static_cast<int>(std::clamp(std::ceil(v + reach) - o, -1.0, n - 1.0));
        };
        for (int y = from(std::min(a[1], b[1]), y0, height); y <= to(std::max(a[1], b[1]), y0, height); ++y)
            for (int x = from(std::min(a[0], b[0]), x0, width); x <= to(std::max(a[0], b[0]), x0, width); ++x) {
                const Vec2 d = Vec2(x + x0 + 0.5, y + y0 + 0.5) - a;
                const double s = square > 0 ? std::clamp(d.dot(along) / square, 0.0, 1.0) : 0.0;
                const double radius = ra + s * (rb - ra);
                // Lines thinner than a pixel become fainter instead of breaking up.
                const double shown = std::max(radius, 0.5), faint = radius / shown;
                const double cover_here = faint * std::clamp(shown + 0.5 - (d - s * along).norm(), 0.0, 1.0);
                at(x, y) = std::max(at(x, y), static_cast<float>(cover_here));
            }
    }

    void blend(FloatImage& image, const Rgb& colour, float alpha) {
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                Rgb& c = image.at(x + x0, y + y0);
                c += alpha * at(x, y) * (colour - c);
            }
    }
};

bool bounds_of(std::span<const Stroke> lines, Vec2& low, Vec2& high) {
    low = Vec2::Constant(1e300), high = -low;
    bool any = false;
    for (const Stroke& line : lines)
        for (const Vec2& p : line) {
            if (!p.allFinite()) return false;
            low = low.cwiseMin(p), high = high.cwiseMax(p), any = true;
        }
    return any;
}

}  // namespace

void Canvas::strokes(std::span<const Stroke> lines, double width, const Rgb& colour, float alpha) {
    Vec2 low, high;
    if (!bounds_of(lines, low, high)) return;
    StrokeMask mask(*image_, low, high, 0.5 * width + 1);
    for (const Stroke& line : lines) {
        if (line.size() == 1) mask.segment(line[0], line[0], 0.5 * width, 0.5 * width);
        for (std::size_t i = 0; i + 1 < line.size(); ++i) mask.segment(line[i], line[i + 1], 0.5 * width, 0.5 * width);
    }
    mask.blend(*image_, colour, alpha);
}

void Canvas::tapered(const Stroke& line, std::span<const double> widths, const Rgb& colour, float alpha) {
    Vec2 low, high;
    if (widths.size() != line.size() || !bounds_of({&line, 1}, low, high)) return;
    StrokeMask mask(*image_, low, high, 0.5 * *std::max_element(widths.begin(), widths.end()) + 1);
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
        mask.segment(line[i], line[i + 1], 0.5 * widths[i], 0.5 * widths[i + 1]);
    mask.blend(*image_, colour, alpha);
}

void Canvas::fill(std::span<const Stroke> loops, const Rgb& colour, float alpha) {
    Vec2 low, high;
    if (!bounds_of(loops, low, high)) return;
    StrokeMask mask(*image_, low, high, 1);
    constexpr int lines = 8;  // a pixel row is cut into; along x the coverage is exact
    std::vector<double> crossings;
    for (int y = 0; y < mask.height; ++y)
        for (int k = 0; k < lines; ++k) {
            const double level = mask.y0 + y + (k + 0.5) / lines;
            crossings.clear();
            for (const Stroke& loop : loops)
                for (std::size_t i = 0; i < loop.size(); ++i) {
                    const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
                    if ((a[1] <= level) == (b[1] <= level)) continue;
                    crossings.push_back(a[0] + (level - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) - mask.x0);
                }
            std::sort(crossings.begin(), crossings.end());
            for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
                const double from = std::clamp(crossings[i], 0.0, double(mask.width));
                const double to = std::clamp(crossings[i + 1], 0.0, double(mask.width));
                for (int x = static_cast<int>(from); x < mask.width && x < to; ++x) {
                    const double part = std::min(to, x + 1.0) - std::max(from, double(x));
                    mask.at(x, y) += static_cast<float>(std::max(0.0, part) / lines);
                }
            }
        }
    mask.blend(*image_, colour, alpha);
}

void Canvas::text(const Vec2& at, double size, std::string_view text, const Rgb& colour, Align align) {
    std::vector<Stroke> lines = text_strokes(text);
    const double width = size * text_width(text);
    const double shift = align == Align::left ? 0 : align == Align::centre ? 0.5 * width : width;
    for (Stroke& line : lines)
        for (Vec2& p : line) p = at + Vec2(size * p[0] - shift, -size * p[1]);
    strokes(lines, std::max(1.1, 0.125 * size), colour);
}

}  // namespace tidelock
