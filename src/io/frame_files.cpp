#include "io/frame_files.h"

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "couple/cut_surface.h"
#include "geometry/ply.h"
#include "io/body_surface.h"
#include "io/gltf.h"
#include "io/vdb.h"

namespace tidelock {

namespace {

constexpr double band_cells = 3;  ///< half width of the stored distances, as level sets have it

/// Below these, differences from the surrounding gas cannot be seen and would only fill the files.
constexpr double least_smoke = 1e-6;        // [-]
constexpr double least_temperature = 1e-3;  // [K]

/// Distance to the nearest solid, cut off beyond the band. Bricks that no surface is near hold one value.
template <int D>
Field<D, double> solid_distance(const World<D>& world) {
    const Grid<D>& grid = world.domain.grid;
    const double band = band_cells * grid.dx;
    Field<D, double> distance(world.velocity().set_ptr(), band);
    std::vector<Pose<D>> poses;
    for (const auto& body : world.solids.bodies) poses.push_back(body.pose());
    const auto to_body = [&](std::size_t i, const Vec<D>& x) {
        const auto& body = world.solids.bodies[i];
        const Vec<D> local = poses[i].to_body(x);
        return body.shell_thickness > 0 ? std::abs(body.shape->distance(local + body.shape_offset)) - 0.5 * grid.dx
                                        : body.distance(local);
    };
    const auto& set = world.velocity().set();
    parallel_for("solid distance", set.count(), [&](std::ptrdiff_t b) {
        const Vec<D> middle = grid.brick_centre(set.brick(b));
        const double reach = grid.brick_half_diagonal() + band;
        const Coord<D> corner = first_cell<D>(set.brick(b));
        double* out = distance.brick(b);
        for (std::size_t i = 0; i < world.solids.bodies.size(); ++i) {
            const double far = to_body(i, middle);
            if (far > reach) continue;
            for (int c = 0; c < Brick<D>::cells; ++c) {
                const double d = far < -reach ? -band : to_body(i, grid.cell_centre(corner + local_coord<D>(c)));
                out[c] = std::min(out[c], std::max(d, -band));
            }
        }
    });
    return distance;
}

GltfPose to_gltf(const Placement<2>& p) {
    const double half = 0.5 * p.rotation.angle();
    return {{p.position[0], p.position[1], 0}, {std::cos(half), 0, 0, std::sin(half)}};
}

GltfPose to_gltf(const Placement<3>& p) {
    const auto& q = p.rotation.quaternion();
    return {p.position, {q.w(), q.x(), q.y(), q.z()}};
}

/// glTF wants linear light; scenes give colours as they are displayed (IEC 61966-2-1).
float linear(double c) { return static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4)); }

template <int D, class Set>
void fill_cells(const Grid<D>& grid, const Centring<D>& centring, Field<D, double>& field, const Set& value) {
    const auto& set = field.set();
    const Coord<D> last = grid.last_index(centring);
    parallel_for("read frame", set.count(), [&](std::ptrdiff_t b) {
        const Coord<D> corner = first_cell<D>(set.brick(b));
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = corner + local_coord<D>(i);
            if ((cell.array() > last.array()).any()) continue;
            Coord3 voxel = Coord3::Zero();
            voxel.template head<D>() = cell;
            field.brick(b)[i] = value(voxel);
        }
    });
}

template <int D>
void write_liquid_frame(const World<D>& world, bool particles, const std::filesystem::path& file) {
    const Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const VdbGridOptions level_set{.grid_class = VdbClass::level_set, .background = band_cells * grid.dx, .unit = "m"};
    VdbGridOptions open_level_set = level_set;
    open_level_set.closed = false;
    VdbWriter writer;
    writer.add("surface", grid, liquid.phi, open_level_set);
    writer.add("pressure", grid, liquid.pressure, {.grid_class = VdbClass::unknown, .unit = "Pa"});
    writer.add("velocity", grid, liquid.velocity, {.grid_class = VdbClass::staggered, .unit = "m/s"});
    writer.add("solid", grid, solid_distance<D>(world), level_set);
    if (particles && liquid.particles.size() > 0)
        writer.add_points<D>("particles", grid, liquid.particles.position, liquid.particles.velocity);
    writer.write(file, static_cast<int>(world.clock.frame), world.clock.time);
}

const VdbGrid& need_grid(const VdbFile& vdb, const std::filesystem::path& file, const char* name) {
    const VdbGrid* found = vdb.find(name);
    if (found == nullptr) throw FileError(file, fmt::format("holds no grid '{}'", name));
    return *found;
}

template <int D>
void fill_velocity(const VdbGrid& from, const Grid<D>& grid, FaceField<D, double>& velocity) {
    for (int a = 0; a < D; ++a)
        fill_cells<D>(grid, Centring<D>::face(a), velocity[a], [&](const Coord3& v) { return double{from.at(v, a)}; });
}

}  // namespace

template <int D>
void write_surface(const World<D>& world, const Surface<D>& surface, const std::filesystem::path& file) {
    write_ply(file, surface,
              cut_surface_velocity<D>(std::span<const Vec<D>>(surface.points), world.domain.grid, world.velocity(),
                                      standing_surfaces<D>(world.solids.bodies)));
}

