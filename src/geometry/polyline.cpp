#include "geometry/polyline.h"

#include "base/error.h"

namespace tidelock {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

Bounds<2> bounds(const Polyline& line) {
    Bounds<2> box;
    for (const Vec2& x : line.points) box.include(x);
    return box;
}

double length(const Polyline& line) {
    double sum = 0;
    for (const auto& [a, b] : line.segments) sum += (line.points[b] - line.points[a]).norm();
    return sum;
}

double signed_area(const Polyline& line) {
    if (line.points.empty()) return 0;
    const Vec2 origin = bounds(line).centre();
    double twice = 0;
    for (const auto& [a, b] : line.segments) twice += cross(line.points[a] - origin, line.points[b] - origin);
    return 0.5 * twice;
}

MassProperties<2> mass_properties(const Polyline& line) {
    const double area = signed_area(line);
    if (!(area > 0)) {
        throw InputError("polyline", "encloses an area of {} m^2, must be > 0: a closed loop, counter-clockwise", area);
    }
    // Triangles (origin, a, b): integral of x = d/6 (a + b), of x x^T = d/24 (s s^T + a a^T + b b^T), d = a x b.
    const Vec2 origin = bounds(line).centre();
    Vec2 first = Vec2::Zero();
    Mat<2> second = Mat<2>::Zero();
    for (const auto& [i, j] : line.segments) {
        const Vec2 a = line.points[i] - origin, b = line.points[j] - origin, s = a + b;
        const double d = cross(a, b);
        first += d / 6 * s;
        second += d / 24 * (s * s.transpose() + a * a.transpose() + b * b.transpose());
    }
    return from_moments<2>(area, first, second, origin);
}

}  // namespace tidelock
