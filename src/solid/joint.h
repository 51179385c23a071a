/// Joints: what two bodies, or a body and the world, may not do relative to each other.
///
/// Source   numerics/contact 5: rows on the twists of both bodies, H V = 0, and how far a pose is from the joint.
/// Kinds    ball    the anchors are one point                   D rows
///          hinge   and the axes are one direction              D rows in the plane, 5 in space
///          slider  no turning, anchors on a line along the axis
///          fixed   no turning, the anchors are one point
/// Frames   Each body carries a copy of the joint's frame: an anchor and axes, the first along the joint's axis. Where
///          the joint was made the copies are one; errors and the coordinate say how they have come apart since.
/// Rows     Translation acts on both bodies at one point, so that impulses keep momentum and angular momentum. Rotation
///          rows are multiplied by a length, so that all errors of a joint are lengths.
/// Coordinate  What a hinge (angle of a about its axis relative to b, in (-pi, pi]) or a slider (way of a along its
///          axis) is free to do: limits and motors act on it. Its value is 0 where the joint was made.
#pragma once

#include <optional>

#include "solid/joint_kind.h"
#include "solid/relative_row.h"
#include "solid/rigid_body.h"

namespace tidelock {

template <int D>
struct JointRow {
    int a = -1;          ///< index of a body
    int b = -1;          ///< index of the other body; < 0: the world
    RelativeRow<D> row;  ///< velocity of a relative to b
    double value = 0;    ///< error [m], or the coordinate [rad or m]
};

/// Holds a coordinate's speed as far as its strength allows.
struct SpeedMotor {
    double speed = 0;  ///< [rad/s or m/s]
    double most = 0;   ///< torque [N m] or force [N], >= 0
};

template <int D>
struct Joint {
    std::string name;
    JointKind kind = JointKind::ball;
    int a = -1;                          ///< index of a body
    int b = -1;                          ///< index of the other body; < 0: the world
    Vec<D> anchor_a = Vec<D>::Zero();    ///< in the frame of a [m]
    Vec<D> anchor_b = Vec<D>::Zero();    ///< in the frame of b, or of the world [m]
    Mat<D> axes_a = Mat<D>::Identity();  ///< columns, in the frame of a
    Mat<D> axes_b = Mat<D>::Identity();
    std::optional<std::array<double, 2>> limits;  ///< of the coordinate [rad or m]
    double torque = 0;                            ///< that a motor gives a about the axis [N m]; a slider: force [N]
    std::optional<SpeedMotor> motor;

    /// Whether it has a coordinate.
    [[nodiscard]] bool moves() const { return has_coordinate(kind); }
};

/// A joint between bodies as they are now. `anchor` [m] and `axis` (any length > 0; not used by ball and fixed, nor by
/// a hinge in the plane) in the world's frame.
template <int D>
[[nodiscard]] Joint<D> make_joint(JointKind kind, int a, int b, const Vec<D>& anchor, const Vec<D>& axis,
                                  const std::vector<RigidBody<D>>& bodies);

/// The rows that must be zero, and their errors, at the present poses.
template <int D>
[[nodiscard]] std::vector<JointRow<D>> rows_of(const Joint<D>& joint, const std::vector<RigidBody<D>>& bodies);

/// The coordinate of a hinge or slider, and the row that reads its speed.
template <int D>
[[nodiscard]] JointRow<D> coordinate_of(const Joint<D>& joint, const std::vector<RigidBody<D>>& bodies);

/// The rows of all joints.
template <int D>
[[nodiscard]] std::vector<JointRow<D>> rows_of(const std::vector<Joint<D>>& joints,
                                               const std::vector<RigidBody<D>>& bodies);

/// Gives the bodies what motors with a torque do in dt [s].
template <int D>
void drive(const std::vector<Joint<D>>& joints, double dt, std::vector<RigidBody<D>>& bodies);

/// Adds an impulse along a row to the momenta of both bodies.
template <int D>
void push(const JointRow<D>& row, double impulse, std::vector<RigidBody<D>>& bodies);

}  // namespace tidelock
