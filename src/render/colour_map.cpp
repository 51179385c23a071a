#include "render/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tidelock {
namespace {

using Lab = Eigen::Vector3f;
constexpr int steps = 512;
using Table = std::array<Rgb, steps + 1>;

bool shown(const Rgb& c) { return c.minCoeff() >= -1e-4f && c.maxCoeff() <= 1.0001f; }

/// The most colourful shade of this lightness and hue that a screen can show.
Rgb within_gamut(const Lab& lab) {
    float low = 0, high = 1;
    if (const Rgb c = from_oklab(lab); shown(c)) return c.cwiseMax(0).cwiseMin(1);
    for (int n = 0; n < 20; ++n) {
        const float middle = 0.5f * (low + high);
        (shown(from_oklab({lab[0], middle * lab[1], middle * lab[2]})) ? low : high) = middle;
    }
    return from_oklab({lab[0], low * lab[1], low * lab[2]}).cwiseMax(0).cwiseMin(1);
}

/// Hue and chroma on a smooth curve through the control points (Catmull-Rom); lightness straight between them.
Table make_table(const std::array<std::array<float, 3>, 5>& points) {
    Table table;
    for (int n = 0; n <= steps; ++n) {
        const float s = 4.0f * static_cast<float>(n) / steps;
        const int i = std::min(3, static_cast<int>(s));
        const float f = s - static_cast<float>(i);
        const auto point = [&](int k) -> Lab {
            const auto& p = points[static_cast<std::size_t>(std::clamp(k, 0, 4))];
            return {p[0], p[1], p[2]};
        };
        const Lab a = point(i - 1), b = point(i), c = point(i + 1), d = point(i + 2);
        Lab lab = b + 0.5f * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)));
        lab[0] = b[0] + f * (c[0] - b[0]);
        table[static_cast<std::size_t>(n)] = within_gamut(lab);
    }
    return table;
}

const Table& table_of(ColourMap map) {
    // Control points: lightness, green-red, blue-yellow. Lightness is in equal steps.
    static const Table tables[] = {
        make_table({{{0.150f, 0.000f, -0.035f},
                     {0.3575f, -0.020f, -0.090f},
                     {0.565f, -0.045f, -0.075f},
                     {0.7725f, -0.040f, -0.035f},
                     {0.980f, -0.004f, 0.010f}}}),
        make_table({{{0.140f, 0.020f, -0.015f},
                     {0.350f, 0.125f, 0.030f},
                     {0.560f, 0.155f, 0.100f},
                     {0.770f, 0.065f, 0.145f},
                     {0.980f, -0.010f, 0.060f}}}),
        make_table({{{0.200f, 0.050f, -0.090f},
                     {0.3875f, -0.005f, -0.100f},
                     {0.575f, -0.085f, -0.025f},
                     {0.7625f, -0.125f, 0.095f},
                     {0.950f, -0.045f, 0.160f}}}),
        make_table({{{0.860f, -0.065f, -0.055f},
                     {0.515f, -0.050f, -0.130f},
                     {0.170f, 0.000f, -0.008f},
                     {0.515f, 0.140f, 0.085f},
                     {0.860f, 0.040f, 0.115f}}}),
    };
    return tables[static_cast<int>(map)];
}

}  // namespace

Rgb from_oklab(const Lab& lab) {
    const float l = lab[0] + 0.3963377774f * lab[1] + 0.2158037573f * lab[2];
    const float m = lab[0] - 0.1055613458f * lab[1] - 0.0638541728f * lab[2];
    const float s = lab[0] - 0.0894841775f * lab[1] - 1.2914855480f * lab[2];
    const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
            -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
            -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

Rgb colour_of(ColourMap map, double t) {
    const Table& table = table_of(map);
    const double s = steps * (t > 0 ? std::min(t, 1.0) : 0.0);
    const int i = std::min(steps - 1, static_cast<int>(s));
    const auto f = static_cast<float>(s - i);
    const Rgb &a = table[static_cast<std::size_t>(i)], &b = table[static_cast<std::size_t>(i) + 1];
    return a + f * (b - a);
}

bool diverging(ColourMap map) { return map == ColourMap::swirl; }

}  // namespace tidelock
