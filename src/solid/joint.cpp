#include "solid/joint.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace tidelock {

namespace {

/// Columns: the axis, and what is across it.
template <int D>
Mat<D> axes_along(const Vec<D>& axis) {
    Mat<D> axes;
    const Vec<D> n = axis.normalized();
    if constexpr (D == 2) {
        axes << n, Vec2(-n[1], n[0]);
    } else {
        int least = 0;
        n.cwiseAbs().minCoeff(&least);
        const Vec3 t = n.cross(Vec3::Unit(least)).normalized();
        axes << n, t, n.cross(t);
    }
    return axes;
}

/// The copies of a joint's frame that its bodies carry, in the world.
template <int D>
struct JointFrames {
    Vec<D> centre_a, centre_b;  ///< of mass [m]
    Vec<D> anchor_a, anchor_b;  ///< [m]
    Mat<D> axes_a, axes_b;
    double length;  ///< that rotation rows are multiplied by [m]

    JointFrames(const Joint<D>& joint, const std::vector<RigidBody<D>>& bodies) {
        const auto& a = bodies[static_cast<std::size_t>(joint.a)];
        const Pose<D> pose_a = a.pose();
        const Pose<D> pose_b = joint.b >= 0 ? bodies[static_cast<std::size_t>(joint.b)].pose() : Pose<D>();
        centre_a = pose_a.position;
        centre_b = pose_b.position;
        anchor_a = pose_a.to_world(joint.anchor_a);
        anchor_b = pose_b.to_world(joint.anchor_b);
        axes_a = pose_a.matrix * joint.axes_a;
        axes_b = pose_b.matrix * joint.axes_b;
        length = a.radius;
        if (joint.b >= 0) length = std::min(length, bodies[static_cast<std::size_t>(joint.b)].radius);
    }
    /// Velocity of a relative to b along `direction`, at a point.
    [[nodiscard]] RelativeRow<D> along(const Vec<D>& direction, const Vec<D>& point) const {
        RelativeRow<D> row;
        row.a << direction, moment<D>(point - centre_a, direction);
        row.b << -direction, -moment<D>(point - centre_b, direction);
        return row;
    }
    /// Angular velocity of a relative to b about `axis`.
    [[nodiscard]] static RelativeRow<D> about(const Spin<D>& axis) {
        RelativeRow<D> row;
        row.a << Vec<D>::Zero(), axis;
        row.b = -row.a;
        return row;
    }
    /// The rotation vector that leads from b's axes to a's.
    [[nodiscard]] Spin<D> turn() const {
        const Mat<D> between = axes_a * axes_b.transpose();
        if constexpr (D == 2) {
            return Spin<2>(angle_of(between(1, 0), between(0, 0)));
        } else {
            return rotation_vector(Eigen::Quaterniond(between));
        }
    }
};

}  // namespace

template <int D>
Joint<D> make_joint(JointKind kind, int a, int b, const Vec<D>& anchor, const Vec<D>& axis,
                    const std::vector<RigidBody<D>>& bodies) {
    Joint<D> joint;
    joint.kind = kind;
    joint.a = a;
    joint.b = b;
    const Mat<D> axes = axis.isZero(0) ? Mat<D>(Mat<D>::Identity()) : axes_along<D>(axis);
    const Pose<D> pose_a = bodies[static_cast<std::size_t>(a)].pose();
    const Pose<D> pose_b = b >= 0 ? bodies[static_cast<std::size_t>(b)].pose() : Pose<D>();
    joint.anchor_a = pose_a.to_body(anchor);
    joint.anchor_b = pose_b.to_body(anchor);
    joint.axes_a = pose_a.matrix.transpose() * axes;
    joint.axes_b = pose_b.matrix.transpose() * axes;
    return joint;
}

