#include "geometry/triangle.h"

#include <algorithm>
#include <array>

namespace tidelock {
namespace {

/// Parameter in [0, 1] of the point of segment (a, b) nearest to x.
double closest_parameter(const Vec3& x, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    const double length2 = d.squaredNorm();
    return length2 > 0 ? std::clamp((x - a).dot(d) / length2, 0.0, 1.0) : 0.0;
}

}  // namespace

Vec3 closest_weights(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
    // Inside the prism over the triangle the foot of the perpendicular; elsewhere the nearest of the three edges.
    const Vec3 n = (b - a).cross(c - a);
    const double n2 = n.squaredNorm();
    if (n2 > 0) {
        const Vec3 w(n.dot((b - x).cross(c - x)), n.dot((c - x).cross(a - x)), n.dot((a - x).cross(b - x)));
        if (w.minCoeff() >= 0) return w / w.sum();
    }
    const std::array<const Vec3*, 3> p{&a, &b, &c};
    Vec3 best = Vec3::UnitX();
    double best2 = (x - a).squaredNorm();
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3;
        const double s = closest_parameter(x, *p[k], *p[l]);
        const double distance2 = (x - (*p[k] + s * (*p[l] - *p[k]))).squaredNorm();
        if (distance2 < best2) {
            best2 = distance2;
            best = (1 - s) * Vec3::Unit(k) + s * Vec3::Unit(l);
        }
    }
    return best;
}

PlaneHit meet_plane(const Vec3& p, const Vec3& d, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 n = (b - a).cross(c - a);
    const double slope = n.dot(d), n2 = n.squaredNorm();
    if (slope == 0 || n2 == 0) return {};
    PlaneHit hit{true, n.dot(a - p) / slope, {}};
    const Vec3 x = p + hit.t * d;
    hit.weights[1] = n.dot((c - x).cross(a - x)) / n2;
    hit.weights[2] = n.dot((a - x).cross(b - x)) / n2;
    hit.weights[0] = 1 - hit.weights[1] - hit.weights[2];
    return hit;
}

}  // namespace tidelock
