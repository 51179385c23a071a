#include "couple/interface.h"

#include <gtest/gtest.h>

#include <array>

#include <numbers>

#include "base/random.h"
#include "couple/open_ways.h"
#include "tank.h"

namespace tidelock {
namespace {

/// Solid and fluid shares, summed over bound and buried faces of one axis, in dual cells.
template <int D>
std::pair<double, double> sums(const Tank<D>& tank, const Interface<D>& interface, int axis) {
    double faces = 0, fluid = 0;
    for (const BodyFace& f : interface.faces)
        if (f.axis == axis) faces += 1, fluid += f.fluid + f.open;
    faces += static_cast<double>(interface.full.size()) * Brick<D>::cells;
    return {(faces - fluid) * std::pow(tank.grid.dx, D), fluid};
}

// numerics/interface 2: a voxel-aligned box has bound faces of share 1/2, and nothing else moves with it.
TEST(Interface, AlignedBoxHasHalfFullDualCells) {
    Tank<2> tank(Coord2(64, 64));
    tank.add(std::make_shared<Box<2>>(Vec2(12, 6)), 1000, Vec2(30, 33));
    const auto interface = tank.interface();
    int bound = 0;
    double fluid = 0;
    for (const BodyFace& f : interface.faces) {
        fluid += f.fluid;
        // Fractions of a piecewise linear distance round the corners off, by 0.085 of a dual cell there.
        EXPECT_NEAR(f.fluid, f.kind == FaceKind::buried ? 0 : 0.5, 0.1 + 1e-12);
        if (f.kind == FaceKind::buried) continue;
        ++bound;
        EXPECT_NE(f.low_fluid, f.high_fluid);
    }
    EXPECT_EQ(bound, 2 * (12 + 6));
    EXPECT_NEAR(fluid, 0.5 * bound, 1e-10);
    int solid = 0;
    for (MaskValue s : interface.solid.values()) solid += s;
    EXPECT_EQ(solid, 72);
}

// The faces around what a shell holds move with the shell alone, however near another solid is: with a millionth of a
// plate's motion in them, the fluid inside asked a light shell for the plate's speed a million times over.
template <int D>
void expect_own_faces(InterfaceScheme scheme) {
    for (int n = 0; n < 20; ++n) {
        const double above = 0.05 + 0.1 * n;  // from the shell's lid to the plate
        Tank<D> tank(Coord<D>::Constant(D == 2 ? 32 : 24));
        tank.scheme = scheme;
        Vec<D> middle = Vec<D>::Constant(D == 2 ? 16.3 : 12.3);
        const Vec<D> edges = Vec<D>::Constant(D == 2 ? 9.2 : 6.2);
        set_shape<D>(tank.bodies.emplace_back(), std::make_shared<Box<D>>(edges), 1000, 0.02, {middle, {}}, "shell");
        const auto inside = [&, middle](const Vec<D>& x) {
            return ((x - middle).array().abs() < 0.5 * edges.array()).all();
        };
        middle[1] += 0.5 * edges[1] + above + 1.5;
        tank.add(std::make_shared<Box<D>>(Vec<D>::Constant(3)), 1000, middle);
        const auto interface = tank.interface();
        int closed = 0;
        for (const BodyFace& f : interface.faces) {
            const Coord<D> cell = first_cell<D>(tank.set->brick(f.slot)) + local_coord<D>(f.local);
            const Coord<D> below = cell - Coord<D>::Unit(f.axis);
            if (inside(tank.grid.cell_centre(cell)) == inside(tank.grid.cell_centre(below))) continue;
            ++closed;
            for (int s = f.first; s < f.first + f.count; ++s) {
                const FaceShare& share = interface.shares[static_cast<std::size_t>(s)];
                EXPECT_EQ(share.weight, share.body == 0 ? 1 : 0) << "plate " << above << " cells above";
            }
        }
        EXPECT_EQ(closed, D == 2 ? 4 * 9 : 6 * 6 * 6);
    }
}
TEST(Interface, WhatComesNearAShellDoesNotMoveItsFaces) {
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional}) {
        expect_own_faces<2>(scheme);
        expect_own_faces<3>(scheme);
    }
}

