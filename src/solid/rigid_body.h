/// Rigid bodies: shape, mass, state, and how the state moves in time.
///
/// Source   [A18] eq. (14): x_t = v, q_t = 1/2 omega q, v_t = F / m, L_t = torque, L = I omega, I = R D R^T.
/// State    position of the centre of mass, rotation, velocity, angular momentum about the centre of mass (world axes):
///          with momentum as the state the gyroscopic term needs no force.
/// Frames   the body frame has its origin at the centre of mass; `shape_offset` is the centre of mass in the shape's
///          own frame, so that the shape's point Y sits at X = Y - shape_offset.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "geometry/shape.h"
#include "solid/motion.h"
#include "solid/surface_samples.h"

namespace tidelock {

enum class BodyType { rigid, fixed, kinematic };

template <int D>
struct RigidBody {
    // What it is.
    std::string name;
    BodyType type = BodyType::rigid;
    std::shared_ptr<const Shape<D>> shape;
    Vec<D> shape_offset = Vec<D>::Zero();     ///< [m]
    double volume = 0;                        ///< displaced by the solid; 0 for a shell [m^3], in 2D [m^2]
    double mass = 0;                          ///< [kg], in 2D [kg/m]
    Inertia<D> inertia = Inertia<D>::Zero();  ///< about the centre of mass, body axes [kg m^2]
    double shell_thickness = 0;               ///< > 0: only a skin this thick is solid, half of it on each side [m]
    Motion<D> motion;                         ///< kinematic bodies only
    std::vector<Core<D>> cores;               ///< of an analytic shape, body frame (geometry/core.h)
    std::shared_ptr<const SurfaceSamples<D>> samples;  ///< points on the surface, body frame; none if unbounded
    double friction = 0;                               ///< Coulomb coefficient [-]
    double restitution = 0;                            ///< in [0, 1]
    double radius = 0;   ///< of the sphere around the centre of mass that holds it; may be infinite
    Placement<D> start;  ///< where the body was at time 0: what its motion refers to

    // Where it is.
    Vec<D> position = Vec<D>::Zero();  ///< centre of mass [m]
    Rotation<D> rotation;
    Vec<D> velocity = Vec<D>::Zero();            ///< [m/s]
    Spin<D> angular_momentum = Spin<D>::Zero();  ///< [kg m^2/s]; of a kinematic body: its angular velocity [rad/s]

    [[nodiscard]] bool dynamic() const { return type == BodyType::rigid; }
    [[nodiscard]] Pose<D> pose() const { return {position, rotation}; }
    /// Signed distance of a point of the body frame to the solid part [m].
    [[nodiscard]] double distance(const Vec<D>& body) const {
        const double d = shape->distance(body + shape_offset);
        return shell_thickness > 0 ? std::abs(d) - 0.5 * shell_thickness : d;
    }
    /// Outward unit normal there.
    [[nodiscard]] Vec<D> normal(const Vec<D>& body) const {
        const Vec<D> n = shape->gradient(body + shape_offset);
        return shell_thickness > 0 && shape->distance(body + shape_offset) < 0 ? Vec<D>(-n) : n;
    }
    /// R D R^T, below [A18] eq. (14).
    [[nodiscard]] Inertia<D> world_inertia() const;
    [[nodiscard]] Spin<D> angular_velocity() const;
    [[nodiscard]] Twist<D> twist() const;
    /// Sets velocity and angular momentum from a twist at the present rotation.
    void set_twist(const Twist<D>& twist);
    /// diag(m I, I_world) of a rigid body (docs/conventions.md).
    [[nodiscard]] Eigen::Matrix<double, rigid_dof<D>, rigid_dof<D>> mass_matrix() const;
    /// Kinetic energy [J].
    [[nodiscard]] double kinetic_energy() const;
};

/// Mass, centre and inertia from the shape and a density [kg/m^3], with the centre of mass (of an unbounded shape: the
/// origin of its frame) at `place`. A shell weighs as if it were filled: its density is its mass over the volume that
/// it encloses. Throws InputError at `where` for a rigid
/// body whose shape is unbounded.
template <int D>
void set_shape(RigidBody<D>& body, std::shared_ptr<const Shape<D>> shape, double density, double shell_thickness,
               const Placement<D>& place, const std::string& where);

/// Moves the body over dt [s] with its velocity and angular momentum held (rigid), or along its motion from `time` on
/// (kinematic, which also sets its twist to the way covered over dt). Fixed bodies stay.
template <int D>
void move(RigidBody<D>& body, double time, double dt);

}  // namespace tidelock
