/// Cost of a liquid's particles: each stage of a step in nanoseconds per particle.
///
///   bench_liquid [--json FILE] [--quick] [--threads N] [--cpu-time]
///
/// A pool of about a million particles (--quick: 60 thousand) in space, stirred so that neighbours in memory are not
/// those of the seeding. Figures are the best of several repeats. --cpu-time divides processor time by threads, for a
/// machine that others use. Bar: all stages together below 1000 ns per particle on one thread.
///
/// "cup": the stages that ask where solids are, for about 7000 particles in a cup that is a mesh, ten cells across; then
/// the same particles without it. Bar: three times as much.
#include <numbers>

#include "couple/solid_obstacles.h"
#include "fluid/particle_motion.h"
#include "fluid/particle_seeding.h"
#include "fluid/particle_surface.h"
#include "fluid/particle_transfer.h"
#include "geometry/mesh_shape.h"
#include "report.h"

namespace tidelock::bench {
namespace {

Vec3 stirring(const Vec3& x) {
    constexpr double k = 4 * std::numbers::pi;
    return {std::sin(k * x[0]) * std::cos(k * x[2]), 0.2 * std::sin(k * x[1]) * std::cos(k * x[0]),
            -std::cos(k * x[0]) * std::sin(k * x[2])};
}

/// A pool that has been stirred for a few steps.
struct Pool {
    Grid<3> grid;
    Sides<3> sides;
    Particles<3> unsorted, particles;
    ParticleCells<3> cells;
    FaceField<3, double> u;
    double dt;

