/// A standing wave carried by all particles and by those of a band only.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/fractions.h"
#include "grid/interpolate.h"
#include "pool.h"

namespace tidelock {
namespace {

constexpr double wave = 0.05, depth = 0.5, wave_number = std::numbers::pi;  // [m], [m], [1/m]

/// Chance in the level of seeded particles: those of a column at the surface are there with the share of their part that is
/// liquid, two parts of h^2 / 4 each, which is 0.144 h of its height; of a wave over N columns sqrt(2 / N) of that [m].
double seeding_chance(int cells) { return 0.144 / cells * std::sqrt(2.0 / cells); }

Pool<2> tank_with_wave(LiquidTransport transport, int cells = 48) {
    Pool<2> pool(cells, transport, LiquidSurface::particles);
    pool.fill([](const Vec2& x) { return x[1] - depth - wave * std::cos(wave_number * x[0]); });
    return pool;
}

/// Above that of the tank at rest, per density [m^4/s^2]: half of g height^2, column by column.
double potential_energy(const World<2>& world) {
    const Grid<2>& grid = world.domain.grid;
    Sampler<2, double> phi(world.liquid().phi, Centring<2>::cell(), grid);
    double squares = 0, sum = 0;
    for (int x = 0; x < grid.cells[0]; ++x) {
        double height = 0;
        for (int y = 0; y < grid.cells[1]; ++y)
            height += grid.dx * cell_fraction<2>([&](const Vec2& p) { return phi.linear(p); }, Vec2(x, y), 1.0);
        squares += 0.5 * Pool<2>::g * height * height * grid.dx;
        sum += height * grid.dx;
    }
    return squares - 0.5 * Pool<2>::g * sum * sum;
}

void step_to(double time, Pool<2>& pool) {
    while (pool.world().clock.time < time - 1e-12) pool.step(time - pool.world().clock.time);
}

// One period, omega^2 = g k tanh(k depth). The band holds a sixth of the depth, so that most of the motion is the
// grid's, whose scheme is the only difference. First-order transport over the way 4 a that the liquid makes in a period
// would take (k h)^2 / 2 (4 a / h) of the velocity for each axis, 4 % of the energy at k h = pi / 48; the scheme here
// is of second order. The energies differ by no more, relative to that of the wave.
TEST(StandingWave, NarrowBandKeepsThePotentialEnergyOfFullFlip) {
    const double omega = std::sqrt(Pool<2>::g * wave_number * std::tanh(wave_number * depth));
    constexpr int steps = 64;
    const double start = 0.25 * Pool<2>::g * wave * wave;
    auto full = tank_with_wave(LiquidTransport::flip), banded = tank_with_wave(LiquidTransport::narrow_band_flip);
    const auto few = [&] {
        return 4 * banded.world().liquid().particles.size() < full.world().liquid().particles.size();
    };
    double worst = 0, least = start, last = 0;
    for (int s = 1; s <= steps; ++s) {
        const double time = s * 2 * std::numbers::pi / omega / steps;
        step_to(time, full), step_to(time, banded);
        last = potential_energy(banded.world());
        worst = std::max(worst, std::abs(potential_energy(full.world()) - last));
        least = std::min(least, last);
    }
    EXPECT_TRUE(few());
    EXPECT_LT(worst, (0.04 + 2 * 2 * seeding_chance(48) / wave) * start);
    EXPECT_LT(least, 0.1 * start) << "the wave must have passed through the level";
    EXPECT_GT(last, 0.7 * start) << "and come back";
}

// Half a period later it is as high on the other side: neither what faces weigh nor where particles crowd may act on a
// smooth flow. Bound: what transport takes in as many steps (1 % of the energy) and twice the chance in the level. Faces as
// heavy as their particles, however those lay, took 5 %.
TEST(StandingWave, OfParticlesIsAsHighOnTheOtherSide) {
    const double omega = std::sqrt(Pool<2>::g * wave_number * std::tanh(wave_number * depth));
    constexpr int cells = 96, steps = 64;
    const double start = 0.25 * Pool<2>::g * wave * wave;
    for (const auto transport : {LiquidTransport::apic, LiquidTransport::flip}) {
        auto pool = tank_with_wave(transport, cells);
        double most = 0;
        for (int s = 1; s <= steps * 5 / 8; ++s) {
            step_to(s * 2 * std::numbers::pi / omega / steps, pool);
            if (s > steps * 3 / 8) most = std::max(most, potential_energy(pool.world()));
        }
        EXPECT_NEAR(most, start, (0.01 + 2 * 2 * seeding_chance(cells) / wave) * start)
            << "transport " << static_cast<int>(transport);
    }
}

}  // namespace
}  // namespace tidelock
