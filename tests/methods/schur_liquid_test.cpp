/// Liquids with free surfaces, step after step: numerics/cases 2, 4; rest, volume, leaks, bits.
#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "base/random.h"
#include "pool.h"
#include "stage/measures.h"
#include "state/world_copy.h"
#include "state/world_hash.h"

namespace tidelock {
namespace {

constexpr double g = 9.81;

struct Kind {
    LiquidTransport transport;
    LiquidSurface surface;
};
const std::vector<Kind> kinds = {{LiquidTransport::apic, LiquidSurface::particles},
                                 {LiquidTransport::apic, LiquidSurface::particle_level_set},
                                 {LiquidTransport::flip, LiquidSurface::particles},
                                 {LiquidTransport::narrow_band_flip, LiquidSurface::particles},
                                 {LiquidTransport::semi_lagrangian, LiquidSurface::particle_level_set}};

/// Speed over sqrt(g H) after some steps of a filled pool.
template <int D>
double unrest(Pool<D>& pool, double level, int steps) {
    pool.setup.solver.tolerance = 1e-9;
    pool.fill_to(level);
    double speed = 0;
    for (int n = 0; n < steps; ++n) speed = pool.step(0.01).flow.max_speed;
    return speed / std::sqrt(g * level);
}

// Issue: speed below 1e-6 sqrt(g H) after 100 steps, with obstacles through the surface and below it.
TEST(SchurLiquid, APoolWithObstaclesRests) {
    for (const auto& [transport, surface] : kinds) {
        Pool<2> pool(32, transport, surface);
        pool.add(std::make_shared<Sphere<2>>(0.12), 1000, Vec2(0.31, 0.22), BodyType::fixed);
        pool.add(std::make_shared<Box<2>>(Vec2(0.2, 0.5)), 1000, Vec2(0.7, 0.45), BodyType::fixed, 0.3);
        EXPECT_LT(unrest<2>(pool, 0.4137, 100), 1e-6);
        EXPECT_LT(std::abs(pool.world().liquid().ledger.drift()), 1e-6);
    }
}

// The same with solids, levels and cells as they come: solids that just touch the surface, or lie along it, or hang a
// little above it. (Where water covers a level solid by less than particles are apart, they do not know of it: one such
// tank in a hundred.)
TEST(SchurLiquid, APoolRestsWhateverTheSolids) {
    const Random random(5);
    for (std::uint64_t k = 0; k < 25; ++k) {
        const auto draw = [&](int i) { return random.uniform(16 * k + static_cast<std::uint64_t>(i)); };
        const int cells = 20 + static_cast<int>(30 * draw(0));
        const auto& [transport, surface] = kinds[k % kinds.size()];
        Pool<2> pool(cells, transport, surface);
        pool.liquid.seed = k;
        pool.add(std::make_shared<Sphere<2>>(0.06 + 0.1 * draw(2)), 1000,
                 Vec2(0.2 + 0.2 * draw(3), 0.2 + 0.4 * draw(4)), BodyType::fixed);
        pool.add(std::make_shared<Box<2>>(Vec2(0.1 + 0.15 * draw(5), 0.2 + 0.4 * draw(6))), 1000,
                 Vec2(0.65 + 0.2 * draw(7), 0.35 + 0.2 * draw(8)), BodyType::fixed, 3 * draw(9));
        EXPECT_LT(unrest<2>(pool, 0.3 + 0.4 * draw(1), 30), 1e-6) << "tank " << k << ", " << cells << " cells";
    }
}

// In space; the sphere's surface passes within 0.0003 cells of the centres of some cells, which see nothing then.
TEST(SchurLiquid, APoolInSpaceRests) {
    for (const auto& [transport, surface] : {kinds[0], kinds[1]}) {
        Pool<3> pool(24, transport, surface);
        pool.add(std::make_shared<Sphere<3>>(0.12), 1000, Vec3(0.31, 0.22, 0.31), BodyType::fixed);
        pool.add(std::make_shared<Box<3>>(Vec3(0.2, 0.5, 0.2)), 1000, Vec3(0.7, 0.45, 0.7), BodyType::fixed);
        EXPECT_LT(unrest<3>(pool, 0.4105, 10), 1e-6);
    }
}

// numerics/cases 2: a box that falls in from a little above floats at last with its draft.
TEST(SchurLiquid, ABoxComesToItsDraft) {
    constexpr double ratio = 0.5, edge = 0.25, level = 0.5;
    Pool<2> pool(32, LiquidTransport::apic, LiquidSurface::particle_level_set);
    pool.liquid.correction = DriftCorrection::divergence;
    pool.add(std::make_shared<Box<2>>(Vec2(edge, edge)), ratio * 1000, Vec2(0.503, level + 0.03), BodyType::rigid);
    pool.fill_to(level);
    // What the box pushes aside raises the level.
    const double volume = pool.world().liquid().ledger.expected;
    const double rest = volume + ratio * edge * edge;
    double sum = 0, weight = 0;
    while (pool.world().clock.time < 6) {
        pool.step(0.02);
        if (pool.world().clock.time > 3) sum += pool.world().solids.bodies[0].position[1], weight += 1;
    }
    const double draft = rest - (sum / weight - 0.5 * edge);
    EXPECT_NEAR(draft / edge, ratio, 0.02);
}

// numerics/coupling 6, numerics/surface 4: what fluid and bodies gain is what the sides gave, wherever in its cells the surface
// is and however it moves.
TEST(SchurLiquid, KeepsTheMomentum) {
    for (const double level : {0.41, 0.4137, 0.43}) {
        Pool<2> pool(32, LiquidTransport::apic, LiquidSurface::particles);
        pool.setup.observer.momentum = true;
        pool.add(std::make_shared<Sphere<2>>(0.1), 300, Vec2(0.4, 0.3), BodyType::rigid);
        pool.fill_to(level);
        for (int n = 0; n < 5; ++n)
            EXPECT_LT(pool.step(0.01).momentum.value().share(), 1e-10) << level << ", step " << n;
    }
}

// Issue: what lies under water stays there. In the first step, too, contact must know of the lift that is to come:
// without that the boxes jump by 0.2 cells. A surface of particles trembles, and shakes them later.
TEST(SchurLiquid, AStackUnderWaterRests) {
    for (const auto surface : {LiquidSurface::particles, LiquidSurface::particle_level_set}) {
        Pool<3> pool(24, LiquidTransport::apic, surface);
        const double dx = pool.world().domain.grid.dx, edge = 0.25, step = edge + 0.01 * dx;
        std::vector<Vec3> places;
        for (int n = 0; n < 3; ++n) {
            places.emplace_back(0.5, 0.01 * dx + 0.5 * edge + n * step, 0.5);
            auto& box = pool.add(std::make_shared<Box<3>>(Vec3::Constant(edge)), 2400, places.back(), BodyType::rigid);
            box.friction = 0.6;
        }
        pool.fill_to(0.73);  // the uppermost one is half wet
        double farthest = 0;
        for (int n = 0; n < (surface == LiquidSurface::particles ? 2 : 12); ++n) {
            pool.step(0.05);
            for (std::size_t i = 0; i < places.size(); ++i)
                farthest = std::max(farthest, (pool.world().solids.bodies[i].position - places[i]).norm());
        }
        EXPECT_LT(farthest, 0.05 * dx);
    }
}

// Water falls into a cup of boxes: no face, in walls or in the air, is faster than the fluid that is reported, nor is a
// particle. What passes a slit of a face used to be its velocity: 13 m/s where the fluid had 1.5.
TEST(SchurLiquid, NoFaceIsFasterThanTheFluid) {
    Pool<2> pool(48, LiquidTransport::apic, LiquidSurface::particles);
    pool.add(std::make_shared<Box<2>>(Vec2(0.4, 0.05)), 1000, Vec2(0.5, 0.275), BodyType::fixed);
    for (const double x : {0.325, 0.675})
        pool.add(std::make_shared<Box<2>>(Vec2(0.05, 0.5)), 1000, Vec2(x, 0.55), BodyType::fixed);
    pool.fill([](const Vec2& x) { return std::max(std::abs(x[0] - 0.5) - 0.13, std::abs(x[1] - 0.47) - 0.15); });
    while (pool.world().clock.time < 0.4) {
        const double reported = pool.step(1.0 / 24).flow.max_speed;
        EXPECT_LE(largest_speed<2>(pool.world().liquid().velocity, {}), 1.2 * reported)
            << pool.world().clock.time << " s";
        for (const Vec2& v : pool.world().liquid().particles.velocity) EXPECT_LE(v.norm(), 1.2 * reported);
    }
}

/// A cup of water with walls one cell thick, carried up, down and sideways on cells of 1 / n.
template <int D>
void carry_cup(int n, LiquidSurface surface, int steps) {
    constexpr double floor = 0.3, height = 0.4, half_width = 0.2;
    Pool<D> pool(n, LiquidTransport::apic, surface);
    const double wall = pool.world().domain.grid.dx;
    const Vec<D> middle = [] {
        Vec<D> at = Vec<D>::Constant(0.5);
        at[1] = floor;
        return at;
    }();
    const auto carry = [&](const Vec<D>& size, const Vec<D>& offset) {
        auto& body = pool.add(std::make_shared<Box<D>>(size), 1000, middle + offset, BodyType::kinematic);
        Vec<D> amplitude = Vec<D>::Constant(0.1);
        amplitude[0] = 0.15, amplitude[1] = 0.04;
        body.motion = Oscillation<D>{amplitude, 1.0, 0};
        body.start = {body.position, body.rotation};
    };
    Vec<D> size = Vec<D>::Constant(2 * half_width + wall);
    size[1] = wall;
    carry(size, Vec<D>::Zero());
    for (int a = 0; a < D; ++a)
        for (const double side : {-1.0, 1.0}) {
            if (a == 1) continue;
            size.setConstant(2 * half_width + wall);
            size[a] = wall, size[1] = height;
            carry(size, side * half_width * Vec<D>::Unit(a) + 0.5 * height * Vec<D>::Unit(1));
        }
    // Distance beyond the middle of the cup's side walls.
    const auto beside = [&](const Vec<D>& x) {
        double most = -1;
        for (int a = 0; a < D; ++a)
            if (a != 1) most = std::max(most, std::abs(x[a] - middle[a]) - half_width);
        return most;
    };
    pool.fill([&](const Vec<D>& x) { return std::max({beside(x), x[1] - floor - 0.18, floor - x[1]}); });
    double drift = 0;
    for (int step = 0; step < steps; ++step) {
        pool.step(0.01);
        drift = std::max(drift, std::abs(pool.world().liquid().ledger.drift()));
    }
    // Over the rim it may splash, through the walls it may not.
    const Vec<D> moved = pool.world().solids.bodies[0].position - middle;
    const auto leaked = [&](const Vec<D>& x, double margin) {
        return x[1] < floor + height && (beside(x) > margin || x[1] < floor - margin);
    };
    std::ptrdiff_t particles = 0, cells = 0;
    for (const Vec<D>& x : pool.world().liquid().particles.position) particles += leaked(x - moved, 0);
    EXPECT_EQ(particles, 0);
    EXPECT_GT(pool.world().liquid().particles.size(), 100);
    const auto& phi = pool.world().liquid().phi;
    for (std::ptrdiff_t b = 0; b < phi.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
            cells += pool.world().domain.grid.contains(cell) && phi.brick(b)[i] < 0 &&
                     leaked(pool.world().domain.grid.cell_centre(cell) - moved, 1.5 * wall);
        }
    EXPECT_EQ(cells, 0);
    // Ten cells of water between walls of one. Plane and space: 0.02 and 0.04, of particles 0.03 and 0.065 (0.07 and
    // 0.15 when they alone made the surface); 0.16 if the walls' cells count wrongly.
    EXPECT_LT(drift, surface == LiquidSurface::particle_level_set ? 0.06 : 0.1);
}

// Issue: a cup one cell thick, carried about: nothing outside.
TEST(SchurLiquid, ACarriedCupDoesNotLeak) {
    for (const auto surface : {LiquidSurface::particles, LiquidSurface::particle_level_set}) {
        SCOPED_TRACE(surface == LiquidSurface::particles ? "particles" : "particle-level-set");
        carry_cup<2>(48, surface, 60);
        carry_cup<3>(24, surface, 24);
    }
}

// A tank that sloshes keeps its volume with the correction, whatever transport; without it, the drift is what it is.
TEST(SchurLiquid, SloshingKeepsItsVolume) {
    for (const auto& [transport, surface] : kinds) {
        double drift[2] = {};
        for (const bool on : {false, true}) {
            Pool<2> pool(32, transport, surface);
            if (on) pool.liquid.correction = DriftCorrection::divergence;
            pool.fill([](const Vec2& x) { return x[1] - 0.4 - 0.12 * (x[0] - 0.5); });
            for (int n = 0; n < 200; ++n) pool.step(0.02);
            drift[on ? 1 : 0] = pool.world().liquid().ledger.drift();
        }
        EXPECT_LT(std::abs(drift[1]), 0.01) << "without the correction: " << drift[0];
    }
}

// A jet in space without weight: a disc of radius r with speed v pours 2 r v a second, and all of it is there. Air's
// markers in what a source has filled would take it back, to be poured again.
TEST(SchurLiquid, SourcesPourWhatTheirSpeedSays) {
    constexpr double radius = 0.08, speed = 1.5;
    for (const auto& [transport, surface] : kinds) {
        Pool<2> pool(48, transport, surface);
        pool.world().domain.gravity.setZero();
        PlacedSource<2> placed;
        placed.source.shape = std::make_shared<Sphere<2>>(radius);
        placed.source.velocity = Vec2(speed, 0);
        placed.pose.position = Vec2(0.2, 0.52);
        pool.liquid.sources.push_back(placed);
        pool.fill([](const Vec2&) { return 1.0; });
        const VolumeLedger& ledger = pool.world().liquid().ledger;
        (void)pool.step(0.005);
        const double first = ledger.poured;
        double time = 0;
        while (time < 0.4) time += pool.step(0.005).dt;
        EXPECT_NEAR((ledger.poured - first) / (2 * radius * speed * time), 1, 0.03);
        EXPECT_NEAR(ledger.drift(), 0, 0.03);
    }
}

TEST(SchurLiquid, SaysWhenMuchOfTheLiquidIsGone) {
    for (const double missing : {0.0, 0.05, 0.2}) {
        Pool<2> pool(40, LiquidTransport::apic, LiquidSurface::particles);
        pool.liquid.correction = DriftCorrection::none;
        pool.fill_to(0.4);
        pool.world().liquid().ledger.expected /= 1 - missing;
        const auto notes = pool.step(0.01).notes;
        ASSERT_EQ(notes.size(), missing > 0.1 ? 1u : 0u);
        for (const StepNote& note : notes) {
            EXPECT_NE(note.text.find("lost 20 %"), std::string::npos) << note.text;
            EXPECT_NE(note.text.find("volume_correction"), std::string::npos) << note.text;
        }
    }
}

/// The ledger of a pool, 0.41 deep, with drains at these places, after a while.
VolumeLedger drained_pool(const Kind& kind, bool bubbles, bool open, const std::vector<Vec2>& places, double until) {
    Pool<2> pool(40, kind.transport, kind.surface);
    pool.liquid.bubbles = bubbles;
    pool.world().domain.sides.open[1][1] = open;
    for (const Vec2& at : places) {
        PlacedDrain<2> placed;
        placed.drain.shape = std::make_shared<Sphere<2>>(0.09);
        placed.pose.position = at;
        pool.liquid.drains.push_back(placed);
    }
    pool.fill_to(0.41);
    while (pool.world().clock.time < until) (void)pool.step(0.01);
    return pool.world().liquid().ledger;
}

// A drain lets air in, so that trapped air makes no difference to it. What it takes is noted once, and all of it; where
// drains overlap, too.
TEST(SchurLiquid, DrainsTakeWhatIsThere) {
    const Vec2 here(0.8, 0.13);
    for (const Kind& kind : kinds) {
        const VolumeLedger plain = drained_pool(kind, false, true, {here}, 0.6);
        EXPECT_NEAR(plain.present - plain.expected, 0, 0.03 * 0.41);
        EXPECT_GT(plain.drained, 0.15);
        for (const auto& [bubbles, open, places] :
             {std::tuple(true, true, std::vector{here}), std::tuple(true, false, std::vector{here}),
              std::tuple(false, true, std::vector{here, here})}) {
            const VolumeLedger same = drained_pool(kind, bubbles, open, places, 0.6);
            EXPECT_NEAR(same.present / plain.present, 1, 0.03);
            EXPECT_NEAR(same.drained / plain.drained, 1, 0.03);
        }
    }
}

// A drain all over the floor of deep water takes what fills it in its first step, also where a narrow band has left no
// particles by then. What that loses at a surface without particles it has back two steps later.
TEST(SchurLiquid, AWideDrainIsNotedAtOnce) {
    for (const Kind& kind : kinds) {
        Pool<2> pool(32, kind.transport, kind.surface);
        PlacedDrain<2> placed;
        placed.drain.shape = std::make_shared<Plane<2>>(Vec2(0, 1));
        placed.drain.start = 0.025;
        placed.pose.position = Vec2(0, 0.125);
        pool.liquid.drains.push_back(placed);
        pool.fill_to(0.75);
        const VolumeLedger& ledger = pool.world().liquid().ledger;
        for (int n = 0; n < 4; ++n) (void)pool.step(0.01);
        EXPECT_NEAR(ledger.drained, 0.125, 0.01);
        if (kind.transport == LiquidTransport::narrow_band_flip)
            for (int n = 0; n < 2; ++n) (void)pool.step(0.01);
        EXPECT_NEAR(ledger.present, ledger.expected, 0.01);
    }
}

// In the end everything is gone, and no more than there was. A drain above the water takes nothing.
TEST(SchurLiquid, DrainsTakeNoMoreThanThereIs) {
    for (const Kind& kind : kinds) {
        const VolumeLedger empty = drained_pool(kind, false, true, {Vec2(0.25, 0.05), Vec2(0.8, 0.05)}, 2);
        EXPECT_LT(empty.present, 0.1 * 0.41);
        EXPECT_LT(empty.drained, 1.02 * 0.41);
        const VolumeLedger above = drained_pool(kind, false, true, {Vec2(0.5, 0.52)}, 0.3);
        EXPECT_LT(above.drained, 1e-3 * 0.41);
    }
}

// A pool falls out through its open floor: nothing is noted that was not there, and all of it. Tolerances: where level
// sets count, ways of four points a cell along the last cell's row, 1 % of what there was; lone particles seem to be
// three cells each while they leave.
TEST(SchurLiquid, APoolRunsOutThroughItsFloor) {
    for (const Kind& kind : kinds) {
        Pool<2> pool(32, kind.transport, kind.surface);
        pool.world().domain.sides.open[1][0] = true;
        pool.fill_to(0.5);
        const VolumeLedger& ledger = pool.world().liquid().ledger;
        while (pool.world().clock.time < 0.6) {
            (void)pool.step(1.0 / 60);
            EXPECT_NEAR(ledger.present, ledger.expected, 0.03 * 0.5) << pool.world().clock.time << " s";
            EXPECT_LT(ledger.drained, 1.01 * 0.5);
        }
        EXPECT_NEAR(ledger.drained, 0.5, 0.01 * 0.5);
    }
}

/// A source below the surface of a pool in a closed box.
Pool<2> pool_with_source(const Kind& kind, double level, bool bubbles = false) {
    Pool<2> pool(32, kind.transport, kind.surface);
    PlacedSource<2> placed;
    placed.source.shape = std::make_shared<Box<2>>(Vec2(0.2, 0.2));
    placed.source.velocity = Vec2(0, -1);
    placed.pose.position = Vec2(0.5, 0.5);
    pool.liquid.sources.push_back(placed);
    pool.liquid.bubbles = bubbles;
    pool.fill_to(level);
    return pool;
}

// 0.2 m x 1 m/s below the surface raise it by as much; without a source in the projection particles pile up and the level
// stays. Jitter, and cells that are crowded for a moment: 5 %.
TEST(SchurLiquid, ASourceBelowTheSurfaceRaisesIt) {
    for (const Kind& kind : kinds) {
        Pool<2> pool = pool_with_source(kind, 0.7);
        double time = 0;
        while (time < 0.5) time += pool.step(0.02).dt;
        const VolumeLedger& ledger = pool.world().liquid().ledger;
        EXPECT_NEAR(ledger.poured / (0.2 * time), 1, 0.05);
        EXPECT_NEAR(ledger.present - ledger.expected, 0, 0.1 * ledger.poured);
    }
}

// In a box that is full, nothing can be poured, and a note says where. So with air that must keep its volume.
TEST(SchurLiquid, ASourceInAClosedRegionWaits) {
    for (const Kind& kind : kinds)
        for (const bool bubbles : {false, true}) {
            Pool<2> pool = pool_with_source(kind, bubbles ? 0.8 : 2.0, bubbles);
            const auto report = pool.step(0.02);
            EXPECT_EQ(pool.world().liquid().ledger.poured, 0);
            ASSERT_EQ(report.notes.size(), 1u);
            EXPECT_NE(report.notes[0].text.find("1024 cells around it, from (0, 0) to (1, 1) m, is closed"),
                      std::string::npos)
                << report.notes[0].text;
            EXPECT_LT(report.flow.max_divergence, 1e-3);
        }
}

/// Largest error of the volume of all bubbles while a ball of air rises by half its diameter and more.
template <int D>
double bubble_drift(int across, LiquidTransport transport, LiquidSurface surface) {
    Coord<D> cells = Coord<D>::Constant(across);
    cells[1] *= 2;
    Pool<D> pool(cells, 1.0 / across, transport, surface);
    pool.liquid.bubbles = true;
    pool.world().domain.sides.open[1][1] = true;
    Vec<D> centre = Vec<D>::Constant(0.5);
    centre[1] = 0.4;
    constexpr double radius = 0.2;
    pool.fill([=](const Vec<D>& x) { return std::max(x[1] - 1.61, radius - (x - centre).norm()); });
    double worst = 0, first = 0;
    while (pool.world().clock.time < 0.35) {
        double volume = 0;
        for (const BubbleReport& bubble : pool.step(0.01).bubbles) volume += bubble.volume;
        if (first == 0) first = volume;
        worst = std::max(worst, std::abs(volume / first - 1));
    }
    EXPECT_LT(std::abs(pool.world().liquid().ledger.drift()), 1e-3);  // not at the liquid's cost
    return worst;
}

// Issue: 0.5 %. Whatever carries the surface, it is moved such that bubbles have their volumes.
TEST(SchurLiquid, BubblesKeepTheirVolumeAsTheyRise) {
    for (const auto& [transport, surface] : kinds) EXPECT_LT(bubble_drift<2>(48, transport, surface), 1e-4);
    EXPECT_LT(bubble_drift<3>(20, LiquidTransport::apic, LiquidSurface::particles), 1e-4);
    EXPECT_LT(bubble_drift<3>(20, LiquidTransport::semi_lagrangian, LiquidSurface::particle_level_set), 1e-4);
}

// What is poured into a diving bell makes room for itself: the air stays, and the pool rises by as much.
TEST(SchurLiquid, WhatIsPouredIntoABubbleRaisesThePool) {
    for (const Kind& kind : kinds) {
        Pool<2> pool(48, kind.transport, kind.surface);
        pool.liquid.bubbles = true;
        pool.world().domain.sides.open[1][1] = true;
        pool.add(std::make_shared<Box<2>>(Vec2(0.5, 0.06)), 1000, Vec2(0.5, 0.62), BodyType::fixed);
        for (const double x : {0.28, 0.72})
            pool.add(std::make_shared<Box<2>>(Vec2(0.06, 0.3)), 1000, Vec2(x, 0.48), BodyType::fixed);
        PlacedSource<2> placed;
        placed.source.shape = std::make_shared<Sphere<2>>(0.05);
        placed.source.velocity = Vec2(0, -0.5);
        placed.pose.position = Vec2(0.5, 0.52);
        pool.liquid.sources.push_back(placed);
        pool.fill([](const Vec2& x) {  // air in the upper part of the bell
            return std::max(x[1] - 0.68, std::min({0.5 * 0.44 - std::abs(x[0] - 0.5), x[1] - 0.4, 0.62 - x[1]}));
        });
        const double level = pool.world().liquid().ledger.present;
        double first = 0, last = 0;
        while (pool.world().clock.time < 0.3) {
            last = 0;
            for (const BubbleReport& bubble : pool.step(0.01).bubbles) last += bubble.volume;
            if (first == 0) first = last;
        }
        const VolumeLedger& ledger = pool.world().liquid().ledger;
        EXPECT_GT(ledger.poured, 0.015);
        EXPECT_NEAR((ledger.present - level) / ledger.poured, 1, 0.15);
        EXPECT_NEAR(last / first, 1, 0.02);  // but for what is on its way: less than three cells of 148
    }
}

/// Bodies that touch, bubbles, particles and markers, a source.
template <int D>
Pool<D> busy_pool(int steps) {
    Pool<D> pool(D == 2 ? 40 : 20, LiquidTransport::apic, LiquidSurface::particle_level_set);
    pool.liquid.bubbles = true;
    Vec<D> at = Vec<D>::Constant(0.5), size = Vec<D>::Constant(0.2);
    at[0] = 0.35, at[1] = 0.7;
    pool.add(std::make_shared<Box<D>>(size), 600, at, BodyType::rigid);
    at[0] = 0.62;
    pool.add(std::make_shared<Sphere<D>>(0.1), 2500, at, BodyType::rigid);
    Vec<D> bubble = Vec<D>::Constant(0.5);
    bubble[1] = 0.25;
    PlacedSource<D> placed;
    placed.source.shape = std::make_shared<Sphere<D>>(0.06);
    placed.source.velocity = Vec<D>::Unit(0);
    placed.pose.position = Vec<D>::Constant(0.15);
    placed.pose.position[1] = 0.8;
    pool.liquid.sources.push_back(placed);
    pool.fill([=](const Vec<D>& x) { return std::max(x[1] - 0.513, 0.12 - (x - bubble).norm()); });
    for (int n = 0; n < steps; ++n) pool.step(0.01);
    return pool;
}

// Issue: the same bits on 1 and 2 threads.
TEST(SchurLiquid, SameBitsOnAnyNumberOfThreads) {
    const auto bits = [](int threads) {
        const ThreadLimit limit(threads);
        return hash_of(busy_pool<2>(40).world());
    };
    EXPECT_EQ(bits(1), bits(2));
}

// Everything that the next step depends on is in the World, and a clone has it.
TEST(SchurLiquid, ACloneTakesTheSameSteps) {
    auto pool = busy_pool<2>(12);  // past a renewal of the level set
    World<2> copy = clone(pool.world());
    EXPECT_EQ(hash_of(copy), hash_of(pool.world()));
    for (World<2>* world : {&pool.world(), &copy})
        for (int n = 0; n < 10; ++n) (void)pool.make()->advance(*world, 0.005);
    EXPECT_EQ(hash_of(copy), hash_of(pool.world()));
    EXPECT_NE(hash_of(copy), hash_of(busy_pool<2>(12).world()));
}

// Issue: cost follows the liquid. The same puddle in a domain eight times as long and high has the same bricks.
TEST(SchurLiquid, BricksFollowTheLiquid) {
    const auto bricks = [](int scale) {
        Pool<3> pool(32, LiquidTransport::apic, LiquidSurface::particles);
        pool.world().domain.grid.cells *= scale;
        pool.fill([](const Vec3& x) { return (x - Vec3(0.5, 0.2, 0.5)).norm() - 0.15; });
        for (int n = 0; n < 3; ++n) pool.step(0.005);
        return pool.world().liquid().set()->count();
    };
    EXPECT_NEAR(static_cast<double>(bricks(8)), static_cast<double>(bricks(1)), 8);
}

// What a source pours moves with its velocity from the first step on, which must not be longer for there being no other
// motion yet; nothing is poured beyond the bricks.
TEST(SchurLiquid, TheFirstStepKnowsTheSpeedOfSources) {
    Pool<2> pool(256, LiquidTransport::flip, LiquidSurface::particles);
    pool.setup.cfl = 2;
    PlacedSource<2> placed;
    placed.source.shape = std::make_shared<Sphere<2>>(0.05);
    placed.source.velocity = Vec2(10, 0);
    placed.pose.position = Vec2(0.2, 0.5);
    pool.liquid.sources.push_back(placed);
    pool.fill_to(0.1);
    EXPECT_LE(pool.make()->largest_step(pool.world()) * 10, 2.0001 * pool.world().domain.grid.dx);
    for (int n = 0; n < 5; ++n) pool.step(1);
    const auto& liquid = pool.world().liquid();
    for (const Vec2& x : liquid.particles.position)
        ASSERT_NE(liquid.set()->find(brick_of<2>(particle_cell<2>(pool.world().domain.grid, x))),
                  liquid.set()->void_slot());
    EXPECT_GT(liquid.ledger.poured, 0);
}

// Narrow-band FLIP and FLIP are the same liquid, the first with fewer particles.
TEST(SchurLiquid, NarrowBandHasFewerParticles) {
    std::ptrdiff_t count[2] = {};
    double energy[2] = {};
    for (const bool narrow : {false, true}) {
        Pool<2> pool(64, narrow ? LiquidTransport::narrow_band_flip : LiquidTransport::flip, LiquidSurface::particles);
        pool.fill([](const Vec2& x) { return x[1] - 0.6 - 0.1 * (x[0] - 0.5); });
        StepReport<2> report;
        while (pool.world().clock.time < 0.3) report = pool.step(0.01);
        count[narrow ? 1 : 0] = pool.world().liquid().particles.size();
        energy[narrow ? 1 : 0] = report.flow.kinetic_energy;
    }
    EXPECT_LT(count[1], count[0] / 3);
    EXPECT_NEAR(energy[1] / energy[0], 1, 0.15);
}

}  // namespace
}  // namespace tidelock
