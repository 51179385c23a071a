#include "fluid/volume.h"

#include <numbers>

#include "fluid/particle_surface.h"
#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class VolumeTest : public testing::Test {};
TYPED_TEST_SUITE(VolumeTest, Dimensions);

template <int D>
Field<D, double> level_set(const Grid<D>& grid, const DistanceFunction<D>& shape) {
    Field<D, double> phi(make_dense<D>(lattice_for_faces<D>(grid.cells)), 1.0);
    fill_cells<D>(grid, phi, shape);
    return phi;
}

// Planes are cut exactly, in any direction, up to the walls.
TYPED_TEST(VolumeTest, HalfSpacesAreExact) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(20);
    const Vec<D> level = Vec<D>::Unit(1);
    for (const double height : {0.5, 0.513, 0.7777})
        EXPECT_NEAR(liquid_volume<D>(grid, level_set<D>(grid, [&](const Vec<D>& x) { return level.dot(x) - height; })),
                    height, 1e-13);
    // Tilted, through the middle: half of the box. Beyond the outermost centres phi is held, hence not exact at the
    // walls: an eighth of a cell of slope on either side, of opposite sign.
    const Vec<D> normal = Vec<D>::LinSpaced(0.4, 1.0).normalized();
    const auto tilted = level_set<D>(grid, [&](const Vec<D>& x) { return normal.dot(x - Vec<D>::Constant(0.5)); });
    EXPECT_NEAR(liquid_volume<D>(grid, tilted), 0.5, 1e-12);
}

TYPED_TEST(VolumeTest, BallsConvergeWithTheSecondPower) {
    constexpr int D = TypeParam::value;
    const double exact = D == 2 ? std::numbers::pi * 0.09 : 4. / 3 * std::numbers::pi * 0.027;
    double error[2];
    for (int level = 0; level < 2; ++level) {
        const auto grid = unit_grid<D>(20 << level);
        const auto phi = level_set<D>(grid, ball<D>(Vec<D>::Constant(0.503), 0.3));
        error[level] = std::abs(liquid_volume<D>(grid, phi) - exact);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.3);
    EXPECT_LT(error[1], 0.01 * exact);
}

// The controller of numerics/volume 2: a liquid whose volume follows the divergence it asks for comes back to what was
// poured.
TEST(VolumeLedger, ControllerBringsTheVolumeBack) {
    const double dt = 0.01, dx = 0.01;
    VolumeLedger ledger;
    ledger.start(2.0);
    ledger.pour(0.75);
    ledger.drain(0.25);
    double volume = 2.5 * 1.04;
    EXPECT_EQ(ledger.divergence(dx, dt), 0.0 - ledger.drift() * 2.3 / (25 * dt) / (1 + ledger.drift()));
    for (int step = 0; step < 400; ++step) {
        const double leak = 1e-4 * volume;  // what transport loses each step
        ledger.measure(volume, dt);
        volume += dt * ledger.divergence(dx, dt) * volume - leak;
    }
    EXPECT_NEAR(volume, 2.5, 1e-3 * 2.5);
    EXPECT_NEAR(ledger.drift(), 0, 1e-3);
}

// A step is short because the flow is fast: a controller that pushed the harder for it would make it faster still.
TEST(VolumeLedger, ControllerPushesNoHarderInShorterSteps) {
    VolumeLedger ledger;
    ledger.start(1);
    ledger.measure(0.99, 0.1);
    EXPECT_GT(ledger.divergence(0.01, 1e-3), 0);
    EXPECT_EQ(ledger.divergence(0.01, 1e-3), ledger.divergence(0.01, 1e-9));
}

// Where nothing has come of what was poured, 1 + x is zero or near it. The limit is k_p: nine tenths in 25 steps.
TEST(VolumeLedger, ControllerKnowsALimit) {
    constexpr double dt = 0.01, dx = 0.01, most = 2.3 / (25 * dt);
    VolumeLedger ledger;
    ledger.start(0);
    ledger.pour(0.04);
    EXPECT_EQ(ledger.divergence(dx, dt), 0) << "what was just poured has not been measured, and is not missing";
    for (const double present : {0.0, 1e-300, 1e-9, 0.01}) {
        for (int step = 0; step < 1000; ++step) ledger.measure(present, dt);
        EXPECT_EQ(ledger.divergence(dx, dt), most) << present;
    }
    ledger.measure(0.039, dt);
    EXPECT_LT(ledger.divergence(dx, dt), 0.1 * most) << "it does not go on for what could not be had";
}

TYPED_TEST(VolumeTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 96 : 32);
    const auto phi = level_set<D>(grid, ball<D>(Vec<D>::Constant(0.503), 0.3));
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return liquid_volume<D>(grid, phi);
    };
    EXPECT_EQ(run(1), run(2));
}

}  // namespace
}  // namespace tidelock
