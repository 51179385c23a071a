/// Bodies in a fluid at rest, released: numerics/cases 1, 3, 4.
#include <gtest/gtest.h>

#include <array>

#include "geometry/mesh_io.h"
#include "geometry/mesh_shape.h"
#include "tank.h"

namespace tidelock {
namespace {

constexpr double g = 9.81;

/// Acceleration of a sphere (disc) of radius R cells in a closed tank `widths` R wide, divided by the one in unbounded
/// fluid.
template <int D>
double relative_acceleration(InterfaceScheme scheme, double ratio, int radius, int widths) {
    Tank<D> tank(Coord<D>::Constant(widths * radius), 1.0 / radius);
    tank.scheme = scheme;
    // A little off the grid's lines, as bodies are.
    tank.add(std::make_shared<Sphere<D>>(1.0), ratio * tank.density, Vec<D>::Constant(0.5 * widths + 0.13 / radius));
    const double dt = 1e-3;
    EXPECT_TRUE(tank.release(dt, 1e-8).converged());
    const double added = D == 3 ? 0.5 : 1.0;
    const double exact = (1 - ratio) * g / (ratio + added);
    return tank.bodies[0].velocity[1] / dt / exact;
}
template <int D>
std::array<double, 3> errors(InterfaceScheme scheme, double ratio, const std::array<int, 3>& radii, int widths) {
    std::array<double, 3> error{};
    for (std::size_t i = 0; i < 3; ++i)
        error[i] = std::abs(relative_acceleration<D>(scheme, ratio, radii[i], widths) - 1);
    return error;
}

// numerics/cases 1: 3 %, in space from 4 to 5 cells a radius on (caps of the sphere that are one cell wide are
// closed whole, which tells at 3), in the plane from 4.
TEST(Archimedes, SphereStartsWithItsAddedMass) {
    for (double ratio : {1e-3, 0.1, 0.5, 2.0}) {
        const auto error = errors<3>(InterfaceScheme::fractional, ratio, {3, 5, 8}, 12);
        EXPECT_LT(error[1], error[0]) << "ratio " << ratio;
        EXPECT_LT(error[2], error[0]) << "ratio " << ratio;
        EXPECT_LT(error[0], 0.13) << "ratio " << ratio;
        EXPECT_LT(error[1], 0.03) << "ratio " << ratio;
        EXPECT_LT(error[2], 0.011) << "ratio " << ratio;
    }
}
TEST(Archimedes, CylinderStartsWithItsAddedMass) {
    for (double ratio : {1e-3, 0.1, 0.5, 2.0}) {
        const auto error = errors<2>(InterfaceScheme::fractional, ratio, {4, 8, 16}, 40);
        for (double e : error) EXPECT_LT(e, 0.03) << "ratio " << ratio;
        EXPECT_LT(error[2], 0.01) << "ratio " << ratio;
    }
}
// The staircase of the paper's constraint faces is a first-order boundary: the body carries half a cell of fluid.
TEST(Archimedes, ConstraintFacesAreOfFirstOrder) {
    for (double ratio : {0.1, 0.5, 2.0}) {
        const auto space = errors<3>(InterfaceScheme::constraint, ratio, {3, 5, 8}, 12);
        EXPECT_LT(space[1], space[0]) << "ratio " << ratio;
        EXPECT_LT(space[2], space[1]) << "ratio " << ratio;
        const auto plane = errors<2>(InterfaceScheme::constraint, ratio, {8, 16, 32}, 20);
        EXPECT_LT(plane[1], 0.7 * plane[0]) << "ratio " << ratio;
        EXPECT_LT(plane[2], 0.7 * plane[1]) << "ratio " << ratio;
        EXPECT_LT(plane[2], 0.06) << "ratio " << ratio;
    }
}
TEST(Archimedes, HeavyBodiesFallFreely) {
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional}) {
        EXPECT_NEAR(relative_acceleration<3>(scheme, 1e3, 4, 12), 1, 1e-3);
        EXPECT_NEAR(relative_acceleration<2>(scheme, 1e3, 8, 12), 1, 1e-3);
    }
}

// [A18] figure 10: the number of iterations hardly depends on the density.
TEST(Archimedes, IterationsDoNotDependOnTheDensity) {
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional}) {
        int least = 1000, most = 0;
        for (double ratio : {1e-4, 1e-2, 0.3, 1.5, 30.0, 1e4}) {
            Tank<3> tank(Coord3(32, 48, 32), 1.0 / 32);
            tank.scheme = scheme;
            tank.add(std::make_shared<Box<3>>(Vec3(0.4, 0.24, 0.3)), ratio * tank.density, Vec3(0.5, 0.7, 0.5),
                     turned_by<3>(0.17));
            const auto report = tank.release(1e-3, 1e-6);
            EXPECT_TRUE(report.converged());
            least = std::min(least, report.iterations);
            most = std::max(most, report.iterations);
        }
        EXPECT_LE(most, 10);
        EXPECT_LE(most, least + 4);
    }
}

