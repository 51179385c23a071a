/// What the user wrote, complete: every default filled in, every value in range, nothing allocated yet.
///
/// Plain data, the same for 2D and 3D. In 2D the third entry of a vector is 0 and belongs to nobody; a rotation is an
/// angle; an angular velocity is the third entry of its vector. Keys and meanings: docs/scene.md. reader.h fills it,
/// writer.h turns it back into a file, examine.h says whether it makes sense.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "fluid/schemes.h"
#include "solid/joint_kind.h"
#include "stage/step_failure.h"

namespace tidelock::scene {

using Vector = std::array<double, 3>;
using Colour = std::array<double, 3>;  ///< red, green, blue in [0, 1], as displayed (sRGB)

/// Orientation of a shape's own frame in the world.
struct Rotation {
    double angle = 0;                              ///< 2D: counter-clockwise [rad]. 3D: unused, 0
    std::array<double, 4> quaternion{1, 0, 0, 0};  ///< 3D: (w, x, y, z), unit. 2D: unused, the identity
    bool operator==(const Rotation&) const = default;
};

enum class Wall { closed, open };

struct Domain {
    Vector size{1, 1, 1};               ///< [m]; the lower corner is at the origin
    std::array<int, 3> cells{1, 1, 1};  ///< per axis; third 1 in 2D; cells are cubes
    std::array<Wall, 6> walls{};        ///< x-, x+, y-, y+, z-, z+; the last two unused in 2D

