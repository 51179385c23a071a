#include "scene/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/grid_size.h"
#include "scene/words.h"

namespace tidelock::scene {

namespace {

double norm(const Vector& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

template <int D>
BodySummary summarize_body(const Solid& solid, const Scene& scene, MeshStore& meshes) {
    BodySummary b;
    b.name = solid.name;
    b.type = solid.type;
    b.bounded = solid.shape.kind != ShapeKind::plane;
    if (!b.bounded) return b;
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
    return b;
}

std::string format_body(const BodySummary& b, bool plane) {
    const char* per_depth = plane ? "/m" : "";
    const char* volume_unit = plane ? "m^2" : "m^3";
    std::string text = fmt::format("  {} ({})\n", b.name, word_of(b.type));
    if (!b.bounded) return text + "    a half-space, without volume\n";
    text += fmt::format("    volume {:.6g} {}, displaces {:.6g} {}\n", b.volume, volume_unit, b.displaced, volume_unit);
    if (b.type != SolidType::rigid) return text;
    const auto& I = b.inertia;
    text += fmt::format("    mass {:.6g} kg{}\n", b.mass, per_depth);
    if (plane)
        text += fmt::format("    inertia {:.6g} kg m^2/m\n", I[0]);
    else
        text += fmt::format("    inertia [{:.6g} {:.6g} {:.6g}; {:.6g} {:.6g} {:.6g}; {:.6g} {:.6g} {:.6g}] kg m^2\n",
                            I[0], I[1], I[2], I[3], I[4], I[5], I[6], I[7], I[8]);
    // Equal to rounding: neither rises nor sinks.
    const bool floats = std::abs(b.net) <= 1e-9 * std::max(b.weight, b.buoyancy);
    text += fmt::format("    weight {:.6g} N{}, buoyancy {:.6g} N{}, net {:.6g} N{}: {}\n", b.weight, per_depth,
                        b.buoyancy, per_depth, floats ? 0.0 : b.net, per_depth,
                        floats      ? "hovers"
                        : b.net > 0 ? "sinks"
                                    : "rises");
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

SceneSummary summarize(const Scene& scene, const Limits& limits, MeshStore& meshes) {
    SceneSummary s;
    s.name = scene.name;
    s.dimension = scene.dimension;
    s.cells_per_axis = scene.domain.cells;
    s.cell_size = scene.domain.cell_size();
    const GridSize grid = grid_size(scene, limits.bytes_per_cell);
    s.cells = grid.cells;
    s.bricks = grid.bricks;
    s.bytes = grid.bytes;
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
    text += fmt::format("  {:.0f} cells in {:.0f} bricks, about {:.0f} MiB\n", s.cells, s.bricks,
                        std::ceil(s.bytes / 1048576));
    text += fmt::format("  {:.0f} frames, first time step about {:.3g} s\n", s.frames, s.first_step);
    if (!s.bodies.empty()) text += plane ? "solids, per metre of depth:\n" : "solids:\n";
    for (const BodySummary& b : s.bodies) text += format_body(b, plane);
    return text;
}

}  // namespace tidelock::scene
