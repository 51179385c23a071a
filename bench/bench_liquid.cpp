/// Cost of a liquid's particles: each stage of a step in nanoseconds per particle.
///
///   bench_liquid [--json FILE] [--quick] [--threads N] [--cpu-time]
///
/// A pool of about a million particles (--quick: 60 thousand) in space, stirred so that neighbours in memory are not
/// those of the seeding. Figures are the best of several repeats. --cpu-time divides processor time by threads, for a
/// machine that others use. Bar: all stages together below 1000 ns per particle on one thread.
#include <numbers>

#include "fluid/particle_motion.h"
#include "fluid/particle_seeding.h"
#include "fluid/particle_surface.h"
#include "fluid/particle_transfer.h"
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

}  // namespace
}  // namespace tidelock::bench

int main(int count, char** words) {
    using namespace tidelock::bench;
    return guarded(1, [&] {
        // The lower quarter of the cells is liquid.
        const BenchOptions full{.size = {80, 5}, .threads = 1};
        return run_bench("bench_liquid", BenchOptions::parse(count, words, full, {32, 2}), run);
    });
}