    explicit Pool(int extent) : grid{Coord3::Constant(extent), 1.0 / extent, Vec3::Zero()}, dt(0.5 * grid.dx) {
        particles = seed_particles<3>(
            grid, [](const Vec3& x) { return x[1] - 0.25; }, 1, true);
        for (int step = 0; step < 4; ++step) {
            if (step > 0) (void)move_particles<3>({grid, sides, u, dt}, {}, particles);
            unsorted = particles;
            cells = sort_particles<3>(grid, bricks_of_particles<3>(grid, particles.position, 5), particles);
            u = FaceField<3, double>(cells.set_ptr(), 0.0);
            for (int a = 0; a < 3; ++a)
                for (std::ptrdiff_t b = 0; b < cells.set().count(); ++b)
                    for (int i = 0; i < Brick<3>::cells; ++i) {
                        const Coord3 face = first_cell<3>(cells.set().brick(b)) + local_coord<3>(i);
                        u[a].brick(b)[i] = stirring(grid.position(face, Centring<3>::face(a)))[a];
                    }
        }
    }
};

void run(const BenchOptions& options, Report& report) {
    Pool pool(options.size.extent);
    const auto& grid = pool.grid;
    auto& particles = pool.particles;
    const auto n = static_cast<double>(particles.size());
    double sum = 0;
    const auto time = [&](auto&& f) { return best_seconds(options.size.repeats, options.clock(), f); };
    const auto add = [&](const char* stage, double seconds, bool counts) {
        report.add(stage, seconds / n * 1e9, "ns/particle");
        if (counts) sum += seconds / n * 1e9;
    };
    add("bricks", time([&] { (void)bricks_of_particles<3>(grid, pool.unsorted.position, 5); }), true);
    // Sorting what is sorted would be another problem: a copy each time, which is measured and taken off.
    Particles<3> copy;
    const double copying = time([&] { copy = pool.unsorted; });
    const double sorting = time([&] {
        copy = pool.unsorted;
        (void)sort_particles<3>(grid, pool.cells.set_ptr(), copy);
    });
    add("sort", sorting - copying, true);
    FaceMask<3> known(pool.cells.set_ptr());
    const auto to_grid = [&] { particles_to_grid<3>(grid, particles, pool.cells, nullptr, pool.u, known); };
    add("particles to grid, apic", time(to_grid), true);
    const auto surface = [&](ParticleSurface kind) {
        return time([&] { (void)surface_of_particles<3>(grid, particles, pool.cells, kind); });
    };
    add("surface, smooth", surface(ParticleSurface::smooth), true);
    extrapolate_layers(pool.u, known, 3);
    const auto to_particles = [&](const TransferOptions& scheme) {
        return time([&] { grid_to_particles<3>(grid, scheme, pool.u, &pool.u, nullptr, particles); });
    };
    add("grid to particles, apic", to_particles({}), true);
    const double motion = time([&] {
        auto points = particles.position;
        (void)move_points<3>({grid, pool.sides, pool.u, pool.dt}, {}, points);
    });
    add("motion", motion, true);
    report.add("all of them", sum, "ns/particle", sum < 1000 ? "below the bar of 1000" : "above the bar of 1000");
    add("other: surface, spheres", surface(ParticleSurface::spheres), false);
    particles.with_affine = false;
    add("other: particles to grid, flip", time(to_grid), false);
    add("other: grid to particles, flip", to_particles({.scheme = ParticleTransfer::flip}), false);
}

/// A cup that stands on y = 0.
TriangleMesh cup_mesh(double radius, double height, double wall) {
    const std::vector<Vec2> profile{{radius, 0}, {radius, height}, {radius - wall, height}, {radius - wall, wall}};
    constexpr int around = 64;
    const auto rings = static_cast<int>(profile.size());
    TriangleMesh mesh;
    mesh.points = {Vec3::Zero(), Vec3(0, wall, 0)};
    const auto at = [&](int ring, int k) { return 2 + ring * around + k % around; };
    for (const Vec2& p : profile)
        for (int k = 0; k < around; ++k) {
            const double angle = 2 * std::numbers::pi * k / around;
            mesh.points.emplace_back(p[0] * std::cos(angle), p[1], p[0] * std::sin(angle));
        }
    for (int k = 0; k < around; ++k) {
        mesh.triangles.push_back({0, at(0, k), at(0, k + 1)});
        for (int ring = 0; ring + 1 < rings; ++ring) {
            mesh.triangles.push_back({at(ring, k), at(ring + 1, k), at(ring, k + 1)});
            mesh.triangles.push_back({at(ring, k + 1), at(ring + 1, k), at(ring + 1, k + 1)});
        }
        mesh.triangles.push_back({1, at(rings - 1, k + 1), at(rings - 1, k)});
    }
    return mesh;
}

/// Little liquid in a cup.
void run_cup(const BenchOptions& options, Report& report) {
    const Grid<3> grid{Coord3(32, 32, 32), 0.025, Vec3::Zero()};
    const Sides<3> sides;
    const Vec3 foot(0.4, 0.2, 0.4);
    constexpr double radius = 0.17, wall = 0.04, fill = 0.26;
    std::vector<RigidBody<3>> bodies(1);
    const MeshDistanceOptions distances{0.01, 8, 32};
    const auto shape = std::make_shared<MeshShape>(cup_mesh(radius, 0.35, wall), distances);
    set_shape<3>(bodies[0], shape, 1000, 0, {foot + shape->mass_properties().centre, {}}, "cup");
    auto particles = seed_particles<3>(
        grid,
        [&](const Vec3& x) {
            const Vec3 from = x - foot;
            return std::max({std::hypot(from[0], from[2]) - (radius - wall) + 0.001, wall - from[1], from[1] - fill});
        },
        1, true);
    const auto cells = sort_particles<3>(grid, bricks_of_particles<3>(grid, particles.position, 5), particles);
    FaceField<3, double> u(cells.set_ptr(), 0.0), given(cells.set_ptr(), 0.0);
    u[1].fill(-0.3);
    FaceMask<3> known(cells.set_ptr());
    const auto n = static_cast<double>(particles.size());
    for (const bool solid : {true, false}) {
        const auto seconds = best_seconds(options.size.repeats, options.clock(), [&] {
            const auto obstacles = standing_obstacles<3>(grid, cells.set(), standing_surfaces<3>(bodies));
            const Obstacles<3>* seen = solid ? &obstacles : nullptr;
            particles_to_grid<3>(grid, particles, cells, seen, given, known);
            grid_to_particles<3>(grid, {}, u, nullptr, seen, particles);
            auto points = particles.position;
            (void)move_points<3>({grid, sides, u, 0.02, seen}, {}, points);
        });
        report.add(solid ? "cup: to grid, to particles, motion" : "the same without the cup", seconds / n * 1e9,
                   "ns/particle");
    }
}

}  // namespace
}  // namespace tidelock::bench

int main(int count, char** words) {
    using namespace tidelock::bench;
    return guarded(1, [&] {
        // The lower quarter of the cells is liquid.
        const BenchOptions full{.size = {80, 5}, .threads = 1};
        return run_bench("bench_liquid", BenchOptions::parse(count, words, full, {32, 2}),
                         [](const BenchOptions& options, Report& report) {
                             run(options, report);
                             run_cup(options, report);
                         });
    });
}
