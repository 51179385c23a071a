#include "scene/build_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "base/math.h"
#include "couple/interface.h"
#include "fluid/sources.h"
#include "scene/mesh_origin.h"
#include "stage/liquid_fill.h"

namespace tidelock::scene {

namespace {

constexpr double degree = std::numbers::pi / 180;

template <int D>
tidelock::Rotation<D> to_rotation(const Rotation& r) {
    if constexpr (D == 2) {
        return tidelock::Rotation<2>(r.angle);
    } else {
        const auto& [w, x, y, z] = r.quaternion;
        return tidelock::Rotation<3>(Eigen::Quaterniond(w, x, y, z));
    }
}

template <int D>
Spin<D> to_spin(const Vector& v) {
    if constexpr (D == 2)
        return Spin<2>(v[2]);
    else
        return to_vec<3>(v);
}

template <int D>
Twist<D> to_twist(const Vector& velocity, const Vector& angular_velocity) {
    Twist<D> twist;
    twist.template head<D>() = to_vec<D>(velocity);
    twist.template tail<rotation_dof<D>>() = to_spin<D>(angular_velocity);
    return twist;
}

/// Distances are sampled as finely as the fluid's cells are, and not below 1/64 of the mesh; the band of sampled
/// distances reaches as far as the fluid asks for them.
MeshDistanceOptions distance_options(const ShapeSpec& spec, double cell_size, MeshStore& meshes) {
    MeshDistanceOptions options;
    if (spec.kind != ShapeKind::mesh) return options;
    constexpr double reach_cells = 3;
    constexpr double most = 100;  // voxels: of a mesh below two cells, beyond 1.5 of its diagonals its box will do
    const double diagonal = spec.scale * bounds(meshes.get(spec).mesh).diagonal();
    options.voxel_size = std::min(cell_size, diagonal / 64);
    options.band = std::clamp(std::ceil(reach_cells * cell_size / options.voxel_size), 3.0, most);
    options.far_cells = 32;
    return options;
}

template <int D>
std::shared_ptr<const Shape<D>> shape_of(const ShapeSpec& spec, const Scene& scene, const std::string& place,
                                         MeshStore& meshes) {
    return make_shape<D>(spec, meshes, place, distance_options(spec, scene.domain.cell_size(), meshes));
}

template <int D>
tidelock::Motion<D> motion_of(const Solid& solid) {
    const Motion& m = solid.motion;
    switch (m.type) {
        case MotionType::keyframes: {
            Keyframes<D> frames;
            frames.smooth = m.interpolation == Interpolation::smooth;
            for (const Keyframe& k : m.keyframes)
                frames.keys.push_back({k.time, {to_vec<D>(k.position), to_rotation<D>(k.rotation)}});
            return frames;
        }
        case MotionType::spin:
            if constexpr (D == 2)
                return SpinMotion<2>{Spin<2>(m.degrees_per_second * degree)};
            else
                return SpinMotion<3>{m.degrees_per_second * degree * to_vec<3>(m.axis)};
        case MotionType::oscillate:
            return Oscillation<D>{to_vec<D>(m.amplitude), m.frequency, m.phase_degrees * degree};
        case MotionType::constant:
            break;
    }
    return SteadyMotion<D>{to_twist<D>(solid.velocity, solid.angular_velocity)};
}

/// Puts a kinematic body where its motion begins, with the velocity that it begins with: the first time step is chosen
/// by it.
template <int D>
void start_motion(const Solid& solid, RigidBody<D>& body) {
    body.motion = motion_of<D>(solid);
    // The scene's oscillation is about its position; a Motion counts from where it starts.
    if (const auto* swing = std::get_if<Oscillation<D>>(&body.motion))
        body.start.position += sine(swing->phase) * swing->amplitude;
    constexpr double moment = 1e-5;  // [s], far below a step, far above rounding
    const Placement<D> first = place_at<D>(body.motion, body.start, 0);
    const Placement<D> next = place_at<D>(body.motion, body.start, moment);
    body.position = first.position;
    body.rotation = first.rotation;
    body.velocity = (next.position - first.position) / moment;
    body.angular_momentum = first.rotation.vector_to(next.rotation) / moment;
}

template <int D>
RigidBody<D> build_body(const Solid& solid, const Scene& scene, const std::string& place, MeshStore& meshes) {
    RigidBody<D> body;
    body.name = solid.name;
    body.type = solid.type == SolidType::rigid     ? BodyType::rigid
                : solid.type == SolidType::static_ ? BodyType::fixed
                                                   : BodyType::kinematic;
    const double skin = solid.shell ? shell_thickness_cells * scene.domain.cell_size() : 0;
    set_shape<D>(body, shape_of<D>(solid.shape, scene, place + ".shape", meshes), solid.density, skin,
                 {to_vec<D>(solid.position), to_rotation<D>(solid.rotation)}, place);
    body.friction = solid.friction;
    body.restitution = solid.restitution;
    if (body.type == BodyType::rigid) body.set_twist(to_twist<D>(solid.velocity, solid.angular_velocity));
    if (body.type == BodyType::kinematic) start_motion<D>(solid, body);
    return body;
}

template <int D>
tidelock::Pose<D> place_of(const Vector& position, const Rotation& rotation) {
    return {to_vec<D>(position), to_rotation<D>(rotation)};
}

template <int D>
SmokeParameters<D> build_smoke_parameters(const Scene& scene, MeshStore& meshes) {
    const Fluid& fluid = scene.fluid;
    SmokeParameters<D> p;
    p.fluid_density = fluid.density;
    p.transport = fluid.transport;
    p.ambient_temperature = fluid.ambient_temperature;
    p.lift_per_kelvin = fluid.buoyancy.temperature;
    p.weight_of_smoke = fluid.buoyancy.smoke;
    p.vorticity_confinement = fluid.vorticity_confinement;
    p.cooling = fluid.cooling;
    p.dissipation = fluid.dissipation;
    for (std::size_t i = 0; i < fluid.sources.size(); ++i) {
        const Source& from = fluid.sources[i];
        SmokeSource<D> source;
        source.shape = shape_of<D>(from.shape, scene, fmt::format("fluid.sources[{}].shape", i), meshes);
        source.pose = place_of<D>(from.position, from.rotation);
        source.smoke = from.smoke;
        source.temperature = from.temperature;
        if (from.velocity) source.velocity = to_vec<D>(*from.velocity);
        source.inflow = from.inflow;
        source.start = from.start;
        source.end = from.end;
        p.sources.push_back(std::move(source));
    }
    return p;
}

template <int D>
void add_initial_smoke(const Scene& scene, MeshStore& meshes, Simulation<D>& out) {
    Smoke<D>& smoke = out.world.smoke();
    const Grid<D>& grid = out.world.domain.grid;
    const Mask<D> nowhere(smoke.set(), MaskValue{0});
    for (std::size_t i = 0; i < scene.fluid.initial.size(); ++i) {
        const InitialFluid& from = scene.fluid.initial[i];
        SmokeSource<D> source;
        source.shape = shape_of<D>(from.shape, scene, fmt::format("fluid.initial[{}].shape", i), meshes);
        source.pose = place_of<D>(from.position, from.rotation);
        source.smoke = from.smoke;
        source.temperature = from.temperature;
        source.velocity = to_vec<D>(from.velocity);
        apply_source<D>(grid, source, nowhere, smoke, smoke.velocity);
    }
    if (scene.fluid.initial.empty() || out.world.solids.empty()) return;
    const auto interface =
        build_interface<D>(grid, smoke.set(), *standing_surfaces<D>(out.world.solids), InterfaceScheme::constraint);
    if (const std::ptrdiff_t carved = clear_solids<D>(interface.solid, smoke); carved > 0)
        out.notes.push_back(
            fmt::format("initial smoke lies inside solids: it was taken out of {} cells that solids fill", carved));
}

template <int D>
LiquidParameters<D> build_liquid_parameters(const Scene& scene, MeshStore& meshes) {
    const LiquidOptions& options = scene.fluid.liquid;
    LiquidParameters<D> p;
    p.density = scene.fluid.density;
    p.transport = options.transport;
    p.bubbles = options.bubbles == Bubbles::constraint;
    p.surface = options.surface;
    p.flip_share = options.flip_share;
    p.correction = options.volume_correction;
    for (std::size_t i = 0; i < scene.fluid.sources.size(); ++i) {
        const Source& from = scene.fluid.sources[i];
        PlacedSource<D> placed;
        placed.source.shape = shape_of<D>(from.shape, scene, fmt::format("fluid.sources[{}].shape", i), meshes);
        placed.source.velocity = to_vec<D>(from.velocity.value_or(Vector{}));
        placed.source.start = from.start;
        placed.source.end = from.end;
        placed.source.seed = 2 + i;
        placed.pose = place_of<D>(from.position, from.rotation);
        p.sources.push_back(std::move(placed));
    }
    for (std::size_t i = 0; i < options.drains.size(); ++i) {
        const Drain& from = options.drains[i];
        p.drains.push_back(
            {{shape_of<D>(from.shape, scene, fmt::format("fluid.drains[{}].shape", i), meshes), from.start, from.end},
             place_of<D>(from.position, from.rotation)});
    }
    return p;
}

/// A shape whose surface is that of a liquid: where it ends at a closed side of the domain, there is a wall and no
/// surface, so the distance is that to the rest. There it is asked for further inside, where the wall is not near.
template <int D>
DistanceFunction<D> open_to_walls(DistanceFunction<D> shape, const Grid<D>& grid, const Sides<D>& sides) {
    constexpr int cells = 8;  // more than any band of distances
    const double touch = 1e-6 * grid.dx;
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (sides.is_open(a, side)) continue;
            const double wall = side == 0 ? grid.origin[a] : grid.upper()[a];
            shape = [inner = std::move(shape), a, side, wall, touch, dx = grid.dx](const Vec<D>& x) {
                double d = inner(x);
                const double away = side == 0 ? x[a] - wall : wall - x[a];
                if (!(d < 0) || away > cells * dx || -d < away - touch) return d;
                Vec<D> y = x;
                y[a] = wall;
                if (inner(y) > touch) return d;
                for (int k = 1; k <= cells; ++k) {
                    y[a] = x[a] + (side == 0 ? k : -k) * dx;
                    d = std::min(d, inner(y));
                }
                return d;
            };
        }
    return shape;
}

template <int D>
void add_initial_liquid(const Scene& scene, const LiquidParameters<D>& parameters, MeshStore& meshes,
                        Simulation<D>& out) {
    struct Part {
        std::shared_ptr<const Shape<D>> shape;
        tidelock::Pose<D> pose;
        Vec<D> velocity;
        bool air;
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < scene.fluid.initial.size(); ++i) {
        const InitialFluid& from = scene.fluid.initial[i];
        parts.push_back({shape_of<D>(from.shape, scene, fmt::format("fluid.initial[{}].shape", i), meshes),
                         place_of<D>(from.position, from.rotation), to_vec<D>(from.velocity), from.air});
    }
    const Grid<D>& grid = out.world.domain.grid;
    const DistanceFunction<D> all = [&](const Vec<D>& x) {
        double least = std::numeric_limits<double>::max();
        for (const Part& part : parts) {
            const double d = part.shape->distance(part.pose.to_body(x));
            least = part.air ? std::max(least, -d) : std::min(least, d);
        }
        return least;
    };
    const std::ptrdiff_t carved =
        fill_liquid<D>(parameters, open_to_walls<D>(all, grid, out.world.domain.sides), out.world);
    for (const Part& part : parts) {
        if (part.air || part.velocity.isZero(0)) continue;
        const auto inside = [&](const Vec<D>& x) { return part.shape->distance(part.pose.to_body(x)) < grid.dx; };
        set_velocity<D>(inside, part.velocity, out.world);
    }
    if (carved > 0)
        out.notes.push_back(
            fmt::format("initial liquid lies inside solids: it was taken out of {} cells that solids fill", carved));
}

}  // namespace