template <int D>
std::vector<JointRow<D>> rows_of(const Joint<D>& joint, const std::vector<RigidBody<D>>& bodies) {
    const JointFrames<D> frames(joint, bodies);
    const Vec<D> apart = frames.anchor_a - frames.anchor_b;
    std::vector<JointRow<D>> rows;
    const auto add = [&](const RelativeRow<D>& row, double error) { rows.push_back({joint.a, joint.b, row, error}); };
    const auto add_turn = [&](const Spin<D>& axis, double angle) {
        add(JointFrames<D>::about(frames.length * axis), frames.length * angle);
    };
    if (joint.kind == JointKind::slider) {
        // d/dt b . (p_a - p_b) with b carried by body b: as if both bodies were touched at p_a.
        for (int k = 1; k < D; ++k) {
            const Vec<D> across = frames.axes_b.col(k);
            add(frames.along(across, frames.anchor_a), across.dot(apart));
        }
    } else {
        const Vec<D> middle = 0.5 * (frames.anchor_a + frames.anchor_b);
        for (int k = 0; k < D; ++k) add(frames.along(Vec<D>::Unit(k), middle), apart[k]);
    }
    if (joint.kind == JointKind::slider || joint.kind == JointKind::fixed) {
        const Spin<D> turn = frames.turn();
        for (int k = 0; k < rotation_dof<D>; ++k) add_turn(Spin<D>::Unit(k), turn[k]);
    }
    if constexpr (D == 3) {
        if (joint.kind == JointKind::hinge) {
            // d/dt (a_b x a_a) = the relative angular velocity across the axis, where both are one.
            const Vec3 turn = frames.axes_b.col(0).cross(frames.axes_a.col(0));
            for (int k = 1; k < 3; ++k) add_turn(frames.axes_b.col(k), turn.dot(frames.axes_b.col(k)));
        }
    }
    return rows;
}

template <int D>
JointRow<D> coordinate_of(const Joint<D>& joint, const std::vector<RigidBody<D>>& bodies) {
    const JointFrames<D> frames(joint, bodies);
    JointRow<D> out{joint.a, joint.b, {}, 0};
    if (joint.kind == JointKind::slider) {
        const Vec<D> axis = frames.axes_b.col(0);
        out.row = frames.along(axis, frames.anchor_a);
        out.value = axis.dot(frames.anchor_a - frames.anchor_b);
        return out;
    }
    if constexpr (D == 2) {
        out.row = JointFrames<2>::about(Spin<2>::Ones());
        out.value = frames.turn()[0];
    } else {
        const Vec3 turned = frames.axes_a.col(1);
        out.row = JointFrames<3>::about(frames.axes_b.col(0));
        out.value = angle_of(turned.dot(frames.axes_b.col(2)), turned.dot(frames.axes_b.col(1)));
    }
    return out;
}

template <int D>
std::vector<JointRow<D>> rows_of(const std::vector<Joint<D>>& joints, const std::vector<RigidBody<D>>& bodies) {
    std::vector<JointRow<D>> all;
    for (const auto& joint : joints)
        for (const auto& row : rows_of<D>(joint, bodies)) all.push_back(row);
    return all;
}

template <int D>
void push(const JointRow<D>& row, double impulse, std::vector<RigidBody<D>>& bodies) {
    const auto give = [&](int i, const Twist<D>& direction) {
        if (i < 0 || !bodies[static_cast<std::size_t>(i)].dynamic()) return;
        auto& body = bodies[static_cast<std::size_t>(i)];
        body.velocity += impulse / body.mass * direction.template head<D>();
        body.angular_momentum += impulse * direction.template tail<rotation_dof<D>>();
    };
    give(row.a, row.row.a);
    give(row.b, row.row.b);
}

template <int D>
void drive(const std::vector<Joint<D>>& joints, double dt, std::vector<RigidBody<D>>& bodies) {
    for (const auto& joint : joints)
        if (joint.torque != 0) push<D>(coordinate_of<D>(joint, bodies), dt * joint.torque, bodies);
}

#define TIDELOCK_INSTANTIATE(D)                                                                                        \
    template Joint<D> make_joint(JointKind, int, int, const Vec<D>&, const Vec<D>&, const std::vector<RigidBody<D>>&); \
    template std::vector<JointRow<D>> rows_of(const Joint<D>&, const std::vector<RigidBody<D>>&);                      \
    template JointRow<D> coordinate_of(const Joint<D>&, const std::vector<RigidBody<D>>&);                             \
    template std::vector<JointRow<D>> rows_of(const std::vector<Joint<D>>&, const std::vector<RigidBody<D>>&);         \
    template void push(const JointRow<D>&, double, std::vector<RigidBody<D>>&);                                        \
    template void drive(const std::vector<Joint<D>>&, double, std::vector<RigidBody<D>>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
