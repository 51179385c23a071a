#include "render/box_lines.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tidelock {

std::vector<LinePixel> box_lines(const Bounds<3>& box, const View& view, int width, int height) {
    constexpr double strength = 0.30;
    const double half_width = std::max(0.5, height / 1600.0);
    std::vector<LinePixel> out;
    const auto corner = [&](int c) {
        Vec3 x;
        for (int a = 0; a < 3; ++a) x[a] = ((c >> a) & 1) != 0 ? box.high[a] : box.low[a];
        return x;
    };
    for (int c = 0; c < 8; ++c)
        for (int a = 0; a < 3; ++a) {
            if (((c >> a) & 1) != 0) continue;
            const Vec3 p = view.project(corner(c)), q = view.project(corner(c | (1 << a)));
            if (p[2] <= 0 || q[2] <= 0) continue;
            const Vec2 along = (q - p).head<2>();
            const double length = along.norm();
            if (length < 1e-9) continue;
            // Cut to the picture before they become integers: a corner beside the camera is projected very far away.
            const auto cut = [](double v, int most) { return static_cast<int>(std::clamp(v, -1.0, most + 0.0)); };
            const int y0 = std::max(0, cut(std::floor(std::min(p[1], q[1]) - 2), height));
            const int y1 = cut(std::ceil(std::max(p[1], q[1]) + 2), height - 1);
            for (int y = y0; y <= y1; ++y) {
                // The stretch of this row that is near the line.
                double from = std::min(p[0], q[0]) - 2, to = std::max(p[0], q[0]) + 2;
                if (std::abs(along[1]) > 1e-9) {
                    const double s0 = (y - 2 - p[1]) / along[1], s1 = (y + 3 - p[1]) / along[1];
                    from = std::max(from, p[0] + std::min(s0 * along[0], s1 * along[0]) - 3);
                    to = std::min(to, p[0] + std::max(s0 * along[0], s1 * along[0]) + 3);
                }
                for (int x = std::max(0, cut(from, width)); x <= cut(to, width - 1); ++x) {
                    const Vec2 d = Vec2(x + 0.5, y + 0.5) - p.head<2>();
                    const double s = std::clamp(d.dot(along) / (length * length), 0.0, 1.0);
                    const double cover = std::clamp(half_width + 0.5 - (d - s * along).norm(), 0.0, 1.0);
                    if (cover <= 0) continue;
                    // 1 / depth is linear along the projected line; depth is along the axis, the ray is slanted.
                    const double depth = 1 / ((1 - s) / p[2] + s / q[2]);
                    const double slant = view.direction(x + 0.5, y + 0.5).dot(view.forward());
                    out.push_back(
                        {y, x, static_cast<float>(0.9995 * depth / slant), static_cast<float>(strength * cover)});
                }
            }
        }
    std::stable_sort(out.begin(), out.end(),
                     [](const LinePixel& a, const LinePixel& b) { return std::tie(a.y, a.x) < std::tie(b.y, b.x); });
    return out;
}

}  // namespace tidelock
