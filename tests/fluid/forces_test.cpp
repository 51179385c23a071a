#include "fluid/forces.h"

#include "field_testing.h"

namespace tidelock {
namespace {

template <int D>
Smoke<D> still_air(const Grid<D>& grid) {
    return make_smoke<D>(grid, Sides<D>{}, 300);
}

TEST(Forces, WeightIsGravityPlusHeatAndSoot) {
    const auto grid = unit_grid<3>(20);
    auto smoke = still_air<3>(grid);
    SmokeParameters<3> p;
    p.ambient_temperature = 300;
    p.lift_per_kelvin = 0.01;
    p.weight_of_smoke = 0.25;
    const Coord3 cell(7, 8, 9);
    smoke.temperature.ref(cell) = 360;
    smoke.density.ref(cell) = 2;
    Mask<3> solid(smoke.set(), 0);
    FaceField<3, double> u(smoke.set(), 0.0);
    const Vec3 gravity(0, -9.81, 0.5);
    add_weight<3>({grid, gravity, p, solid, 0.1}, smoke, u);
    // Means over the two cells of a face: half of 1 + alpha s - beta dT = 1 + 0.5 - 0.6.
    EXPECT_NEAR(u[1].at(cell), -0.981 * (1 + 0.5 * (0.5 - 0.6)), 1e-14);
    EXPECT_NEAR(u[1].at(Coord3(7, 9, 9)), -0.981 * (1 + 0.5 * (0.5 - 0.6)), 1e-14);
    EXPECT_NEAR(u[2].at(cell), 0.05 * (1 + 0.5 * (0.5 - 0.6)), 1e-14);
    EXPECT_NEAR(u[1].at(Coord3(7, 10, 9)), -0.981, 1e-14);
    EXPECT_EQ(u[0].at(cell), 0);
    // Beside a solid only the fluid cell counts.
    solid.ref(Coord3(7, 7, 9)) = 1;
    FaceField<3, double> beside(smoke.set(), 0.0);
    add_weight<3>({grid, gravity, p, solid, 0.1}, smoke, beside);
    EXPECT_NEAR(beside[1].at(cell), -0.981 * (1 + (0.5 - 0.6)), 1e-14);
}

TEST(Forces, FadingIsExponential) {
    auto smoke = still_air<2>(unit_grid<2>(40));
    SmokeParameters<2> p;
    p.ambient_temperature = 300;
    p.cooling = 2;
    p.dissipation = 3;
    smoke.density.ref(Coord2(5, 5)) = 1;
    smoke.temperature.ref(Coord2(5, 5)) = 400;
    for (int i = 0; i < 10; ++i) fade<2>(p, 0.05, smoke);
    EXPECT_NEAR(smoke.density.at(Coord2(5, 5)), std::exp(-1.5), 1e-14);
    EXPECT_NEAR(smoke.temperature.at(Coord2(5, 5)), 300 + 100 * std::exp(-1.0), 1e-11);
}

// A rigid rotation has constant vorticity 2 omega, and nothing to confine.
TEST(Forces, VorticityOfARotation) {
    const auto grid = unit_grid<2>(32);
    auto smoke = still_air<2>(grid);
    for (int a = 0; a < 2; ++a)
        for (std::ptrdiff_t b = 0; b < smoke.set()->count(); ++b)
            for (int i = 0; i < Brick<2>::cells; ++i) {
                const Vec2 x =
                    grid.position(first_cell<2>(smoke.set()->brick(b)) + local_coord<2>(i), Centring<2>::face(a));
                smoke.velocity[a].brick(b)[i] = a == 0 ? -3 * (x[1] - 0.5) : 3 * (x[0] - 0.5);
            }
    const auto w = vorticity_magnitude<2>(grid, smoke.velocity);
    for (int y = 1; y < 31; ++y)
        for (int x = 1; x < 31; ++x) ASSERT_NEAR(w.at(Coord2(x, y)), 6, 1e-11);
}

// A smooth vortex is spun up by confinement: the push runs along the flow around it.
TEST(Forces, ConfinementPushesAlongAVortex) {
    const auto grid = unit_grid<2>(64);
    auto smoke = still_air<2>(grid);
    for (int a = 0; a < 2; ++a)
        for (std::ptrdiff_t b = 0; b < smoke.set()->count(); ++b)
            for (int i = 0; i < Brick<2>::cells; ++i) {
                const Vec2 r =
                    grid.position(first_cell<2>(smoke.set()->brick(b)) + local_coord<2>(i), Centring<2>::face(a)) -
                    Vec2(0.5, 0.5);
                const double spin = std::exp(-r.squaredNorm() / 0.01);
                smoke.velocity[a].brick(b)[i] = a == 0 ? -spin * r[1] : spin * r[0];
            }
    const Mask<2> solid(smoke.set(), 0);
    FaceField<2, double> push(smoke.set(), 0.0);
    SmokeParameters<2> p;
    p.vorticity_confinement = 0.5;
    confine_vorticity<2>({grid, Vec2::Zero(), p, solid, 1.0}, smoke.velocity, push);
    double power = 0, size = 0;
    for (int a = 0; a < 2; ++a)
        for (std::size_t i = 0; i < push[a].values().size(); ++i) {
            power += push[a].values()[i] * smoke.velocity[a].values()[i];
            size = std::max(size, std::abs(push[a].values()[i]));
        }
    EXPECT_GT(power, 0);
    // |force| = epsilon dx |omega| at most, omega = 2 in the middle.
    EXPECT_LE(size, 0.5 * grid.dx * 2.0 * 1.001);
    EXPECT_GT(size, 0.1 * grid.dx);
}

}  // namespace
}  // namespace tidelock
