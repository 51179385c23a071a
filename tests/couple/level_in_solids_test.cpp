#include "couple/level_in_solids.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tank.h"

namespace tidelock {
namespace {

/// How many cells settle_in_solids changes.
template <int D>
int changed(const Tank<D>& tank, Field<D, double>& phi) {
    const auto interface =
        build_interface<D>(tank.grid, tank.set, RigidSurfaces<D>(tank.bodies), InterfaceScheme::fractional);
    const auto before = phi.remapped(phi.set_ptr());
    settle_in_solids<D>(tank.grid, interface, RigidSurfaces<D>(tank.bodies), tank.gravity, phi);
    int out = 0;
    for (std::size_t i = 0; i < phi.values().size(); ++i) out += phi.values()[i] != before.values()[i];
    return out;
}

template <int D>
void expect_level_water_to_rest() {
    const double h = 1.0 / 24, middle = 0.503;
    const auto speed = [&](const std::shared_ptr<const Shape<D>>& shape, double level, double height) {
        Tank<D> tank(Coord<D>::Constant(24), h);
        tank.scheme = InterfaceScheme::fractional;
        tank.settled = true;
        tank.liquid = [=](const Vec<D>& x) { return x[1] - level; };
        Vec<D> at = Vec<D>::Constant(middle);
        at[1] = height;
        tank.add(shape, 1000, at);
        tank.bodies[0].type = BodyType::fixed;
        EXPECT_TRUE(tank.release(0.01, 1e-12).converged());
        return tank.flow.max_speed;
    };
    // A plate on the floor that the water just covers, or just does not.
    for (const double off : {-0.05, 0.05}) {
        Vec<D> plate = Vec<D>::Constant(0.4);
        plate[1] = 2 * 0.7 * h;
        EXPECT_LT(speed(std::make_shared<Box<D>>(plate), (0.7 + off) * h, 0), 1e-9) << "a plate";
    }
    const auto ball = std::make_shared<Sphere<D>>(0.15);
    const auto box = std::make_shared<Box<D>>(Vec<D>(Vec<D>::Constant(0.2)));
    for (const double off : {-0.9, -0.4, -0.1, -0.02, 0.02, 0.13, 0.6})  // of the solid's end from the level [cells]
        for (const double level : {0.4, 0.417, 0.43}) {
            SCOPED_TRACE(std::to_string(off) + " cells, level " + std::to_string(level));
            EXPECT_LT(speed(ball, level, level + off * h + 0.15), 1e-9) << "a ball above";
            EXPECT_LT(speed(ball, level, level - off * h - 0.15), 1e-9) << "a ball below";
            EXPECT_LT(speed(box, level, level + off * h + 0.1), 1e-9) << "a box above";
            EXPECT_LT(speed(box, level, level - off * h - 0.1), 1e-9) << "a box below";
        }
}

// Water rests beside a ball that just touches its surface, or just does not, and along a box's bottom and top.
TEST(LevelInSolids, LevelWaterRests) {
    expect_level_water_to_rest<2>();
    expect_level_water_to_rest<3>();
}

/// A level surface through a turned box, with nonsense in the box: phi goes on exactly as the plane that it is, in every
/// cell that has a pressure. Rounding alone is allowed for; it counts more where only the slope far from the surface
/// tells, which no pressure feels.
template <int D>
void expect_planes_to_go_on(double angle) {
    const double h = 1.0 / 24;
    Tank<D> tank(Coord<D>::Constant(24), h);
    tank.scheme = InterfaceScheme::fractional;
    Vec<D> at = Vec<D>::Constant(0.503), size = Vec<D>::Constant(0.3);
    at[1] = 0.46, size[1] = 0.5;
    tank.add(std::make_shared<Box<D>>(size), 1000, at, turned_by<D>(angle));
    tank.liquid = [](const Vec<D>& x) { return x[1] - 0.513; };
    auto phi = tank.distances();
    const auto exact = tank.distances();
    const auto interface = tank.interface();
    std::vector<std::pair<std::ptrdiff_t, int>> cells;
    for (std::ptrdiff_t b = 0; b < tank.set->count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (interface.solid.brick(b)[i] == 0) continue;
            phi.brick(b)[i] += i % 2 == 0 ? 3 * h : -3 * h;
            if (interface.dry.brick(b)[i] == 0) cells.emplace_back(b, i);
        }
    settle_in_solids<D>(tank.grid, interface, RigidSurfaces<D>(tank.bodies), tank.gravity, phi);
    EXPECT_GT(cells.size(), 10u);
    for (const auto& [b, i] : cells) {
        const double level = exact.brick(b)[i];
        EXPECT_NEAR(phi.brick(b)[i], level, std::abs(level) < h ? 1e-11 : 1e-4 * h) << angle;
    }
}
TEST(LevelInSolids, ALevelSurfaceGoesOnLevel) {
    for (const double angle : {0.0, 0.2, 0.7, 1.3}) {
        expect_planes_to_go_on<2>(angle);
        expect_planes_to_go_on<3>(angle);
    }
}

// Liquid up to a wall, or nearly so, leaves no air in the cells that the wall cuts; with half a cell of air between
// them there is some, whatever is on the wall's other side.
TEST(LevelInSolids, LiquidThatReachesAWallLeavesNoAir) {
    const double h = 1.0 / 24;
    for (const double gap : {-0.3, 0.0, 0.05, 0.5})
        for (const double place : {0.52, 0.5, 0.49}) {
            Tank<2> tank(Coord2::Constant(24), h);
            tank.scheme = InterfaceScheme::fractional;
            tank.add(std::make_shared<Box<2>>(Vec2(0.2, 2)), 1000, Vec2(place + 0.1, 0.5));
            tank.liquid = [=](const Vec2& x) { return x[0] - place + gap * h; };
            auto phi = tank.distances();
            const auto interface = tank.interface();
            settle_in_solids<2>(tank.grid, interface, RigidSurfaces<2>(tank.bodies), tank.gravity, phi);
            const Coord2 cell(static_cast<int>(std::lround(place / h)), 12);  // the first with its centre in the wall
            ASSERT_TRUE(interface.solid.at(cell) != 0 && interface.dry.at(cell) == 0);
            EXPECT_EQ(phi.at(cell) < 0, gap < 0.1) << gap << " cells, wall at " << place;
        }
}

/// A wall of one cell across the tank, water on one side, and phi with its zero in the wall: cells of the wall that
/// only the other side can flow into say what that holds afterwards.
template <int D>
void expect_walls_to_divide(double tilt, double level) {
    const double h = 1.0 / 24;
    int all = 0;
    for (const double place : {0.5, 0.502, 0.4985}) {
        Tank<D> tank(Coord<D>::Constant(24), h);
        Vec<D> size = Vec<D>::Constant(2.0), at = Vec<D>::Constant(0.5), across = Vec<D>::Zero();
        size[0] = 1.1 * h;
        at[0] = place;
        Rotation<D> turn;
        if constexpr (D == 2) turn = Rotation<2>(tilt);
        across[0] = std::cos(tilt), across[1] = D == 2 ? std::sin(tilt) : 0;
        tank.add(std::make_shared<Box<D>>(size), 1000, at, turn);
        for (const double off : {-0.6, 0.6}) {  // the zero is at one face of the wall
            tank.liquid = [=](const Vec<D>& x) { return std::max(across.dot(x - at) + off * h, x[1] - level); };
            auto phi = tank.distances();
            all += changed<D>(tank, phi);
            const auto interface =
                build_interface<D>(tank.grid, tank.set, RigidSurfaces<D>(tank.bodies), InterfaceScheme::fractional);
            for (std::ptrdiff_t b = 0; b < tank.set->count(); ++b)
                for (int i = 0; i < Brick<D>::cells; ++i) {
                    const Coord<D> cell = first_cell<D>(tank.set->brick(b)) + local_coord<D>(i);
                    const Vec<D> x = tank.grid.cell_centre(cell);
                    if (!tank.grid.contains(cell) || interface.solid.brick(b)[i] == 0 ||
                        interface.dry.brick(b)[i] != 0 || std::abs(x[1] - 0.5) > 0.25 ||
                        std::abs(x[D - 1] - 0.5) > 0.25)
                        continue;
                    const bool left = tank.bodies[0].pose().to_body(x)[0] < 0;
                    // Its centre's side is the side it sees; in the very middle it may see both.
                    if (std::abs(tank.bodies[0].pose().to_body(x)[0]) < 0.3 * h) continue;
                    if (x[1] > level - 2.5 * h) continue;
                    EXPECT_EQ(phi.brick(b)[i] < 0, left) << x.transpose() << " " << place << " " << off;
                }
        }
    }
    EXPECT_GT(all, 5);
}
TEST(LevelInSolids, AThinWallTakesTheSideThatACellSees) {
    for (const double level :
         {2.0, 0.6}) {  // the tank is full, or not: then the wall's cells above are air on both sides
        expect_walls_to_divide<2>(0, level);
        expect_walls_to_divide<2>(0.2, level);
        expect_walls_to_divide<3>(0, level);
    }
}

}  // namespace
}  // namespace tidelock