// numerics/cases 3: a body of the fluid's own density, any shape, any turn, off the grid's lines.
template <int D>
void expect_rest(std::shared_ptr<const Shape<D>> shape, int cells) {
    for (int n = 0; n < 6; ++n) {
        const double angle = std::array{0.0, 0.3, 1.1}[static_cast<std::size_t>(n % 3)];
        Tank<D> tank(Coord<D>::Constant(cells), 1.0 / cells);
        tank.scheme = n < 3 ? InterfaceScheme::constraint : InterfaceScheme::fractional;
        tank.add(shape, tank.density, Vec<D>::Constant(0.5 + 0.21 / cells), turned_by<D>(angle));
        const double dt = 1e-3;
        EXPECT_TRUE(tank.release(dt, 1e-12).converged());
        EXPECT_LT(tank.bodies[0].velocity.norm() / dt, 1e-9 * g) << "angle " << angle;
        EXPECT_LT(tank.bodies[0].angular_velocity().norm() * tank.bodies[0].radius / dt, 1e-9 * g) << "angle " << angle;
    }
}
TEST(Archimedes, NeutralBodiesRest) {
    expect_rest<2>(std::make_shared<Box<2>>(Vec2(0.3, 0.2)), 64);
    expect_rest<2>(std::make_shared<Sphere<2>>(0.17), 64);
    expect_rest<3>(std::make_shared<Box<3>>(Vec3(0.3, 0.2, 0.25)), 32);
    expect_rest<3>(std::make_shared<Sphere<3>>(0.17), 32);
}
TEST(Archimedes, NeutralBunnyRests) {
    TriangleMesh mesh = read_mesh(TIDELOCK_MESHES "/bunny.ply");
    const auto box = bounds(mesh);
    transform(mesh, 0.5 / box.size().maxCoeff() * Mat3::Identity(), Vec3::Zero());
    expect_rest<3>(std::make_shared<MeshShape>(mesh), 40);
}

// A neutral body rests wherever it is: through an open side, near a closed wall, smaller than a cell.
TEST(Archimedes, NeutralBodiesRestAtOpenSides) {
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional})
        for (int axis = 0; axis < 2; ++axis)
            for (int side = 0; side < 2; ++side) {
                Sides<2> sides;
                sides.open[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)] = true;
                Tank<2> tank(Coord2(40, 40), 1.0 / 40, sides);
                tank.scheme = scheme;
                Vec2 at(0.51, 0.49);
                at[axis] = side == 0 ? 0.03 : 0.98;
                tank.add(std::make_shared<Box<2>>(Vec2(0.3, 0.2)), tank.density, at, Rotation<2>(0.2));
                EXPECT_TRUE(tank.release(1e-3, 1e-12).converged());
                // Faces on a side are covered whole or not at all, so that about half a cell of the body's edge is not
                // accounted for: 0.065 g at 8 cells.
                EXPECT_LT(tank.bodies[0].velocity.norm() / 1e-3, 0.1 * g) << "axis " << axis << ", side " << side;
            }
}

/// A neutral box that is `gap` cells from a closed side: how fast it starts, over g.
double start_beside(InterfaceScheme scheme, int axis, int side, double turn, double gap) {
    Tank<2> tank(Coord2(40, 40), 1.0 / 40);
    tank.scheme = scheme;
    const Vec2 half(0.15, 0.1);
    const double way = std::cos(turn) * half[axis] + std::sin(turn) * half[1 - axis] + gap / 40;
    Vec2 at(0.51, 0.49);
    at[axis] = side == 0 ? way : 1 - way;
    tank.add(std::make_shared<Box<2>>(2 * half), tank.density, at, Rotation<2>(turn));
    EXPECT_TRUE(tank.release(1e-3, 1e-12).converged());
    const auto& body = tank.bodies[0];
    return (body.velocity.norm() + std::abs(body.angular_velocity()[0]) * body.radius) / (1e-3 * g);
}

// The half cell beside a closed side is in no dual cell of the faces along it: what a body has there is lifted all the
// same. Whole faces need the centre of a cell between.
TEST(Archimedes, NeutralBodiesRestAtClosedSides) {
    for (int axis = 0; axis < 2; ++axis)
        for (int side = 0; side < 2; ++side)
            for (const double turn : {0.0, 0.3}) {
                for (const double gap : {0.02, 0.1, 0.3, 0.49, 0.6})
                    EXPECT_LT(start_beside(InterfaceScheme::fractional, axis, side, turn, gap), 1e-7)
                        << axis << side << ", turned " << turn << ", gap " << gap;
                EXPECT_LT(start_beside(InterfaceScheme::constraint, axis, side, turn, 0.6), 1e-7) << axis << side;
            }
}

