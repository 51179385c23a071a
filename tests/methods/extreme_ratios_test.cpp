/// Bodies from a billionth to a billion times as dense as their fluid: each solve converges, and the first step from
/// rest obeys the closed form.
#include <gtest/gtest.h>

#include "base/random.h"
#include "methods/schur/schur.h"
#include "methods/trial.h"
#include "pool.h"

namespace tidelock {
namespace {

constexpr double g = 9.81, dt = 0.01;

/// Acceleration along y in the first of two steps from rest, over g.
template <int D>
double first_acceleration(Method<D>& method, World<D>& world, const std::string& what) {
    double acceleration = 0;
    for (int n = 0; n < 2; ++n) {
        const auto report = method.advance(world, dt);
        const SolveReport& solve = report.solves[0].report;
        EXPECT_TRUE(solve.converged()) << what << ", step " << n << ": " << solve.residual;
        EXPECT_LE(solve.iterations, 10) << what << ", step " << n;
        if (n == 0) acceleration = world.solids.bodies[0].velocity[1] / (g * dt);
    }
    return acceleration;
}

template <int D>
Rotation<D> turn_of(double share) {
    if constexpr (D == 2)
        return Rotation<2>(share);
    else
        return Rotation<3>(Eigen::Quaterniond(Eigen::AngleAxisd(2 * share, Vec3(1, 2, 3).normalized())));
}

template <int D>
double in_gas(double ratio, InterfaceScheme interface, double density) {
    Trial<D> run(D == 2 ? 32 : 16, D == 2 ? 1.0 / 32 : 1.0 / 16);
    run.gas.fluid_density = density;
    run.add(std::make_shared<Sphere<D>>(0.2), ratio * density, Vec<D>::Constant(0.5));
    Schur<D> schur(run.setup(), {.interface = interface});
    return first_acceleration<D>(schur, run.world, fmt::format("gas of {} in {}D, ratio {}", density, D, ratio));
}

double in_liquid(double ratio, InterfaceScheme interface) {
    Pool<2> pool(32, LiquidTransport::apic, LiquidSurface::particles);
    pool.add(std::make_shared<Sphere<2>>(0.2), ratio * pool.liquid.density, {0.5, 0.4}, BodyType::rigid);
    pool.fill_to(0.8);
    Schur<2> schur(pool.setup, {.interface = interface});
    return first_acceleration<2>(schur, pool.world(), fmt::format("liquid, ratio {}", ratio));
}

/// From rest, and with the fluid's pressure linear in the body's acceleration,
///   (m + C m_f) a = (m_f - m) g,   C m_f the fluid that moves with it,
/// whatever the mass: C from one ratio gives all others (numerics/cases 1).
template <class Run>
void expect_closed_form(const Run& acceleration) {
    const double known = 0.1;
    const double c = (1 - known) / acceleration(known) - known;
    EXPECT_GT(c, 0.3);
    EXPECT_LT(c, 3);
    for (const double ratio : {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9})
        EXPECT_NEAR(acceleration(ratio), (1 - ratio) / (ratio + c), 1e-4)  // the solves stop at 1e-6 of the flow
            << "ratio " << ratio << ", C = " << c;
}

TEST(ExtremeRatios, GasObeysTheClosedForm) {
    for (const auto interface : {InterfaceScheme::fractional, InterfaceScheme::constraint}) {
        expect_closed_form([&](double ratio) { return in_gas<2>(ratio, interface, 1); });
        expect_closed_form([&](double ratio) { return in_gas<3>(ratio, interface, 1); });
    }
}

TEST(ExtremeRatios, HeavyGasAndThinGasAreAlike) {
    expect_closed_form([](double ratio) { return in_gas<2>(ratio, InterfaceScheme::fractional, 1e6); });
    expect_closed_form([](double ratio) { return in_gas<2>(ratio, InterfaceScheme::fractional, 1e-6); });
}

TEST(ExtremeRatios, LiquidObeysTheClosedForm) {
    for (const auto interface : {InterfaceScheme::fractional, InterfaceScheme::constraint})
        expect_closed_form([&](double ratio) { return in_liquid(ratio, interface); });
}

/// Iterations of the first step of up to eight boxes, turned at random, in a box of gas.
template <int D>
int iterations(int boxes, double ratio, InterfaceScheme interface) {
    Trial<D> run(D == 2 ? 64 : 32, D == 2 ? 1.0 / 64 : 1.0 / 32);
    const Random random(7);
    for (int b = 0; b < boxes; ++b) {
        const auto draw = [&](int i) { return random.uniform(static_cast<std::uint64_t>(8 * b + i)); };
        Vec<D> at, edges;
        for (int a = 0; a < D; ++a) {
            at[a] = 0.27 + 0.46 * (b >> a & 1) + 0.04 * draw(a);
            edges[a] = 0.16 + 0.1 * draw(D + a);
        }
        const int row = b / 4;
        if (D == 2) at[0] = (0.14 + 0.24 * (b % 4)) + 0.02 * draw(0), at[1] = 0.3 + 0.4 * row, edges *= 0.55;
        run.add(std::make_shared<Box<D>>(edges), ratio * run.gas.fluid_density, at, turn_of<D>(draw(7)));
    }
    Schur<D> schur(run.setup(), {.interface = interface});
    const auto report = schur.advance(run.world, dt);
    EXPECT_TRUE(report.solves[0].report.converged());
    return report.solves[0].report.iterations;
}

// Light bodies ask for a pressure that presses on none of them. As long as coarse levels asked their corrections the same, eight
// boxes of a thousandth and less took up to 48 iterations with fractional faces.
TEST(ExtremeRatios, IterationsHardlyDependOnTheRatio) {
    for (const auto interface : {InterfaceScheme::fractional, InterfaceScheme::constraint})
        for (const int boxes : {1, 3, 8})
            for (const double ratio : {1e-9, 1e-6, 3e-4, 1e-2, 0.1, 10.0, 1e9}) {
                const int most = ratio < 5e-3 ? 12 : 8;  // measured 11 and 7 at most
                EXPECT_LE(iterations<2>(boxes, ratio, interface), most) << boxes << " in the plane, ratio " << ratio;
                EXPECT_LE(iterations<3>(boxes, ratio, interface), most) << boxes << " in space, ratio " << ratio;
            }
}

// Balls a billion times lighter than their water rise, are stopped by the ceiling and stay: the solve of a body that
// contact presses with far more than it weighs.
TEST(ExtremeRatios, AWeightlessBallRisesAndStaysUnderTheCeiling) {
    Trial<2> run(32, 1.0 / 32);
    run.add(std::make_shared<Sphere<2>>(0.15), 1e-6, Vec2(0.5, 0.6));
    Schur<2> schur(run.setup(), SchurSettings{});
    const auto& body = run.world.solids.bodies[0];
    double top = 0;
    for (int n = 0; n < 60; ++n) {
        const auto report = schur.advance(run.world, std::min(schur.largest_step(run.world), 0.02));
        ASSERT_TRUE(report.solves[0].report.converged()) << "step " << n;
        top = std::max(top, body.position[1]);
    }
    EXPECT_GT(top, 0.8);
    EXPECT_LE(top, 1 - 0.15);
    EXPECT_GT(body.position[1], 0.8);
}

}  // namespace
}  // namespace tidelock
