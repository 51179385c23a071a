#include "solid/rigid_body.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace tidelock {

template <int D>
Inertia<D> RigidBody<D>::world_inertia() const {
    if constexpr (D == 2) {
        return inertia;
    } else {
        const Mat3 r = rotation.matrix();
        return r * inertia * r.transpose();
    }
}

namespace {

/// I^-1 L at a rotation.
template <int D>
Spin<D> spin_of(const Inertia<D>& inertia, const Rotation<D>& rotation, const Spin<D>& momentum) {
    if constexpr (D == 2) {
        return momentum / inertia(0, 0);
    } else {
        const Mat3 r = rotation.matrix();
        return r * inertia.ldlt().solve(r.transpose() * momentum);
    }
}

}  // namespace

template <int D>
Spin<D> RigidBody<D>::angular_velocity() const {
    return dynamic() ? spin_of<D>(inertia, rotation, angular_momentum) : angular_momentum;
}

template <int D>
Twist<D> RigidBody<D>::twist() const {
    Twist<D> t;
    t.template head<D>() = velocity;
    t.template tail<rotation_dof<D>>() = angular_velocity();
    return t;
}

template <int D>
void RigidBody<D>::set_twist(const Twist<D>& t) {
    velocity = t.template head<D>();
    const Spin<D> omega = t.template tail<rotation_dof<D>>();
    if (dynamic())
        angular_momentum = world_inertia() * omega;
    else
        angular_momentum = omega;
}

template <int D>
Eigen::Matrix<double, rigid_dof<D>, rigid_dof<D>> RigidBody<D>::mass_matrix() const {
    Eigen::Matrix<double, rigid_dof<D>, rigid_dof<D>> m;
    m.setZero();
    m.template topLeftCorner<D, D>() = mass * Mat<D>::Identity();
    m.template bottomRightCorner<rotation_dof<D>, rotation_dof<D>>() = world_inertia();
    return m;
}

template <int D>
double RigidBody<D>::kinetic_energy() const {
    return dynamic() ? 0.5 * mass * velocity.squaredNorm() + 0.5 * angular_momentum.dot(angular_velocity()) : 0;
}

namespace {

constexpr int sample_resolution = 64;  ///< segments around a turn of the points that look for other bodies

}  // namespace

template <int D>
void set_shape(RigidBody<D>& body, std::shared_ptr<const Shape<D>> shape, double density, double shell_thickness,
               const Placement<D>& place, const std::string& where) {
    body.shape = std::move(shape);
    body.shell_thickness = shell_thickness;
    body.rotation = place.rotation;
    body.volume = 0;
    body.mass = 0;
    body.inertia.setZero();
    body.shape_offset.setZero();
    const Vec<D> extent = body.shape->bounding_box().size();
    const bool bounded = extent.allFinite();
    if (!bounded && body.dynamic())
        throw InputError(where, "a rigid body needs a bounded shape; a plane can be static or kinematic");
    if (bounded) {
        const MassProperties<D> solid = body.shape->mass_properties();
        body.shape_offset = solid.centre;
        body.volume = shell_thickness > 0 ? 0 : solid.volume;
        body.mass = density * solid.volume;
        body.inertia = density * solid.inertia;
    }
    body.cores = body.shape->cores();
    for (auto& core : body.cores) core.at -= body.shape_offset;
    body.radius = std::numeric_limits<double>::infinity();
    body.samples = std::make_shared<SurfaceSamples<D>>();
    if (bounded) {
        body.samples =
            std::make_shared<SurfaceSamples<D>>(body.shape->surface_mesh(sample_resolution), body.shape_offset);
        body.radius = body.samples->radius() + 0.5 * shell_thickness;
    }
    body.position = place.position;
    body.start = {body.position, body.rotation};
}

namespace {

/// Rotation under constant angular momentum: fourth-order Runge-Kutta-Munthe-Kaas on the rotation group, in substeps of
/// at most `largest_turn` so that the energy of a tumbling body holds (numerics/cases 9).
constexpr double largest_turn = 0.03;  ///< [rad]

Rotation<2> rotated(const RigidBody<2>& body, double dt) { return body.rotation.turned(dt * body.angular_velocity()); }

Rotation<3> rotated(const RigidBody<3>& body, double dt) {
    const Vec3& momentum = body.angular_momentum;
    Rotation<3> rotation = body.rotation;
    if (momentum.isZero(0)) return rotation;
    const auto spin = [&](const Rotation<3>& r) { return spin_of<3>(body.inertia, r, momentum); };
    // The angular speed of a free body never exceeds |L| over its least principal moment; its present value is what
    // matters for the number of substeps.
    const double turn = spin(rotation).norm() * std::abs(dt);
    const int substeps = std::clamp(static_cast<int>(std::ceil(turn / largest_turn)), 1, 10000);
    const double h = dt / substeps;
    // dexp^-1_u(k) = k - 1/2 [u, k] + 1/12 [u, [u, k]] to the order needed, for rotations composed on the left.
    const auto pulled = [](const Vec3& u, const Vec3& k) {
        const Vec3 uk = u.cross(k);
        return Vec3(k - 0.5 * uk + u.cross(uk) / 12);
    };
    for (int s = 0; s < substeps; ++s) {
        const Vec3 k1 = h * spin(rotation);
        const Vec3 u2 = 0.5 * k1;
        const Vec3 k2 = pulled(u2, h * spin(rotation.turned(u2)));
        const Vec3 u3 = 0.5 * k2;
        const Vec3 k3 = pulled(u3, h * spin(rotation.turned(u3)));
        const Vec3 k4 = pulled(k3, h * spin(rotation.turned(k3)));
        rotation = rotation.turned((k1 + 2 * k2 + 2 * k3 + k4) / 6);
    }
    return rotation;
}

}  // namespace

template <int D>
void move(RigidBody<D>& body, double time, double dt) {
    if (body.type == BodyType::fixed) return;
    if (body.type == BodyType::rigid) {
        body.position += dt * body.velocity;  // x_t = v, [A18] eq. (14)
        body.rotation = rotated(body, dt);    // q_t = 1/2 omega q with L held
        return;
    }
    const Placement<D> from = place_at<D>(body.motion, body.start, time);
    const Placement<D> to = place_at<D>(body.motion, body.start, time + dt);
    body.position = to.position;
    body.rotation = to.rotation;
    body.velocity = (to.position - from.position) / dt;
    body.angular_momentum = from.rotation.vector_to(to.rotation) / dt;
}

#define TIDELOCK_INSTANTIATE(D)                                                                                  \
    template struct RigidBody<D>;                                                                                \
    template void set_shape(RigidBody<D>&, std::shared_ptr<const Shape<D>>, double, double, const Placement<D>&, \
                            const std::string&);                                                                 \
    template void move(RigidBody<D>&, double, double);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
