/// The front of a dam break: an ideal fluid's by a boundary integral, and the simulated one's.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dam.h"

namespace tidelock {
namespace {

using validation::IdealColumn;

TEST(IdealColumn, KeepsVolumeAndEnergy) {
    IdealColumn column(2, 16, 0.02);
    EXPECT_NEAR(column.volume(), 2, 1e-12);
    EXPECT_NEAR(column.energy(), 2, 1e-12);  // a height of 2: half its square
    while (column.time() < 1.5) column.step(0.02);
    EXPECT_GT(column.front(), 2.5);
    EXPECT_NEAR(column.volume(), 2, 2e-3);
    EXPECT_NEAR(column.energy(), 2, 6e-3);
}

// The pressure before anything has moved is a Fourier series; with it the top begins to fall at the wall.
TEST(IdealColumn, FallsFirstAsTheSeriesSays) {
    for (const double height : {0.7, 2.0}) {
        double acceleration = -1;
        for (int k = 0; k < 40; ++k) {
            const double wave = (k + 0.5) * std::numbers::pi;
            acceleration += 2 * (k % 2 == 0 ? 1 : -1) / (wave * std::cosh(wave * height));
        }
        IdealColumn column(height, 24, 0.01);
        constexpr double time = 0.05;
        for (int n = 0; n < 5; ++n) column.step(time / 5);
        EXPECT_NEAR((column.height() - height) / (0.5 * time * time), acceleration, 0.02);
    }
}

// An inviscid simulation comes to the ideal fluid's front as the grid is refined. It is ahead of the measurements by
// one and the same time from T = 1 on (docs/validation.md): moved by it, the fronts are the same.
TEST(DamFront, GoesToThatOfAnIdealFluid) {
    const auto ideal = validation::ideal_front(3.1);
    const auto off = [&](int across, LiquidTransport transport, LiquidSurface surface) {
        return validation::simulated_front<2>(across, transport, surface, 3.1, "simulated").off(ideal);
    };
    struct Kind {
        LiquidTransport transport;
        LiquidSurface surface;
    };
    for (const Kind& kind : {Kind{LiquidTransport::flip, LiquidSurface::particles},
                             Kind{LiquidTransport::apic, LiquidSurface::particle_level_set},
                             Kind{LiquidTransport::semi_lagrangian, LiquidSurface::particle_level_set}}) {
        const double coarse = off(16, kind.transport, kind.surface), fine = off(32, kind.transport, kind.surface);
        EXPECT_LT(coarse, 0.06);
        EXPECT_LT(fine, 0.035);
        EXPECT_LT(fine, 0.7 * coarse);
    }
    const auto measured = validation::measured_front();
    const auto front = validation::simulated_front<2>(32, LiquidTransport::apic, LiquidSurface::particles, 3.5, "apic");
    for (const auto* there : {&ideal, &front}) {
        const double shift = validation::best_shift(*there, measured, 0.5);
        EXPECT_NEAR(shift, -0.27, 0.05);
        EXPECT_LT(there->off(measured, shift), 0.04);
    }
}

}  // namespace
}  // namespace tidelock
