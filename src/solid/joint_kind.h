/// What a joint leaves free (solid/joint.h), for those who pass it on without making one.
#pragma once

namespace tidelock {

enum class JointKind { hinge, ball, slider, fixed };

/// Whether it holds at a point that a user gives.
constexpr bool has_anchor(JointKind kind) { return kind == JointKind::hinge || kind == JointKind::ball; }
/// Whether it has a direction; in the plane all hinges turn about the same.
constexpr bool has_axis(JointKind kind, int dimension) {
    return kind == JointKind::slider || (kind == JointKind::hinge && dimension == 3);
}
/// Whether there is a coordinate that limits and motors act on.
constexpr bool has_coordinate(JointKind kind) { return kind == JointKind::hinge || kind == JointKind::slider; }
/// Whether that is an angle.
constexpr bool turns(JointKind kind) { return kind == JointKind::hinge; }

}  // namespace tidelock