template <int D>
Grid<D> build_grid(const Scene& scene) {
    Grid<D> grid;
    for (int a = 0; a < D; ++a) grid.cells[a] = scene.domain.cells[static_cast<std::size_t>(a)];
    grid.dx = scene.domain.cell_size();
    check_grid<D>(grid, "domain");
    return grid;
}

template <int D>
Sides<D> build_sides(const Scene& scene) {
    Sides<D> sides;
    for (std::size_t a = 0; a < D; ++a)
        for (std::size_t side = 0; side < 2; ++side)
            sides.open[a][side] = scene.domain.walls[2 * a + side] == Wall::open;
    return sides;
}

template <int D>
std::vector<RigidBody<D>> build_bodies(const Scene& as_given, MeshStore& meshes) {
    const Scene scene = placed_by_centre(as_given, meshes);
    std::vector<RigidBody<D>> bodies;
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        bodies.push_back(build_body<D>(scene.solids[i], scene, fmt::format("solids[{}]", i), meshes));
    return bodies;
}

/// Between the bodies as they stand at time 0.
template <int D>
std::vector<tidelock::Joint<D>> build_joints(const Scene& scene, const std::vector<RigidBody<D>>& bodies) {
    const auto index = [&](const std::string& name) {
        const auto found = std::find_if(bodies.begin(), bodies.end(), [&](auto& body) { return body.name == name; });
        return found != bodies.end() ? static_cast<int>(found - bodies.begin()) : -1;
    };
    std::vector<tidelock::Joint<D>> joints;
    for (const Joint& from : scene.joints) {
        const int a = index(from.bodies[0]), b = index(from.bodies[1]);
        const bool angle = turns(from.type);
        const Vec<D> anchor =
            has_anchor(from.type) ? to_vec<D>(from.anchor) : bodies[static_cast<std::size_t>(a)].position;
        const Vec<D> axis = D == 2 && angle ? Vec<D>(Vec<D>::Zero()) : to_vec<D>(from.axis);
        auto joint = make_joint<D>(from.type, a, b, anchor, axis, bodies);
        joint.name = from.name;
        const double scale = angle ? degree : 1;
        if (from.limits) joint.limits = {scale * (*from.limits)[0], scale * (*from.limits)[1]};
        if (from.motor && from.motor->speed) joint.motor = SpeedMotor{scale * *from.motor->speed, from.motor->most};
        if (from.motor && !from.motor->speed) joint.torque = from.motor->torque;
        joints.push_back(std::move(joint));
    }
    return joints;
}

