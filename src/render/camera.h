/// Where a picture is taken from.
#pragma once

#include "geometry/bounds.h"

namespace tidelock {

/// A pinhole camera. Square pixels; the picture's width follows from its aspect.
struct Camera {
    Vec3 position = Vec3(0, 0, 5);  ///< [m]
    Vec3 target = Vec3::Zero();     ///< what the middle of the picture shows [m]
    Vec3 up = Vec3::UnitY();        ///< upwards in the picture; need not be square to the view
    double vertical_fov = 0.5;      ///< angle between the picture's lower and upper edge [rad], in (0, pi)
};

/// A ray through every point of the picture, and the way back.
class View {
  public:
    /// Throws InputError at `place` for a camera that cannot see: a zero or non-finite direction, `up` along the view,
    /// an angle outside (0, pi).
    View(const Camera& camera, int width, int height, const char* place = "camera");

    /// Unit direction through (x, y), in pixels from the upper left corner; (0.5, 0.5) is the first pixel's middle.
    [[nodiscard]] Vec3 direction(double x, double y) const {
        return (forward_ + (2 * x / width_ - 1) * right_ + (1 - 2 * y / height_) * up_).normalized();
    }
    /// Pixel coordinates of a point, and its distance along the view axis [m]; the point is seen only if that is > 0.
    [[nodiscard]] Vec3 project(const Vec3& x) const;
    [[nodiscard]] const Vec3& position() const { return position_; }
    [[nodiscard]] const Vec3& forward() const { return forward_; }
    /// Angle that a pixel in the middle covers [rad].
    [[nodiscard]] double pixel_angle() const { return 2 * up_.norm() / height_; }

  private:
    Vec3 position_, forward_, right_, up_;  // right_ and up_ reach to the picture's edges at distance 1
    double width_, height_;
};

/// Sees the whole box from above by `elevation` [rad], and from aside, with some margin. `up` is any direction,
/// `aspect` = width / height.
[[nodiscard]] Camera automatic_camera(const Bounds<3>& box, double aspect, const Vec3& up = Vec3::UnitY(),
                                      double elevation = 0.17);

}  // namespace tidelock