    [[nodiscard]] double cell_size() const { return size[0] / cells[0]; }  ///< [m]
    bool operator==(const Domain&) const = default;
};

/// Keys of Domain::walls, in its order.
inline constexpr std::array<std::string_view, 6> wall_names{"x-", "x+", "y-", "y+", "z-", "z+"};

struct Time {
    double duration = 0;         ///< [s]
    double fps = 30;             ///< frames written per second [1/s]
    std::optional<double> step;  ///< fixed time step [s]; empty: chosen by `cfl`
    double cfl = 3;              ///< cells that the fastest fluid may cross in a step
    bool operator==(const Time&) const = default;
};

/// The centre of mass, or the origin of the file's coordinates.
enum class MeshOrigin { centre, mesh };
enum class ShapeKind { sphere, box, cylinder, capsule, torus, plane, mesh };

/// Parameters of geometry/shape.h. Only those of the kind are used; the others keep these values.
struct ShapeSpec {
    ShapeKind kind = ShapeKind::sphere;
    double radius = 0;                       ///< [m] sphere, cylinder, capsule; torus: of the ring
    double height = 0;                       ///< [m] cylinder; capsule: of the straight part, along y
    double tube = 0;                         ///< [m] torus: radius of the tube
    Vector size{0, 0, 0};                    ///< [m] box: full edges
    Vector normal{0, 1, 0};                  ///< plane: unit, out of the solid (half-space below it)
    std::string file;                        ///< mesh: resolved path of the file
    double scale = 1;                        ///< mesh: factor on its coordinates
    MeshOrigin origin = MeshOrigin::centre;  ///< mesh: what of it lies at `position`
    bool repair = false;                     ///< mesh: holes are filled and normals turned if that makes it a solid
    bool operator==(const ShapeSpec&) const = default;
};

/// Fluid that is there at the start.
struct InitialFluid {
    ShapeSpec shape;
    Vector position{};       ///< of the shape's centre [m]
    Rotation rotation;       ///< of the shape
    Vector velocity{};       ///< [m/s]
    double smoke = 0;        ///< concentration, 1 is the full colour [-]
    double temperature = 0;  ///< [K], absolute
    bool air = false;        ///< of a liquid: there is none here
    bool operator==(const InitialFluid&) const = default;
};

/// Of a gas: sets smoke, temperature and (if given) velocity inside the shape from `start` to `end`, and brings new gas if
/// it is an inflow. Of a liquid: keeps the shape full of it.
struct Source {
    ShapeSpec shape;
    Vector position{};  ///< [m]
    Rotation rotation;
    std::optional<Vector> velocity;                        ///< [m/s]; empty: the source leaves the velocity alone
    bool inflow = false;                                   ///< of a gas: velocity times area of it comes in
    double smoke = 1;                                      ///< [-]
    double temperature = 0;                                ///< [K], absolute
    double start = 0;                                      ///< [s]
    double end = std::numeric_limits<double>::infinity();  ///< [s]; infinity: until the end of the run
    bool operator==(const Source&) const = default;
};

/// The upward acceleration is g (temperature (T - ambient) - smoke s).
struct Buoyancy {
    double temperature = 0;  ///< [1/K]
    double smoke = 0;        ///< per unit of smoke [-]
    bool operator==(const Buoyancy&) const = default;
};

enum class FluidKind { smoke, liquid };
/// constraint: trapped air keeps its volume.
enum class Bubbles { none, constraint };

/// Takes away the liquid inside its shape.
struct Drain {
    ShapeSpec shape;
    Vector position{};  ///< [m]
    Rotation rotation;
    double start = 0;                                      ///< [s]
    double end = std::numeric_limits<double>::infinity();  ///< [s]
    bool operator==(const Drain&) const = default;
};

/// What only liquids have.
struct LiquidOptions {
    LiquidTransport transport = LiquidTransport::apic;
    LiquidSurface surface = LiquidSurface::particles;
    double flip_share = 0.97;  ///< [-]
    DriftCorrection volume_correction = DriftCorrection::displacement;
    Bubbles bubbles = Bubbles::none;
    std::vector<Drain> drains;
    bool operator==(const LiquidOptions&) const = default;
};

/// Gas that fills the domain and carries smoke and heat, or a liquid. Of a liquid the entries of `initial` and
/// `sources` have no smoke and no temperature, and those of the gas keep these values.
struct Fluid {
    FluidKind kind = FluidKind::smoke;
    LiquidOptions liquid;
    double density = 1.2;  ///< [kg/m^3]
    Transport transport = Transport::maccormack;
    Buoyancy buoyancy;
    double ambient_temperature = 293.15;  ///< [K]
    double vorticity_confinement = 0;     ///< strength [-]; 0: off
    double cooling = 0;                   ///< rate at which T approaches ambient [1/s]
    double dissipation = 0;               ///< rate at which smoke fades [1/s]
    std::vector<InitialFluid> initial;
    std::vector<Source> sources;
    bool operator==(const Fluid&) const = default;
};

enum class SolidType { rigid, static_, kinematic };

struct Keyframe {
    double time = 0;    ///< [s]
    Vector position{};  ///< [m]
    Rotation rotation;
    bool operator==(const Keyframe&) const = default;
};

/// constant: the solid's own velocity and angular_velocity, for ever.
enum class MotionType { constant, keyframes, spin, oscillate };
enum class Interpolation { linear, smooth };  ///< smooth: at rest at every keyframe (3 s^2 - 2 s^3)

/// How a kinematic solid moves. Before the first keyframe and after the last it rests there.
struct Motion {
    MotionType type = MotionType::constant;
    std::vector<Keyframe> keyframes;  ///< strictly increasing times
    Interpolation interpolation = Interpolation::linear;
    Vector axis{0, 0, 1};           ///< spin: unit, through the solid's position; 2D: unused
    double degrees_per_second = 0;  ///< spin, right-handed about `axis`; 2D: counter-clockwise
    Vector amplitude{};        ///< oscillate [m]: position + amplitude (sin(2 pi frequency t + phase) - sin(phase))
    double frequency = 0;      ///< oscillate [Hz]
    double phase_degrees = 0;  ///< oscillate
    bool operator==(const Motion&) const = default;
};

struct Solid {
    std::string name;  ///< unique
    SolidType type = SolidType::rigid;
    ShapeSpec shape;
    Vector position{};  ///< of the centre of mass [m]; plane: any point on it
    Rotation rotation;
    double density = 0;         ///< [kg/m^3]; rigid only, else 0
    Vector velocity{};          ///< of the centre of mass [m/s]; rigid, and kinematic with MotionType::constant
    Vector angular_velocity{};  ///< [rad/s], world frame; 2D: third entry; same use as velocity
    double friction = 0.1;      ///< Coulomb coefficient [-]
    double restitution = 0;     ///< in [0, 1]
    bool shell = false;         ///< only the surface is solid: there is fluid inside too
    Colour colour{};
    double opacity = 1;  ///< in pictures, in (0, 1]
    Motion motion;       ///< kinematic only
    bool operator==(const Solid&) const = default;
};

/// Drives a hinge or a slider: with `torque`, or to `speed` with at most `most`.
struct JointMotor {
    double torque = 0;            ///< [N m]; slider: force [N]
    std::optional<double> speed;  ///< [degrees/s]; slider [m/s]
    double most = 0;              ///< [N m]; slider [N]
    bool operator==(const JointMotor&) const = default;
};

struct Joint {
    std::string name;  ///< unique among joints
    JointKind type = JointKind::hinge;
    std::array<std::string, 2> bodies;            ///< names of solids; the second may be "world"
    Vector anchor{};                              ///< [m]; hinge and ball
    Vector axis{0, 0, 1};                         ///< unit; hinge (3D) and slider
    std::optional<std::array<double, 2>> limits;  ///< [degrees]; slider [m]; of the first body relative to the second
    std::optional<JointMotor> motor;
    bool operator==(const Joint&) const = default;
};

/// What joints call what never moves.
inline constexpr const char* world_name = "world";

/// What the coupled solves of all methods have.
struct Solver {
    double tolerance = 1e-6;   ///< relative residual of the coupled solve
    int max_iterations = 500;  ///< of the coupled solve
    double time_budget = 0;    ///< [s] a solve may take; 0: no limit
    bool history = false;      ///< residual and seconds of every iteration into the step log
    bool operator==(const Solver&) const = default;
};

struct Coupling {
    std::string method;
    Settings settings;  ///< the method's own, by path below "coupling" (scene/coupling/)
    OnFailure on_failure = OnFailure::retry;
    Solver solver;
    bool operator==(const Coupling&) const = default;
};

struct Output {
    bool vdb = true;              ///< frames/NNNNNN.vdb
    bool particles = true;        ///< of a liquid, in it
    bool meshes = true;           ///< frames/NNNNNN.ply: the surface of a liquid
    double overlap = 0;           ///< [cells] how far that surface goes into solids
    bool preview = true;          ///< preview/NNNNNN.png
    double preview_share = 0.25;  ///< of the run's time that pictures may take; 1: every frame has one [-]
    int checkpoint_every = 10;    ///< frames between checkpoints; 0: none but the last
    bool operator==(const Output&) const = default;
};

struct Camera {
    Vector position{};        ///< [m]
    Vector target{};          ///< [m] the point in the middle of the picture
    double fov_degrees = 35;  ///< vertical angle of view
    bool operator==(const Camera&) const = default;
};

enum class RenderField { density, vorticity, speed, temperature };

struct Render {
    std::optional<Camera> camera;  ///< 3D; empty: the renderer chooses one that shows the whole domain
    Colour background{};
    Colour smoke_colour{};
    int width = 0, height = 0;                 ///< [pixels], even
    RenderField field = RenderField::density;  ///< 2D: what is drawn
    bool streamlines = false;                  ///< 2D
    bool operator==(const Render&) const = default;
};

struct Scene {
    std::string name;
    std::string comment;  ///< what to watch for
    int dimension = 3;    ///< 2 or 3
    Domain domain;
    Vector gravity{};  ///< [m/s^2]
    Time time;
    Fluid fluid;
    std::vector<Solid> solids;
    std::vector<Joint> joints;
    Coupling coupling;
    Output output;
    Render render;
    bool operator==(const Scene&) const = default;
};

}  // namespace tidelock::scene