template <int D>
Simulation<D> build_world(const Scene& as_given, MeshStore& meshes) {
    const Scene scene = placed_by_centre(as_given, meshes);
    Simulation<D> out;
    World<D>& world = out.world;
    world.domain = {build_grid<D>(scene), to_vec<D>(scene.gravity), build_sides<D>(scene)};
    for (auto& body : build_bodies<D>(scene, meshes)) world.solids.add(std::move(body));
    world.solids.joints = build_joints<D>(scene, world.solids.bodies);
    if (scene.fluid.kind == FluidKind::liquid) {
        auto liquid = build_liquid_parameters<D>(scene, meshes);
        add_initial_liquid<D>(scene, liquid, meshes, out);
        out.fluid = std::move(liquid);
        return out;
    }
    auto gas = build_smoke_parameters<D>(scene, meshes);
    world.fluid = make_smoke<D>(world.domain.grid, world.domain.sides, gas.ambient_temperature);
    add_initial_smoke<D>(scene, meshes, out);
    out.fluid = std::move(gas);
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                                \
    template Simulation<D> build_world(const Scene&, MeshStore&);              \
    template std::vector<RigidBody<D>> build_bodies(const Scene&, MeshStore&); \
    template Grid<D> build_grid(const Scene&);                                 \
    template Sides<D> build_sides(const Scene&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock::scene
