/// Liquid that moves in containers keeps its volume, and no faster than it can be.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "pool.h"

namespace tidelock {
namespace {

struct Kind {
    LiquidTransport transport;
    LiquidSurface surface;
    const char* name;
};
const std::vector<Kind> all_kinds = {
    {LiquidTransport::apic, LiquidSurface::particles, "apic, particles"},
    {LiquidTransport::flip, LiquidSurface::particles, "flip, particles"},
    {LiquidTransport::apic, LiquidSurface::particle_level_set, "apic, particle-level-set"},
    {LiquidTransport::narrow_band_flip, LiquidSurface::particles, "narrow-band-flip"},
    {LiquidTransport::semi_lagrangian, LiquidSurface::particle_level_set, "semi-lagrangian"}};

/// What was seen while a column fell and collapsed in a cup of boxes.
struct Seen {
    double drift = 0;   ///< greatest, of the volume
    double speed = 0;   ///< greatest, over sqrt(2 g H) of the column's top above the cup's floor
    double energy = 0;  ///< of the particles, greatest over that of the beginning
};

/// The cup's room is 0.3 m wide, the column 0.12 m wide and 0.3 m high, and starts 0.05 m above the floor.
Seen collapse(int cells, const Kind& kind, DriftCorrection correction, double duration, double cfl = 3) {
    constexpr double floor = 0.3, top = 0.65, g = 9.81;
    Pool<2> pool(cells, kind.transport, kind.surface);
    pool.world().domain.sides.open[1][1] = true;
    pool.setup.cfl = cfl;
    pool.liquid.correction = correction;
    pool.add(std::make_shared<Box<2>>(Vec2(0.4, 0.05)), 1000, Vec2(0.5, floor - 0.025), BodyType::fixed);
    for (const double x : {0.325, 0.675})
        pool.add(std::make_shared<Box<2>>(Vec2(0.05, 0.5)), 1000, Vec2(x, 0.55), BodyType::fixed);
    pool.fill([](const Vec2& x) { return std::max(std::abs(x[0] - 0.5) - 0.06, std::abs(x[1] - 0.5) - 0.15); });
    const auto energy = [&] {
        const auto& particles = pool.world().liquid().particles;
        double sum = 0;
        for (std::size_t p = 0; p < particles.position.size(); ++p)
            sum += 0.5 * particles.velocity[p].squaredNorm() + g * (particles.position[p][1] - floor);
        return sum;
    };
    const double first = energy();
    Seen seen;
    while (pool.world().clock.time < duration) {
        const auto flow = pool.step(1.0 / 24).flow;
        seen.drift = std::max(seen.drift, std::abs(pool.world().liquid().ledger.drift()));
        seen.speed = std::max(seen.speed, flow.max_speed / std::sqrt(2 * g * (top - floor)));
        if (first > 0) seen.energy = std::max(seen.energy, energy() / first);
    }
    return seen;
}

// At the default steps and correction. Issue: within 0.5 %; it was off by 20 to 47 %.
TEST(MovingLiquid, ACollapseInACupKeepsItsVolume) {
    for (const Kind& kind : all_kinds)
        for (const int cells : {64, 96}) {
            const Seen seen = collapse(cells, kind, DriftCorrection::displacement, 0.6);
            EXPECT_LT(seen.drift, 0.005) << kind.name << ", " << cells << " cells";
        }
}

// Where particles are the liquid no correction is needed for most of it: what they lose is what of the splash is thinner
// than the level set can show.
TEST(MovingLiquid, ParticlesKeepTheirVolumeByThemselves) {
    for (const int cells : {64, 96})
        EXPECT_LT(collapse(cells, all_kinds[0], DriftCorrection::none, 0.3).drift, 0.03) << cells << " cells";
}

// A splash at a corner may be faster than what fell, by half and more where two jets meet, but not by a multiple. Films that climb
// the walls were flung up with 5 to 20 times as much when they stuck to the walls.
TEST(MovingLiquid, NothingIsFasterThanItCanBe) {
    for (const double cfl : {3.0, 1.0}) {
        const Seen seen = collapse(96, all_kinds[0], DriftCorrection::displacement, 0.35, cfl);
        EXPECT_LT(seen.speed, 2) << "cfl " << cfl;
        // Velocities have the step's gravity before it has moved anything: half of g v dt, at most with v = 1.2 m/s and a
        // frame's step, of g 0.2 m.
        EXPECT_LT(seen.energy, cfl > 1 ? 1.125 : 1.05) << "cfl " << cfl;
    }
}

// Two basins, of which one is calm while a column collapses in the other: what that loses it gets back itself.
TEST(MovingLiquid, CalmWaterPaysForNobody) {
    for (const Kind& kind : all_kinds) {
        Pool<2> pool(40, kind.transport, kind.surface);
        pool.world().domain.sides.open[1][1] = true;
        pool.setup.solver.tolerance = 1e-9;
        pool.add(std::make_shared<Box<2>>(Vec2(0.1, 2)), 1000, Vec2(0.5, 0.5), BodyType::fixed);
        pool.fill([](const Vec2& x) {
            const double calm = std::max(x[0] - 0.5, x[1] - 0.21), column = std::max(0.8 - x[0], x[1] - 0.6);
            return std::min(calm, column);
        });
        const auto left = [&] {
            const auto& phi = pool.world().liquid().phi;
            std::vector<double> levels;
            for (int i = 0; i < 18; ++i)
                for (int j = 6; j < 11; ++j) levels.push_back(phi.at(Coord2(i, j)));
            return levels;
        };
        const std::vector<double> before = left();
        double worst = 0;
        while (pool.world().clock.time < 0.4) {
            pool.step(1.0 / 24);
            worst = std::max(worst, std::abs(pool.world().liquid().ledger.drift()));
        }
        const std::vector<double> after = left();
        for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-7) << kind.name;
        EXPECT_GT(worst, 1e-4) << kind.name << ": there was something to pay for";
        EXPECT_LT(worst, 0.01) << kind.name;
    }
}

/// A column 0.4 m wide and 0.6 m high that collapses in a closed tank 1 m wide and high.
Pool<2> dam(int cells, const Kind& kind, double cfl) {
    Pool<2> pool(cells, kind.transport, kind.surface);
    pool.setup.cfl = cfl;
    pool.fill([](const Vec2& x) { return std::max(x[0] - 0.4, x[1] - 0.6); });
    return pool;
}

// Velocities are half a step ahead of positions: they have the step's gravity before it has moved anything. So the
// energy is that of the positions and the mean of the squares before and after. What a solve pushes into the air in front of a wall had
// less mass for it than its particles, and the energy of the column rose by 1.5 %; a thousandth or two is
// left of the time steps.
TEST(MovingLiquid, ABrokenDamGainsNoEnergy) {
    for (const Kind& kind : {all_kinds[0], all_kinds[1]}) {
        Pool<2> pool = dam(32, kind, 0.3);
        double first = 0, most = 0, kinetic_before = 0;
        while (pool.world().clock.time < 0.6) {
            const auto& particles = pool.world().liquid().particles;
            double kinetic = 0, potential = 0;
            for (std::size_t p = 0; p < particles.position.size(); ++p) {
                kinetic += 0.5 * particles.velocity[p].squaredNorm();
                potential += Pool<2>::g * particles.position[p][1];
            }
            if (first == 0) first = potential;
            most = std::max(most, potential + 0.5 * (kinetic + kinetic_before));
            kinetic_before = kinetic;
            pool.step(1.0 / 30);
        }
        EXPECT_LT(most, 1.004 * first) << kind.name;
    }
}

// An ideal fluid's front comes to the wall as a wedge of 34 degrees with 3.51 m/s (validation/ideal_column.h). The root of
// the jet goes up the wall with c, from c = U tan(34) if the wall only cut the wedge off to pi / 2 of it, what flat
// bodies have; in its frame the jet leaves as fast as the wedge comes, so that it has c + sqrt(U^2 + c^2): 1.87 to
// 2.52 U. Single tanks are a matter of chance; the mean of flip's was 2.7 U.
TEST(MovingLiquid, ASplashIsAsFastAsTheJetOfAnIdealFluid) {
    const double front = 3.51, root = front * std::tan(34 * std::numbers::pi / 180),
                 faster_root = 0.5 * std::numbers::pi * root;
    for (const Kind& kind : {all_kinds[0], all_kinds[1]}) {
        const std::vector<int> grids = {48, 64, 80, 96};
        double mean = 0;
        for (const int cells : grids) {
            Pool<2> pool = dam(cells, kind, 1);
            double most = 0;
            while (pool.world().clock.time < 0.37)  // before it comes to the lid
                most = std::max(most, pool.step(1.0 / 30).flow.max_speed);
            mean += most / static_cast<double>(grids.size());
        }
        EXPECT_GT(mean, root + std::hypot(front, root)) << kind.name;
        EXPECT_LT(mean, faster_root + std::hypot(front, faster_root)) << kind.name;
    }
}

// A source is full from the start, and then what it makes is its speed times its width. All of that is in the tank or has
// left it. A level set measures what a disc of five cells adds to it, particles are counted.
TEST(MovingLiquid, AJetIsAsMuchAsIsPoured) {
    for (const Kind& kind : all_kinds)
        for (const int cells : {48, 64}) {
            Pool<2> pool(cells, kind.transport, kind.surface);
            pool.world().domain.sides.open[1][1] = true;
            PlacedSource<2> placed;
            placed.source.shape = std::make_shared<Sphere<2>>(0.05);
            placed.source.velocity = Vec2(0, -2);
            placed.source.end = 0.5;
            placed.pose.position = Vec2(0.5, 0.85);
            pool.liquid.sources.push_back(placed);
            pool.fill([](const Vec2&) { return 1.0; });
            while (pool.world().clock.time < 0.5 - 1e-9) pool.step(std::min(1.0 / 30, 0.5 - pool.world().clock.time));
            while (pool.world().clock.time < 0.7) pool.step(1.0 / 30);
            const VolumeLedger& ledger = pool.world().liquid().ledger;
            const double right = std::numbers::pi * 0.05 * 0.05 + 0.1 * 2 * 0.5;
            const bool counted = kind.surface == LiquidSurface::particles;
            EXPECT_NEAR(ledger.poured, right, (counted ? 0.01 : 0.02) * right) << kind.name << ", " << cells;
            EXPECT_NEAR(ledger.present + ledger.drained, ledger.poured, 0.01 * ledger.poured)
                << kind.name << ", " << cells;
        }
}

}  // namespace
}  // namespace tidelock
