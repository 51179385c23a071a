#include "render/plot_marker.h"

#include <cmath>
#include <numbers>

namespace tidelock {
namespace {

/// Points on a circle, the first straight up; every other one nearer by `inner`.
Stroke points_around(int count, double radius, double turn = 0, double inner = 1) {
    Stroke out;
    for (int n = 0; n < count; ++n) {
        const double angle = turn + 2 * std::numbers::pi * n / count;
        const double r = n % 2 == 0 ? radius : radius * inner;
        out.emplace_back(r * std::sin(angle), -r * std::cos(angle));
    }
    return out;
}

Stroke fat_plus(double turn) {
    constexpr double arm = 1.08, half = 0.4;
    constexpr double x[12] = {-half, half, half, arm, arm, half, half, -half, -half, -arm, -arm, -half};
    constexpr double y[12] = {-arm, -arm, -half, -half, half, half, arm, arm, half, half, -half, -half};
    const double c = std::cos(turn), s = std::sin(turn);
    Stroke out;
    for (int n = 0; n < 12; ++n) out.emplace_back(c * x[n] - s * y[n], s * x[n] + c * y[n]);
    return out;
}

}  // namespace

PlotMarker plot_marker(int colour) {
    // Ordered so that the first few differ most, in colour and in lightness.
    constexpr std::uint32_t colours[8] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                          0xe69f00, 0x000000, 0x56b4e9, 0x808080};
    const int n = colour % 8;
    return {static_cast<MarkerShape>(n), colours[n], colour >= 8};
}

Stroke marker_outline(MarkerShape shape) {
    using std::numbers::pi;
    switch (shape) {
        case MarkerShape::circle:
            return points_around(32, 0.9);
        case MarkerShape::square:
            return points_around(4, 1.15, pi / 4);
        case MarkerShape::triangle:
            return points_around(3, 1.25, 0, 1);
        case MarkerShape::diamond:
            return points_around(4, 1.2);
        case MarkerShape::inverted_triangle:
            return points_around(3, 1.25, pi, 1);
        case MarkerShape::plus:
            return fat_plus(0);
        case MarkerShape::cross:
            return fat_plus(pi / 4);
        case MarkerShape::star:
            return points_around(10, 1.35, 0, 0.45);
    }
    return {};
}

}  // namespace tidelock
