/// Cost follows the liquid: whole steps of the same puddle in a small domain and in one eight times as long, wide and
/// high.
///
///   bench_puddle [--json FILE] [--quick] [--threads N]
///
/// A block of 48 x 24 x 48 cells of water collapses on the floor of 64^3 and of 512^3 cells (--quick: half of all
/// that along each axis), without reaching the walls of the smaller one. The domains take turns, each in a process of
/// its own, since memory that a turn has freed is kept for the next; seconds are those of the best turn's mean step,
/// memory is what a turn adds at its peak. Bars: 15 % in time, 25 % in memory; it fails above them. Beside them what a
/// copy of the state takes, and its hash (state/world_copy.h, state/world_hash.h).
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limits>
#include <stdexcept>

#include "base/parallel.h"
#include "base/timer.h"
#include "bench_common.h"
#include "pool.h"
#include "state/world_copy.h"
#include "state/world_hash.h"

namespace tidelock::bench {
namespace {

constexpr double dx = 0.01;  ///< [m]
constexpr int steps = 10, turns = 5;
constexpr double time_bar = 1.15, memory_bar = 1.25;

struct Cost {
    double seconds = std::numeric_limits<double>::infinity();  ///< per step
    double megabytes = std::numeric_limits<double>::infinity();
    double copy = std::numeric_limits<double>::infinity(), hash = std::numeric_limits<double>::infinity();  ///< [s]
    double state = 0;                                                                                       ///< [MB]
    std::ptrdiff_t bricks = 0, particles = 0;
};

/// Copies the state and hashes it.
void measure_state(const World<3>& world, Cost& cost) {
    double start = wall_seconds();
    const World<3> copy = clone(world);
    cost.copy = wall_seconds() - start;
    start = wall_seconds();
    if (hash_of(copy) != hash_of(world)) throw std::runtime_error("a copy is not what it is a copy of");
    cost.hash = 0.5 * (wall_seconds() - start);
    cost.state = static_cast<double>(bytes_of(copy)) / (1 << 20);
}

/// A turn of a domain with `extent` cells along each axis and a puddle as for one with `small`.
Cost measure(int extent, int small, LiquidSurface surface) {
    Cost cost;
    reset_peak_memory();
    const std::size_t before = resident_memory();
    Pool<3> pool(Coord3::Constant(extent), dx, LiquidTransport::apic, surface);
    const double middle = 0.5 * extent * dx, half = 0.375 * small * dx;
    pool.fill([=](const Vec3& x) {
        return std::max({std::abs(x[0] - middle) - half, x[1] - half, std::abs(x[2] - middle) - half});
    });
    (void)pool.step(0.005);  // which touches fresh memory
    const double start = wall_seconds();
    for (int n = 0; n < steps; ++n) (void)pool.step(0.005);
    cost.seconds = (wall_seconds() - start) / steps;
    cost.megabytes = static_cast<double>(peak_memory() - std::min(peak_memory(), before)) / (1 << 20);
    cost.bricks = pool.world().liquid().set()->count();
    cost.particles = pool.world().liquid().particles.size();
    measure_state(pool.world(), cost);
    return cost;
}

/// The same in a child; this process has not started a thread yet. Keeps the least.
void take_turn(int threads, int extent, int small, LiquidSurface surface, Cost& least) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no child process");
    if (child == 0) {
        const ThreadLimit limit(threads > 0 ? threads : thread_count());
        const Cost cost = measure(extent, small, surface);
        _exit(write(ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
    }
    close(ends[1]);
    Cost cost;
    const bool whole = read(ends[0], &cost, sizeof cost) == sizeof cost;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (!whole) throw std::runtime_error("a turn ended early");
    cost.seconds = std::min(cost.seconds, least.seconds);
    cost.megabytes = std::min(cost.megabytes, least.megabytes);
    cost.copy = std::min(cost.copy, least.copy);
    cost.hash = std::min(cost.hash, least.hash);
    least = cost;
}

/// True within the bars.
bool run(const Options& options) {
    const int small = options.quick ? 32 : 64, large = 8 * small;
    Table table({"surface", "cells", "bricks", "particles", "ms/step", "over the small", "MB", "over the small",
                 "state, MB", "copy, ms", "hash, ms"});
    std::vector<Json> results;
    bool within = true;
    struct Kind {
        const char* name;
        LiquidSurface surface;
    };
    for (const Kind& kind :
         {Kind{"particles", LiquidSurface::particles}, Kind{"particle-level-set", LiquidSurface::particle_level_set}}) {
        Cost in_small, in_large;
        for (int turn = 0; turn < turns; ++turn) {
            take_turn(options.threads, small, small, kind.surface, in_small);
            take_turn(options.threads, large, small, kind.surface, in_large);
        }
        for (const auto& [cells, cost] : {std::pair(small, in_small), std::pair(large, in_large)}) {
            const double time = cost.seconds / in_small.seconds, memory = cost.megabytes / in_small.megabytes;
            within = within && time <= time_bar && memory <= memory_bar;
            table.add({kind.name, fmt::format("{}^3", cells), fmt::format("{}", cost.bricks),
                       fmt::format("{}", cost.particles), fmt::format("{:.1f}", 1e3 * cost.seconds),
                       fmt::format("{:.3f}{}", time, time > time_bar ? " (above the bar)" : ""),
                       fmt::format("{:.1f}", cost.megabytes),
                       fmt::format("{:.3f}{}", memory, memory > memory_bar ? " (above the bar)" : ""),
                       fmt::format("{:.1f}", cost.state), fmt::format("{:.1f}", 1e3 * cost.copy),
                       fmt::format("{:.1f}", 1e3 * cost.hash)});
            results.push_back(Json()
                                  .set("surface", kind.name)
                                  .set("cells", cells)
                                  .set("seconds_per_step", cost.seconds)
                                  .set("time_over_small", time)
                                  .set("megabytes", cost.megabytes)
                                  .set("memory_over_small", memory)
                                  .set("state_megabytes", cost.state)
                                  .set("copy_seconds", cost.copy)
                                  .set("hash_seconds", cost.hash));
        }
    }
    fmt::print("The same puddle in two domains, {} steps, best of {} turns\n{}", steps, turns, table.text());
    if (!options.json.empty()) write_json(options.json, results);
    return within;
}

}  // namespace
}  // namespace tidelock::bench

int main(int argc, char** argv) {
    using namespace tidelock::bench;
    try {
        const Options options = parse_options(argc, argv);
        return run(options) ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
