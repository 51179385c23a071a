/// Seconds per step of many bodies in contact: spheres poured into a bin, until they rest.
///
///   bench_contact [SPHERES] [STEPS] [THREADS]      1000 spheres, 600 steps of 5 ms, all threads
///
/// Fails if the kinetic energy ever exceeds what gravity gave (an explosion).
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/parallel.h"
#include "base/random.h"
#include "base/timer.h"
#include "solid/contact_motion.h"

namespace tidelock::bench {
namespace {

constexpr double radius = 0.05, gravity = 9.81, dt = 0.005;
constexpr int across = 10;  ///< spheres along each edge of a layer

std::vector<RigidBody<3>> spheres(int count) {
    RigidBody<3> one;
    one.name = "sphere";
    set_shape<3>(one, std::make_shared<Sphere<3>>(radius), 1000, 0, {}, "sphere");
    one.friction = 0.3;
    one.restitution = 0.2;
    const Random random(3);
    std::vector<RigidBody<3>> bodies(static_cast<std::size_t>(count), one);
    for (int i = 0; i < count; ++i) {
        const int column = i % across, row = i / across % across, layer = i / (across * across);
        const Vec3 lattice(column + 0.5, layer + 0.6, row + 0.5);
        bodies[static_cast<std::size_t>(i)].position =
            2.3 * radius * lattice + 0.1 * radius * random.point<3>(static_cast<std::uint64_t>(i));
    }
    return bodies;
}

double potential(const std::vector<RigidBody<3>>& bodies) {
    double sum = 0;
    for (const auto& b : bodies) sum += b.mass * gravity * b.position[1];
    return sum;
}

/// What gravity has given since the potential energy was `start` [J].
double given(const std::vector<RigidBody<3>>& bodies, double start) { return start - potential(bodies); }

double kinetic(const std::vector<RigidBody<3>>& bodies) {
    double sum = 0;
    for (const auto& b : bodies) sum += b.kinetic_energy();
    return sum;
}

int run(int count, int steps) {
    auto bodies = spheres(count);
    const double width = 2.3 * radius * across, start = potential(bodies);
    WallBox<3> walls;
    walls.box = {Vec3::Zero(), Vec3(width, 1000, width)};
    for (auto& axis : walls.closed) axis = {true, true};
    ContactOptions options;
    options.distances = {1e-3, 1e-3};
    options.longest_move = radius;
    options.resting_speed = options.solver.least_speed = gravity * dt;
    std::vector<ContactMemory<3>> memory;
    const JointGroups<3> no_joints;
    double seconds = 0, slowest = 0, deepest = 0;
    for (int s = 1; s <= steps; ++s) {
        const double begin = wall_seconds();
        const auto report =
            advance_bodies<3>(bodies, {walls, options, no_joints}, -gravity * Vec3::UnitY(), s * dt, dt, memory);
        const double took = wall_seconds() - begin;
        seconds += took;
        slowest = std::max(slowest, took);
        deepest = std::max(deepest, report.max_penetration);
        if (kinetic(bodies) > given(bodies, start) + 1e-6 * start) {
            fmt::print("step {}: kinetic energy {} J, but only {} J were lost\n", s, kinetic(bodies),
                       given(bodies, start));
            return EXIT_FAILURE;
        }
        if (s % 50 == 0)
            fmt::print("step {:4}: {:6.2f} ms, {:5} pairs touch, {:3} sweeps, kinetic energy {:.3g} of {:.3g} J lost\n",
                       s, 1e3 * took, report.contacts, report.solve.sweeps, kinetic(bodies), start - potential(bodies));
    }
    fmt::print("{} spheres, {} threads: {:.4f} s a step, slowest {:.4f} s; deepest overlap {:.2g} of a radius\n", count,
               thread_count(), seconds / steps, slowest, deepest / radius);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace tidelock::bench

int main(int argc, char** argv) {
    const auto number = [&](int i, int otherwise) { return argc > i ? std::max(1, std::atoi(argv[i])) : otherwise; };
    const tidelock::ThreadLimit limit(number(3, tidelock::thread_count()));
    return tidelock::bench::run(number(1, 1000), number(2, 600));
}