// Pressure does not turn what is round, wherever it lies between the cells.
TEST(Archimedes, RoundBodiesAreNotTurned) {
    Tank<2> plane(Coord2(24, 24), 1.0 / 24);
    plane.scheme = InterfaceScheme::fractional;
    plane.add(std::make_shared<Sphere<2>>(0.07), 300, Vec2(0.31, 0.4));
    plane.add(std::make_shared<Box<2>>(Vec2(0.2, 0.1)), 300, Vec2(0.6, 0.6), Rotation<2>(0.4));
    EXPECT_TRUE(plane.release(1e-2, 1e-10).converged());
    EXPECT_EQ(plane.bodies[0].angular_velocity()[0], 0);
    EXPECT_GT(std::abs(plane.bodies[1].angular_velocity()[0]), 1e-6) << "a box is";
    Tank<3> space(Coord3::Constant(16), 1.0 / 16);
    space.scheme = InterfaceScheme::fractional;
    space.add(std::make_shared<Cylinder>(0.15, 0.3), 300, Vec3(0.41, 0.4, 0.53), turned_by<3>(0.4));
    EXPECT_TRUE(space.release(1e-2, 1e-10).converged());
    const auto& cylinder = space.bodies[0];
    const Vec3 axis = cylinder.rotation.matrix() * Vec3::UnitY(), turn = cylinder.angular_velocity();
    EXPECT_LT(std::abs(turn.dot(axis)), 1e-12);
    EXPECT_GT(turn.norm(), 1e-6) << "it turns about other axes";
}

// A body that has left through an open side is still in the fluid: it starts with the acceleration of numerics/cases 1,
// however light it is, instead of ten thousand g.
TEST(Archimedes, BodiesOutsideCarryFluidAlong) {
    Sides<3> top;
    top.open[1][1] = true;
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional})
        for (const double ratio : {1e-4, 0.1, 1.0, 1e3}) {
            Tank<3> tank(Coord3::Constant(16), 1.0 / 16, top);
            tank.scheme = scheme;
            tank.add(std::make_shared<Sphere<3>>(0.2), ratio * tank.density, Vec3(0.5, 1.5, 0.5));
            EXPECT_TRUE(tank.release(1e-3, 1e-12).converged());
            EXPECT_NEAR(tank.bodies[0].velocity[1] / 1e-3, (1 - ratio) / (ratio + 0.5) * g, 1e-9 * g) << ratio;
        }
}

TEST(Archimedes, NeutralSpecksRest) {
    for (double radius : {0.1, 0.4, 0.7, 1.2})
        for (int place = 0; place < 4; ++place) {
            Tank<3> tank(Coord3::Constant(20), 1.0);
            tank.scheme = InterfaceScheme::fractional;
            tank.add(std::make_shared<Sphere<3>>(radius), tank.density,
                     Vec3(10 + 0.3 * place, 9.9, 10.2 + 0.1 * place));
            const SolveReport report = tank.release(1e-3, 1e-12);
            EXPECT_TRUE(report.converged()) << to_string(report.status) << " after " << report.iterations
                                            << " iterations, residual " << report.residual;
            EXPECT_LT(tank.bodies[0].velocity.norm() / 1e-3, 1e-6 * g) << "radius " << radius << ", place " << place;
        }
}

// numerics/cases 4: fluid at rest around static solids stays at rest, and its pressure is rho g h.
TEST(Archimedes, HydrostaticsAroundStaticSolids) {
    Sides<3> top;
    top.open[1][1] = true;
    Tank<3> tank(Coord3(24, 40, 24), 0.05, top);
    tank.add(std::make_shared<Sphere<3>>(0.22), 0, Vec3(0.5, 0.6, 0.6));
    tank.add(std::make_shared<Box<3>>(Vec3(0.5, 0.11, 0.3)), 0, Vec3(0.8, 1.3, 0.4), turned_by<3>(0.5));
    for (auto& body : tank.bodies) body.type = BodyType::fixed;
    const double dt = 0.01, height = 2.0;
    EXPECT_TRUE(tank.release(dt, 1e-10).converged());
    double speed = 0;
    for (int a = 0; a < 3; ++a)
        for (double u : tank.velocity[a].values()) speed = std::max(speed, std::abs(u));
    EXPECT_LT(speed, 1e-6 * std::sqrt(g * height));
    const Coord3 cell(2, 10, 3);
    // Pressure is 0 half a cell above the open side.
    EXPECT_NEAR(tank.pressure.at(cell), tank.density * g * (height + 0.025 - tank.grid.cell_centre(cell)[1]), 1e-3);
}

// Sides that are open all around hold the fluid up: the pressure outside is that of a fluid at rest.
TEST(Archimedes, OpenSidesDoNotDrain) {
    Sides<2> sides;
    for (auto& axis : sides.open) axis = {true, true};
    Tank<2> tank(Coord2(40, 64), 0.05, sides);
    EXPECT_TRUE(tank.release(0.01, 1e-10).converged());
    double speed = 0;
    for (int a = 0; a < 2; ++a)
        for (double u : tank.velocity[a].values()) speed = std::max(speed, std::abs(u));
    EXPECT_LT(speed, 1e-6 * std::sqrt(g * 3.2));
}

}  // namespace
}  // namespace tidelock
