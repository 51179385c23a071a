#include "scene/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/mesh_origin.h"
#include "scene/mesh_scale.h"
#include "scene/words.h"

namespace tidelock::scene {

namespace {

double norm(const Vector& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// The mesh as its file has it, and how it is placed.
std::string mesh_text(const ShapeSpec& s, MeshStore& meshes) {
    if (s.kind != ShapeKind::mesh) return {};
    const MeshEntry& entry = meshes.get(s);
    const Vec3 from_centre = -s.scale * entry.centre, size = bounds(entry.mesh).size();
    return fmt::format(
        "{:.4g} x {:.4g} x {:.4g} in the file, scale {}; the file's origin is [{:.4g}, {:.4g}, {:.4g}] m from "
        "the centre of mass (\"origin\": \"mesh\" places by it)",
        size[0], size[1], size[2], s.scale, from_centre[0], from_centre[1], from_centre[2]);
}

/// Share of a body's surface that is in the liquid at the start.
template <int D>
double wet_share(const Solid& solid, const Scene& scene, MeshStore& meshes) {
    std::vector<std::shared_ptr<const Shape<D>>> shapes;
    for (const InitialFluid& part : scene.fluid.initial) shapes.push_back(make_shape<D>(part.shape, meshes, "shape"));
    const auto is_wet = [&](const Vec<D>& x) {
        bool wet = false;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const InitialFluid& part = scene.fluid.initial[i];
            const Pose<D> pose = pose_of<D>(part.position, part.rotation);
            if (shapes[i]->distance(pose.rotation.transpose() * (x - pose.position)) < 0) wet = !part.air;
        }
        return wet;
    };
    const Pose<D> pose = pose_of<D>(solid.position, solid.rotation);
    double wet = 0;
    const auto points = surface_points<D>(solid.shape, meshes);
    for (const Vec<D>& p : points) wet += is_wet(pose.rotation * p + pose.position);
    return points.empty() ? 0 : wet / static_cast<double>(points.size());
}

/// What becomes of a rigid body once nothing else holds it.
template <int D>
std::string fate_of(const BodySummary& b, const Solid& solid, const Scene& scene, MeshStore& meshes) {
    // Equal to rounding: neither rises nor sinks.
    const bool even = std::abs(b.net) <= 1e-9 * std::max(b.weight, b.buoyancy);
    if (scene.fluid.kind == FluidKind::smoke) return even ? "hovers" : b.net > 0 ? "sinks" : "rises";
    std::string text = solid.shell ? "sinks: a shell lets the liquid in"
                       : even      ? "hovers"
                       : b.net > 0 ? "sinks"
                                   : fmt::format("floats, {:.2g} % under", 100 * b.density_ratio);
    const double wet = wet_share<D>(solid, scene, meshes);
    return text + (wet == 0  ? "; starts in the air"
                   : wet < 1 ? "; starts at the surface"
                             : "; starts under the surface");
}

template <int D>
BodySummary summarize_body(const Solid& solid, const Scene& scene, MeshStore& meshes) {
    BodySummary b;
    b.name = solid.name;
    b.type = solid.type;
    b.bounded = solid.shape.kind != ShapeKind::plane;
    if (!b.bounded) return b;
    b.size = size_text<D>(placed_bounds<D>(solid.shape, pose_of<D>(solid.position, solid.rotation), meshes).size());
    b.mesh = mesh_text(solid.shape, meshes);
    const MassProperties<D> unit = shape_mass<D>(solid.shape, meshes);
    const double g = norm(scene.gravity);
    b.volume = unit.volume;
    b.displaced = solid.shell ? 0 : unit.volume;
    b.buoyancy = scene.fluid.density * b.displaced * g;
    if (solid.type != SolidType::rigid) return b;
    b.mass = solid.density * unit.volume;
    std::size_t entry = 0;
    for (int i = 0; i < rotation_dof<D>; ++i)
        for (int j = 0; j < rotation_dof<D>; ++j) b.inertia[entry++] = solid.density * unit.inertia(i, j);
    b.weight = b.mass * g;
    b.net = b.weight - b.buoyancy;
    b.density_ratio = solid.density / scene.fluid.density;
    b.fate = fate_of<D>(b, solid, scene, meshes);
    return b;
}

std::string format_body(const BodySummary& b, bool plane, bool liquid) {
    const char* per_depth = plane ? "/m" : "";
    const char* volume_unit = plane ? "m^2" : "m^3";
    std::string text = fmt::format("  {} ({})\n", b.name, word_of(b.type));
    if (!b.bounded) return text + "    a half-space, without volume\n";
    text += fmt::format("    size {}\n", b.size);
    if (!b.mesh.empty()) text += fmt::format("    mesh {}\n", b.mesh);
    text += fmt::format("    volume {:.6g} {}, displaces {:.6g} {}\n", b.volume, volume_unit, b.displaced, volume_unit);
    if (b.type != SolidType::rigid) return text;
    const auto& I = b.inertia;
    text += fmt::format("    mass {:.6g} kg{}, {:.4g} times as dense as the {}\n", b.mass, per_depth, b.density_ratio,
                        liquid ? "liquid" : "gas");
    if (plane)
        text += fmt::format("    inertia {:.6g} kg m^2/m\n", I[0]);
    else
        text += fmt::format("    inertia [{:.6g} {:.6g} {:.6g}; {:.6g} {:.6g} {:.6g}; {:.6g} {:.6g} {:.6g}] kg m^2\n",
                            I[0], I[1], I[2], I[3], I[4], I[5], I[6], I[7], I[8]);
    text += fmt::format("    weight {:.6g} N{}, {} {:.6g} N{}: {}\n", b.weight, per_depth,
                        liquid ? "buoyancy where it is under" : "buoyancy", b.buoyancy, per_depth, b.fate);
    return text;
}

}  // namespace

double estimate_first_step(const Scene& scene) {
    const double frame = 1 / scene.time.fps;
    if (scene.time.step) return std::min(*scene.time.step, frame);
    double speed = 0;
    for (const InitialFluid& i : scene.fluid.initial) speed = std::max(speed, norm(i.velocity));
    for (const Source& s : scene.fluid.sources)
        if (s.start <= 0 && s.velocity) speed = std::max(speed, norm(*s.velocity));
    for (const Solid& s : scene.solids) speed = std::max(speed, norm(s.velocity));
    const double way = scene.time.cfl * scene.domain.cell_size();
    const double g = norm(scene.gravity);
    // (speed + g dt) dt = way, in the form that does not cancel.
    const double root = speed + std::sqrt(speed * speed + 4 * g * way);
    return root > 0 ? std::min(frame, 2 * way / root) : frame;
}

SceneSummary summarize(const Scene& as_given, MeshStore& meshes) {
    const Scene scene = placed_by_centre(as_given, meshes);
    SceneSummary s;
    s.liquid = scene.fluid.kind == FluidKind::liquid;
    s.name = scene.name;
    s.dimension = scene.dimension;
    s.cells_per_axis = scene.domain.cells;
    s.cell_size = scene.domain.cell_size();
    s.memory = estimate_memory(scene, meshes);
    s.memory_text = format(s.memory, scene);
    s.cells = s.memory.cells;
    s.bricks = s.memory.bricks;
    s.first_step = estimate_first_step(scene);
    s.frames = std::floor(scene.time.duration * scene.time.fps + 1e-9);
    for (const Solid& solid : scene.solids)
        s.bodies.push_back(scene.dimension == 2 ? summarize_body<2>(solid, scene, meshes)
                                                : summarize_body<3>(solid, scene, meshes));
    return s;
}

std::string format(const SceneSummary& s) {
    const bool plane = s.dimension == 2;
    const std::string axes =
        plane ? fmt::format("{} x {}", s.cells_per_axis[0], s.cells_per_axis[1])
              : fmt::format("{} x {} x {}", s.cells_per_axis[0], s.cells_per_axis[1], s.cells_per_axis[2]);
    std::string text = fmt::format("{}: {}D, {} cells of {:.6g} m\n", s.name, s.dimension, axes, s.cell_size);
    text += fmt::format("  {:.0f} cells in {:.0f} bricks\n  {}\n", s.cells, s.bricks, s.memory_text);
    text += fmt::format("  {:.0f} frames, first time step about {:.3g} s\n", s.frames, s.first_step);
    if (!s.bodies.empty()) text += plane ? "solids, per metre of depth:\n" : "solids:\n";
    for (const BodySummary& b : s.bodies) text += format_body(b, plane, s.liquid);
    return text;
}

}  // namespace tidelock::scene