template <int D>
FrameFields<D> read_liquid_frame(const std::filesystem::path& file, const Grid<D>& grid) {
    const VdbFile vdb = read_vdb(file);
    const VdbGrid &surface = need_grid(vdb, file, "surface"), &velocity = need_grid(vdb, file, "velocity");
    const auto set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    FrameFields<D> out{grid,    {}, {}, Field<D, double>(set, band_cells * grid.dx), FaceField<D, double>(set, 0.0),
                       vdb.time};
    fill_cells<D>(grid, Centring<D>::cell(), out.phi, [&](const Coord3& v) { return double{surface.at(v)}; });
    fill_velocity<D>(velocity, grid, out.velocity);
    return out;
}

template <int D>
void write_vdb_frame(const World<D>& world, bool particles, const std::filesystem::path& file) {
    if (world.has_liquid()) return write_liquid_frame<D>(world, particles, file);
    const Smoke<D>& smoke = world.smoke();
    const Grid<D>& grid = world.domain.grid;
    const double ambient = smoke.temperature.background();
    VdbWriter writer;
    writer.add("density", grid, smoke.density, {.threshold = least_smoke});
    writer.add("temperature", grid, smoke.temperature,
               {.background = ambient, .threshold = least_temperature, .unit = "K"});
    writer.add("pressure", grid, smoke.pressure, {.grid_class = VdbClass::unknown, .unit = "Pa"});
    writer.add("velocity", grid, smoke.velocity, {.grid_class = VdbClass::staggered, .unit = "m/s"});
    writer.add("solid", grid, solid_distance<D>(world),
               {.grid_class = VdbClass::level_set, .background = band_cells * grid.dx, .unit = "m"});
    writer.write(file, static_cast<int>(world.clock.frame), world.clock.time);
}

template <int D>
FrameFields<D> read_vdb_frame(const std::filesystem::path& file, const Grid<D>& grid, const Sides<D>& sides,
                              double ambient_temperature) {
    const VdbFile vdb = read_vdb(file);
    const VdbGrid &density = need_grid(vdb, file, "density"), &temperature = need_grid(vdb, file, "temperature"),
                  &velocity = need_grid(vdb, file, "velocity");
    const auto set = smoke_bricks<D>(grid, sides);
    FrameFields<D> out{grid, Field<D, double>(set, 0.0),     Field<D, double>(set, ambient_temperature),
                       {},   FaceField<D, double>(set, 0.0), vdb.time};
    const auto cell = Centring<D>::cell();
    fill_cells<D>(grid, cell, out.density, [&](const Coord3& v) { return double{density.at(v)}; });
    fill_cells<D>(grid, cell, out.temperature, [&](const Coord3& v) { return double{temperature.at(v)}; });
    fill_velocity<D>(velocity, grid, out.velocity);
    return out;
}

template <int D>
GltfScene gltf_bodies(const scene::Scene& scene, const std::vector<RigidBody<D>>& bodies, const Grid<D>& grid,
                      const BodyTracks<D>& tracks) {
    GltfScene gltf;
    gltf.times = tracks.times;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        GltfBody body;
        body.name = bodies[i].name;
        if constexpr (D == 2)
            body.mesh = slab(body_surface<2>(bodies[i], grid, file_turn), grid.dx);
        else
            body.mesh = body_surface<3>(bodies[i], grid, file_turn);
        if (body.mesh.triangles.empty()) continue;
        const auto& c = scene.solids[i].colour;
        body.colour = {linear(c[0]), linear(c[1]), linear(c[2]), static_cast<float>(scene.solids[i].opacity)};
        const std::size_t poses = bodies[i].type == BodyType::fixed ? 1 : tracks.places.size();
        for (std::size_t k = 0; k < poses; ++k) body.track.push_back(to_gltf(tracks.places[k][i]));
        gltf.bodies.push_back(std::move(body));
    }
    return gltf;
}

template <int D>
void write_solids(const std::filesystem::path& file, const scene::Scene& scene, const std::vector<RigidBody<D>>& bodies,
                  const Grid<D>& grid, const BodyTracks<D>& tracks) {
    const GltfScene gltf = gltf_bodies<D>(scene, bodies, grid, tracks);
    if (!gltf.bodies.empty()) write_glb(file, gltf);
}

#define TIDELOCK_INSTANTIATE(D)                                                                                     \
    template void write_vdb_frame(const World<D>&, bool, const std::filesystem::path&);                             \
    template void write_surface(const World<D>&, const Surface<D>&, const std::filesystem::path&);                  \
    template FrameFields<D> read_liquid_frame(const std::filesystem::path&, const Grid<D>&);                        \
    template struct FrameFields<D>;                                                                                 \
    template FrameFields<D> read_vdb_frame(const std::filesystem::path&, const Grid<D>&, const Sides<D>&, double);  \
    template GltfScene gltf_bodies(const scene::Scene&, const std::vector<RigidBody<D>>&, const Grid<D>&,           \
                                   const BodyTracks<D>&);                                                           \
    template void write_solids(const std::filesystem::path&, const scene::Scene&, const std::vector<RigidBody<D>>&, \
                               const Grid<D>&, const BodyTracks<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