// Archimedes needs this: whatever the shape and the turn, the solid counted in the dual cells of each axis is the body.
template <int D>
void expect_volume(std::shared_ptr<const Shape<D>> shape, int cells) {
    for (int n = 0; n < 6; ++n) {
        const double angle = std::array{0.0, 0.37, 1.1}[static_cast<std::size_t>(n % 3)];
        Tank<D> tank(Coord<D>::Constant(cells));
        tank.scheme = n < 3 ? InterfaceScheme::constraint : InterfaceScheme::fractional;
        tank.add(shape, 1000, Vec<D>::Constant(0.5 * cells + 0.23), turned_by<D>(angle));
        const auto interface = tank.interface();
        for (int a = 0; a < D; ++a) {
            EXPECT_NEAR(sums<D>(tank, interface, a).first, tank.bodies[0].volume, 1e-10 * tank.bodies[0].volume)
                << "axis " << a << ", angle " << angle;
            EXPECT_NEAR(interface.uncounted[0][static_cast<std::size_t>(a)], 0, 1e-10 * tank.bodies[0].volume);
        }
        for (const BodyFace& f : interface.faces) {
            ASSERT_GE(f.fluid, 0);
            ASSERT_GE(f.open, 0);
            ASSERT_LE(f.fluid + f.open, 1);
        }
    }
}
TEST(Interface, CountsTheWholeVolumeOfAnyBody) {
    expect_volume<2>(std::make_shared<Sphere<2>>(5.3), 40);
    expect_volume<2>(std::make_shared<Box<2>>(Vec2(11.4, 3.1)), 40);
    expect_volume<3>(std::make_shared<Sphere<3>>(4.2), 24);
    expect_volume<3>(std::make_shared<Box<3>>(Vec3(9.3, 4.1, 6.2)), 24);
    expect_volume<3>(std::make_shared<Torus>(5.0, 2.2), 24);
    expect_volume<3>(std::make_shared<Sphere<3>>(14.0), 48);  // with bricks wholly inside
}

// A plate much thinner than a cell cuts every face that it crosses, on both sides, wherever it lies.
TEST(Interface, ThinPlateIsTight) {
    for (int n = 0; n < 12; ++n) {
        const double offset = std::array{0.0, 0.25, 0.5, 0.7}[static_cast<std::size_t>(n % 4)];
        const double thickness = n < 8 ? 0.05 : 1.0;
        Tank<3> tank(Coord3::Constant(24));
        tank.scheme = n < 4 ? InterfaceScheme::constraint : InterfaceScheme::fractional;
        tank.add(std::make_shared<Box<3>>(Vec3(40, thickness, 40)), 1000, Vec3(12, 11.5 + offset, 12),
                 turned_by<3>(0.05 * offset));
        tank.bodies[0].type = BodyType::fixed;
        const auto interface = tank.interface();
        // No way from floor to ceiling through free faces: flood from below.
        std::vector<Coord3> front{Coord3(3, 2, 3)};
        Mask<3> seen(tank.set, 0);
        seen.ref(front[0]) = 1;
        std::size_t reached = 1;
        while (!front.empty()) {
            const Coord3 cell = front.back();
            front.pop_back();
            for (int a = 0; a < 3; ++a)
                for (int step : {-1, 1}) {
                    Coord3 next = cell;
                    next[a] += step;
                    if (!tank.grid.contains(next) || interface.dry.at(next) != 0 || seen.at(next) != 0) continue;
                    const Coord3 face = step > 0 ? next : cell;
                    const auto kind = static_cast<FaceKind>(interface.kind[a].at(face));
                    if (kind == FaceKind::bound || kind == FaceKind::buried) continue;
                    seen.ref(next) = 1;
                    front.push_back(next);
                    ++reached;
                    ASSERT_LT(next[1], 15) << "offset " << offset;
                }
        }
        EXPECT_GT(reached, 24u * 24u * 8u);
    }
}

