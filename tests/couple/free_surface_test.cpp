/// Liquids with a free surface, at rest and with bodies that float in them: numerics/cases 1, 2, 4.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tank.h"

namespace tidelock {
namespace {

constexpr double g = 9.81;

/// A half-space of liquid below a plane through `point` with the normal `up`.
template <int D>
DistanceFunction<D> below(const Vec<D>& point, const Vec<D>& up) {
    return [=](const Vec<D>& x) { return up.dot(x - point); };
}

/// A pool whose surface is a plane across gravity, which is tilted against the grid.
template <int D>
Tank<D> tilted_pool(const Coord<D>& cells, double dx, double degrees) {
    Tank<D> tank(cells, dx);
    tank.scheme = InterfaceScheme::fractional;
    Vec<D> up = Vec<D>::Unit(1);
    const double angle = degrees * std::numbers::pi / 180;
    up[0] = std::sin(angle);
    up[1] = std::cos(angle);
    if constexpr (D == 3) up[2] = 0.37 * up[0];
    up.normalize();
    tank.gravity = -g * up;
    tank.liquid = below<D>(Vec<D>(dx * (0.5 * cells.template cast<double>().array() + 0.123).matrix()), up);
    return tank;
}

/// Largest speed over sqrt(g H) after a step from rest, and the largest error of the pressure over rho g H.
template <int D>
std::pair<double, double> unrest(Tank<D>& tank) {
    const double height = tank.grid.dx * tank.grid.cells.maxCoeff();
    EXPECT_TRUE(tank.release(0.01, 1e-13).converged());
    const auto phi = tank.distances();
    double worst = 0;
    for (std::ptrdiff_t b = 0; b < tank.set->count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(tank.set->brick(b)) + local_coord<D>(i);
            if (!tank.grid.contains(cell) || phi.brick(b)[i] >= 0 || tank.pressure.brick(b)[i] == 0) continue;
            worst = std::max(worst, std::abs(tank.pressure.brick(b)[i] + tank.density * g * phi.brick(b)[i]));
        }
    return {tank.flow.max_speed / std::sqrt(g * height), worst / (tank.density * g * height)};
}

// numerics/cases 4, numerics/surface 4: one theta in matrix and gradient leaves nothing over, however the tank is
// tilted.
TEST(FreeSurface, ATiltedPoolRests) {
    for (const double degrees : {0.0, 7.0, 30.0, 45.0, 81.0}) {
        auto plane = tilted_pool<2>({24, 32}, 1.0 / 24, degrees);
        const auto [speed, error] = unrest<2>(plane);
        EXPECT_LT(speed, 1e-10) << degrees << " degrees in the plane";
        EXPECT_LT(error, 1e-10) << degrees << " degrees in the plane";
    }
    auto space = tilted_pool<3>({24, 20, 16}, 1.0 / 20, 25);
    const auto [speed, error] = unrest<3>(space);
    EXPECT_LT(speed, 1e-10);
    EXPECT_LT(error, 1e-10);
}

// Static solids, some of them through the surface.
TEST(FreeSurface, APoolWithObstaclesRests) {
    auto plane = tilted_pool<2>({40, 40}, 1.0 / 40, 20);
    plane.add(std::make_shared<Sphere<2>>(0.11), 1000, Vec2(0.3, 0.27));
    plane.add(std::make_shared<Box<2>>(Vec2(0.2, 0.5)), 1000, Vec2(0.71, 0.52), Rotation<2>(0.4));
    for (auto& body : plane.bodies) body.type = BodyType::fixed;
    const auto [speed, error] = unrest<2>(plane);
    EXPECT_LT(speed, 1e-10);
    EXPECT_LT(error, 1e-10);
}

// A drop in free fall feels no pressure.
TEST(FreeSurface, AFallingDropHasNoPressure) {
    Tank<3> tank(Coord3(24, 24, 24), 1.0 / 24);
    tank.liquid = [](const Vec3& x) { return (x - Vec3(0.51, 0.47, 0.5)).norm() - 0.21; };
    const double dt = 0.01;
    EXPECT_TRUE(tank.release(dt, 1e-10).converged());
    EXPECT_NEAR(tank.flow.momentum[1] / (tank.density * tank.flow.volume), -g * dt, 1e-9);
    EXPECT_LT(tank.flow.max_divergence, 1e-9);
}

/// Acceleration over g of a box of density ratio `ratio` that floats with its draft, released from rest.
template <int D>
double floating_acceleration(int across, double ratio, double offset) {
    const double dx = 1.0 / across;
    Coord<D> cells = Coord<D>::Constant(4 * across);
    cells[1] = 3 * across;
    Tank<D> tank(cells, dx);
    tank.scheme = InterfaceScheme::fractional;
    const Vec<D> size = Vec<D>::Ones();
    Vec<D> at = Vec<D>::Constant(2 + 0.31 * dx);
    const double level = 1.5 + offset * dx;
    at[1] = level + 0.5 - ratio;
    tank.add(std::make_shared<Box<D>>(size), ratio * tank.density, at);
    tank.liquid = below<D>(level * Vec<D>::Ones(), Vec<D>::Unit(1));
    const double dt = 1e-3;
    EXPECT_TRUE(tank.release(dt, 1e-10).converged());
    return tank.bodies[0].velocity[1] / (dt * g);
}

// numerics/cases 2: at its draft T = H rs / rf a box does not accelerate. A hundredth of H off, it would do so with
// 0.01 / (ratio + added mass) g, about 0.01.
TEST(FreeSurface, ABoxFloatsAtItsDraft) {
    for (const double ratio : {0.1, 0.25, 0.5, 0.9})
        for (const double offset : {0.0, 0.13, 0.5, 0.77}) {
            EXPECT_NEAR(floating_acceleration<2>(8, ratio, offset), 0, 0.01) << ratio << " at " << offset;
            EXPECT_NEAR(floating_acceleration<2>(16, ratio, offset), 0, 0.01) << ratio << " at " << offset;
        }
    EXPECT_NEAR(floating_acceleration<3>(8, 0.25, 0.3), 0, 0.01);
    EXPECT_NEAR(floating_acceleration<3>(8, 0.9, 0.3), 0, 0.01);
}

/// Acceleration over g of a sphere of radius 1 that floats with the draft `draft`, released from rest; its weight is
/// that of the cap below the level, pi T^2 (3 - T) / 3, or in the plane that of the segment.
template <int D>
double floating_sphere(int radius, double draft, double offset) {
    const double dx = 1.0 / radius;
    Coord<D> cells = Coord<D>::Constant(5 * radius);
    Tank<D> tank(cells, dx);
    tank.scheme = InterfaceScheme::fractional;
    const double level = 2.5 + offset * dx, depth = 1 - draft;  // of the centre above the level
    const double cap = D == 2 ? std::acos(depth) - depth * std::sqrt(1 - depth * depth)
                              : std::numbers::pi * draft * draft * (3 - draft) / 3;
    const double volume = D == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
    Vec<D> at = Vec<D>::Constant(2.5 + 0.31 * dx);
    at[1] = level + depth;
    tank.add(std::make_shared<Sphere<D>>(1.0), tank.density * cap / volume, at);
    tank.liquid = below<D>(level * Vec<D>::Ones(), Vec<D>::Unit(1));
    const double dt = 1e-3;
    EXPECT_TRUE(tank.release(dt, 1e-10).converged());
    return tank.bodies[0].velocity[1] / (dt * g);
}

// Archimedes for a hull with sloping sides, wherever the level cuts the cells: only the wet part of what a face cuts is
// lifted.
TEST(FreeSurface, ASphereFloatsAtItsDraft) {
    for (const double draft : {0.5, 1.0, 1.5})
        for (const double offset : {0.0, 0.25, 0.5, 0.75}) {
            EXPECT_NEAR(floating_sphere<2>(6, draft, offset), 0, 1e-3) << draft << " at " << offset;
            EXPECT_NEAR(floating_sphere<3>(6, draft, offset), 0, 1e-3) << draft << " at " << offset;
        }
}

// The bottom of a hull, a third of a cell thick, with water below and air above: its closed faces carry the water
// along, and none from the air's side, wherever the level set, which knows of no hull, says the surface is.
TEST(FreeSurface, AHullHoldsItsWaterBack) {
    for (const double level : {8.1, 8.4, 8.6, 8.9}) {
        Tank<2> tank(Coord2(24, 16));
        tank.scheme = InterfaceScheme::fractional;
        tank.add(std::make_shared<Box<2>>(Vec2(16, 0.3)), 100, Vec2(12, 8.5));
        tank.liquid = below<2>(Vec2(0, level), Vec2::Unit(1));
        const auto interface = tank.interface();
        const auto faces = tank.flow_faces(interface);
        int lower = 0, upper = 0;
        for (std::size_t n = 0; n < interface.faces.size(); ++n) {
            const BodyFace& face = interface.faces[n];
            const Coord2 cell = first_cell<2>(tank.set->brick(face.slot)) + local_coord<2>(face.local);
            if (face.axis != 1 || cell[0] < 6 || cell[0] >= 18) continue;
            EXPECT_EQ(face.kind, FaceKind::bound);
            EXPECT_NEAR(faces.faces[n].mass / tank.medium().dual_mass(), cell[1] == 8 ? 0.85 : 0, 0.01)
                << level << " at " << cell.transpose();
            ++(cell[1] == 8 ? lower : upper);
        }
        EXPECT_EQ(lower, 12);
        EXPECT_EQ(upper, 12);
    }
}

// numerics/cases 1, deep below a surface: the added mass of a sphere is that of an unbounded fluid, up to the mirror
// below the surface and the walls.
TEST(FreeSurface, ASphereBelowTheSurfaceHasItsAddedMass) {
    constexpr int radius = 5, widths = 12;
    for (const double ratio : {1e-3, 0.5, 2.0}) {
        Tank<3> tank(Coord3::Constant(widths * radius), 1.0 / radius);
        tank.scheme = InterfaceScheme::fractional;
        tank.add(std::make_shared<Sphere<3>>(1.0), ratio * tank.density, Vec3::Constant(0.5 * widths + 0.026));
        tank.liquid = below<3>(Vec3::Constant(widths - 0.37), Vec3::Unit(1));
        const double dt = 1e-3;
        EXPECT_TRUE(tank.release(dt, 1e-8).converged());
        const double exact = (1 - ratio) * g / (ratio + 0.5);
        EXPECT_NEAR(tank.bodies[0].velocity[1] / dt / exact, 1, 0.03) << ratio;
    }
}

// Air above the water carries no load: a body in it falls freely.
TEST(FreeSurface, ABodyAboveTheSurfaceFalls) {
    Tank<2> tank(Coord2(32, 32), 1.0 / 32);
    tank.scheme = InterfaceScheme::fractional;
    tank.add(std::make_shared<Sphere<2>>(0.1), 200, Vec2(0.5, 0.8));
    tank.liquid = below<2>(Vec2(0, 0.413), Vec2::Unit(1));
    const double dt = 0.01;
    EXPECT_TRUE(tank.release(dt).converged());
    EXPECT_NEAR(tank.bodies[0].velocity[1], -g * dt, 1e-12);
}

}  // namespace
}  // namespace tidelock
