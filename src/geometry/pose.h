/// Where a rigid body is and how it is turned; its velocity; and the way between the world's frame and the body's own.
///
/// Conventions  x_world = position + R X. A twist is (V, omega): velocity of the origin of the body frame [m/s] and
///              angular velocity [rad/s], in world axes; in the plane omega is a number, counter-clockwise.
///              q_t = 1/2 (0, omega) q, world omega on the left (numerics/contact 6).
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <span>

#include "base/math.h"
#include "base/vec.h"

namespace tidelock {

/// Rotation vector, angular velocity or angular momentum: three numbers in space, one in the plane.
template <int D>
using Spin = Eigen::Matrix<double, rotation_dof<D>, 1>;
template <int D>
using Twist = Eigen::Matrix<double, rigid_dof<D>, 1>;

/// omega x r.
template <int D>
Vec<D> cross(const Spin<D>& omega, const Vec<D>& r) {
    if constexpr (D == 2)
        return {-omega[0] * r[1], omega[0] * r[0]};
    else
        return omega.cross(r);
}

/// r x f.
template <int D>
Spin<D> moment(const Vec<D>& r, const Vec<D>& f) {
    if constexpr (D == 2)
        return Spin<2>(r[0] * f[1] - r[1] * f[0]);
    else
        return r.cross(f);
}

/// Of a unit quaternion: axis times angle, the angle in [0, pi].
[[nodiscard]] inline Spin<3> rotation_vector(const Eigen::Quaterniond& q) {
    const double length = q.vec().norm();
    if (length == 0) return Spin<3>::Zero();
    const double angle = 2 * angle_of(length, std::abs(q.w()));
    return (std::signbit(q.w()) ? -angle : angle) / length * q.vec();
}

/// A rotation: an angle in the plane (not reduced: turns are counted), a unit quaternion in space.
template <int D>
class Rotation;

template <>
class Rotation<2> {
  public:
    Rotation() = default;
    explicit Rotation(double angle) : angle_(angle) {}
    [[nodiscard]] double angle() const { return angle_; }
    /// As saved states hold it.
    [[nodiscard]] std::span<double, 1> numbers() { return std::span<double, 1>(&angle_, 1); }
    [[nodiscard]] std::span<const double, 1> numbers() const { return std::span<const double, 1>(&angle_, 1); }
    [[nodiscard]] Mat<2> matrix() const {
        return (Mat<2>() << cosine(angle_), -sine(angle_), sine(angle_), cosine(angle_)).finished();
    }
    /// This rotation followed by the world rotation vector `turn`.
    [[nodiscard]] Rotation turned(const Spin<2>& turn) const { return Rotation(angle_ + turn[0]); }
    /// The rotation vector that leads from here to `other`.
    [[nodiscard]] Spin<2> vector_to(const Rotation& other) const { return Spin<2>(other.angle_ - angle_); }
    [[nodiscard]] Rotation between(const Rotation& other, double t) const {
        return Rotation(angle_ + t * (other.angle_ - angle_));
    }

  private:
    double angle_ = 0;  ///< [rad]
};

template <>
class Rotation<3> {
  public:
    Rotation() = default;
    explicit Rotation(const Eigen::Quaterniond& q) : q_(q.normalized()) {}
    [[nodiscard]] const Eigen::Quaterniond& quaternion() const { return q_; }
    /// As saved states hold it, x y z w: restored bit for bit, without normalising again.
    [[nodiscard]] std::span<double, 4> numbers() { return std::span<double, 4>(q_.coeffs().data(), 4); }
    [[nodiscard]] std::span<const double, 4> numbers() const {
        return std::span<const double, 4>(q_.coeffs().data(), 4);
    }
    [[nodiscard]] Mat<3> matrix() const { return q_.toRotationMatrix(); }
    /// Exponential map: exact for a constant angular velocity; the sign of the quaternion stays continuous.
    [[nodiscard]] Rotation turned(const Spin<3>& turn) const {
        const double angle = turn.norm();
        const double half = 0.5 * angle;
        // sin(half) / angle, by its series where the quotient loses its digits.
        const double scale = angle > 1e-4 ? sine(half) / angle : 0.5 - angle * angle / 48;
        Eigen::Quaterniond step;
        step.w() = cosine(half);
        step.vec() = scale * turn;
        return Rotation(step * q_);
    }
    /// The shortest rotation vector that leads from here to `other`.
    [[nodiscard]] Spin<3> vector_to(const Rotation& other) const { return rotation_vector(other.q_ * q_.conjugate()); }
    [[nodiscard]] Rotation between(const Rotation& other, double t) const { return turned(t * vector_to(other)); }

  private:
    Eigen::Quaterniond q_ = Eigen::Quaterniond::Identity();
};

/// Position and rotation, with the rotation's matrix at hand.
template <int D>
struct Pose {
    Vec<D> position = Vec<D>::Zero();  ///< of the body frame's origin [m]
    Mat<D> matrix = Mat<D>::Identity();

    Pose() = default;
    Pose(const Vec<D>& where, const Rotation<D>& how) : position(where), matrix(how.matrix()) {}
    [[nodiscard]] Vec<D> to_world(const Vec<D>& body) const { return position + matrix * body; }
    [[nodiscard]] Vec<D> to_body(const Vec<D>& world) const { return matrix.transpose() * (world - position); }
};

/// Velocity at a point r away from the reference point of the twist.
template <int D>
Vec<D> velocity_at(const Twist<D>& twist, const Vec<D>& r) {
    return twist.template head<D>() + cross<D>(twist.template tail<rotation_dof<D>>(), r);
}

/// The row that reads component `axis` of that velocity (docs/conventions.md): J = [e_a, r x e_a].
template <int D>
Twist<D> velocity_row(int axis, const Vec<D>& r) {
    Twist<D> row;
    const Vec<D> e = Vec<D>::Unit(axis);
    row.template head<D>() = e;
    row.template tail<rotation_dof<D>>() = moment<D>(r, e);
    return row;
}

}  // namespace tidelock