/// A closed room of plates at some place and turn: cells that are reached from inside through open ways, as far as they
/// lie beyond the plates.
template <int D>
int escapes(double wall, double angle, const Vec<D>& shift) {
    constexpr int n = 40;
    constexpr double inner = 14;
    Tank<D> tank(Coord<D>::Constant(n));
    tank.scheme = InterfaceScheme::fractional;
    const Rotation<D> turn = turned_by<D>(angle);
    const Vec<D> middle = Vec<D>::Constant(0.5 * n) + shift;
    Pose<D> pose(middle, turn);
    for (int a = 0; a < D; ++a)
        for (const double side : {-1.0, 1.0}) {
            Vec<D> size = Vec<D>::Constant(inner + 2 * wall);
            size[a] = wall;
            tank.add(std::make_shared<Box<D>>(size), 1000,
                     pose.to_world(Vec<D>(0.5 * side * (inner + wall) * Vec<D>::Unit(a))), turn);
        }
    const auto interface = tank.interface();
    const Mask<D> ways = open_ways<D>(interface);
    std::vector<Coord<D>> front{Coord<D>(middle.template cast<int>())};
    Mask<D> seen(tank.set, 0);
    seen.ref(front[0]) = 1;
    int out = 0;
    while (!front.empty()) {
        const Coord<D> cell = front.back();
        front.pop_back();
        if (interface.solid.at(cell) == 0 &&
            pose.to_body(tank.grid.cell_centre(cell)).cwiseAbs().maxCoeff() > 0.5 * inner + wall)
            ++out;
        for (int k = 0; k < 2 * D; ++k) {
            Coord<D> next = cell;
            next[k / 2] += 2 * (k % 2) - 1;
            if ((ways.at(cell) >> k & 1) == 0 || !tank.grid.contains(next) || seen.at(next) != 0) continue;
            seen.ref(next) = 1;
            front.push_back(next);
        }
    }
    return out;
}

// Rooms with walls of any thickness keep what is in them: at the feet of walls and in slanting ones fluids of the two
// sides would meet in cells with a solid centre.
TEST(Interface, ClosedRoomsAreTight) {
    const Random random(3);
    for (std::uint64_t k = 0; k < 80; ++k) {
        const auto draw = [&](int i) { return random.uniform(8 * k + static_cast<std::uint64_t>(i)); };
        const double wall = 0.2 + 2 * draw(0), angle = k % 3 == 0 ? 0 : 3 * draw(1);
        EXPECT_EQ(escapes<2>(wall, angle, Vec2(draw(2), draw(3))), 0) << k << ": walls of " << wall << " at " << angle;
    }
}

TEST(Interface, SharedFacesAreSplitBetweenBodies) {
    Tank<2> tank(Coord2(32, 32));
    // Two boxes 0.2 cells apart: the face between their cells belongs to both.
    tank.add(std::make_shared<Box<2>>(Vec2(4, 4)), 1000, Vec2(14.2, 16));
    tank.add(std::make_shared<Box<2>>(Vec2(4, 4)), 1000, Vec2(18.4, 16));
    const auto interface = tank.interface();
    int shared = 0;
    for (const BodyFace& f : interface.faces) {
        double weights = 0;
        int movers = 0;
        for (int s = f.first; s < f.first + f.count; ++s) {
            weights += interface.shares[static_cast<std::size_t>(s)].weight;
            movers += interface.shares[static_cast<std::size_t>(s)].weight > 0;
        }
        EXPECT_NEAR(weights, 1, 1e-12);
        shared += movers > 1;
    }
    EXPECT_GT(shared, 0);
}

}  // namespace
}  // namespace tidelock
