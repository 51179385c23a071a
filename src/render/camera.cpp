#include "render/camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace tidelock {

View::View(const Camera& camera, int width, int height, const char* place)
    : position_(camera.position), width_(width), height_(height) {
    forward_ = camera.target - camera.position;
    const double distance = forward_.norm();
    if (!camera.position.allFinite() || !(distance > 0) || !std::isfinite(distance))
        throw InputError(place, "position and target must be finite and differ, got [{}, {}, {}] and [{}, {}, {}]",
                         camera.position[0], camera.position[1], camera.position[2], camera.target[0], camera.target[1],
                         camera.target[2]);
    if (!(camera.vertical_fov > 0) || !(camera.vertical_fov < std::numbers::pi))
        throw InputError(place, "the vertical angle must be in (0, pi) rad, got {}", camera.vertical_fov);
    forward_ /= distance;
    right_ = forward_.cross(camera.up);
    // 1e-6: below, rounding decides where the picture's right is.
    if (!(right_.norm() > 1e-6 * camera.up.norm()))
        throw InputError(place, "up must not point along the view, got [{}, {}, {}]", camera.up[0], camera.up[1],
                         camera.up[2]);
    right_.normalize();
    up_ = right_.cross(forward_) * std::tan(0.5 * camera.vertical_fov);
    right_ *= up_.norm() * width_ / height_;
}

Vec3 View::project(const Vec3& x) const {
    const Vec3 d = x - position_;
    const double depth = d.dot(forward_);
    const double u = d.dot(right_) / (right_.squaredNorm() * depth), v = d.dot(up_) / (up_.squaredNorm() * depth);
    return {0.5 * width_ * (1 + u), 0.5 * height_ * (1 - v), depth};
}

Camera automatic_camera(const Bounds<3>& box, double aspect, const Vec3& up, double elevation) {
    if (box.empty() || !(box.diagonal() > 0) || !(aspect > 0) || !(up.norm() > 0) || !(std::abs(elevation) < 1.5))
        throw InputError("automatic camera",
                         "needs a box with an inside, an aspect > 0, an up and an elevation within 1.5 rad; got aspect "
                         "{}, elevation {}",
                         aspect, elevation);
    const Vec3 vertical = up.normalized();
    // Any direction square to up that lies along an axis if up does: z for y up.
    Vec3 front = std::abs(vertical[2]) < 0.9 ? Vec3::UnitZ() : Vec3(-Vec3::UnitY());
    front = (front - front.dot(vertical) * vertical).normalized();
    const Vec3 side = vertical.cross(front);
    // Two walls are seen, one of them plainly.
    constexpr double azimuth = 0.44, margin = 0.90;
    const Vec3 back =
        std::cos(elevation) * (std::cos(azimuth) * front + std::sin(azimuth) * side) + std::sin(elevation) * vertical;
    Camera camera;
    camera.up = vertical;
    camera.vertical_fov = 0.49;
    const Vec3 right = vertical.cross(back).normalized(), picture_up = back.cross(right);
    const double tan_v = margin * std::tan(0.5 * camera.vertical_fov), tan_h = aspect * tan_v;
    const auto corner = [&](int c) -> Vec3 {
        Vec3 x;
        for (int a = 0; a < 3; ++a) x[a] = ((c >> a) & 1) != 0 ? box.high[a] : box.low[a];
        return x;
    };
    // A corner at (x, y, z) in the camera's axes around the target is inside if |x| <= tan_h (distance - z), the same
    // for y.
    const auto distance_for = [&](const Vec3& target) {
        double need = 0;
        for (int c = 0; c < 8; ++c) {
            const Vec3 d = corner(c) - target;
            need = std::max({need, d.dot(back) + std::abs(d.dot(right)) / tan_h,
                             d.dot(back) + std::abs(d.dot(picture_up)) / tan_v});
        }
        return need;
    };
    // Moving the target to the middle of what is seen changes the distance; a few rounds settle both.
    Vec3 target = box.centre();
    for (int round = 0; round < 12; ++round) {
        const double distance = distance_for(target);
        Vec2 low = Vec2::Constant(1e300), high = -low;
        for (int c = 0; c < 8; ++c) {
            const Vec3 d = corner(c) - target;
            const Vec2 seen = Vec2(d.dot(right), d.dot(picture_up)) / (distance - d.dot(back));
            low = low.cwiseMin(seen), high = high.cwiseMax(seen);
        }
        const Vec2 off = 0.25 * (low + high) * distance;  // half way, so that long boxes do not overshoot
        target += off[0] * right + off[1] * picture_up;
    }
    camera.target = target;
    camera.position = target + distance_for(target) * back;
    return camera;
}

}  // namespace tidelock
