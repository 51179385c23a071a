/// Trapped air: numerics/bubbles, numerics/cases 4 with a bubble.
#include <gtest/gtest.h>

#include "couple/bubble_surface.h"
#include "tank.h"

namespace tidelock {
namespace {

constexpr double pull = 9.81;

template <int D>
struct BubbleTank : Tank<D> {
    BubbleState<D> state;
    std::vector<CellPlace> vents;
    std::vector<PouredCell<D>> poured;
    using Tank<D>::Tank;

    Bubbles<D> solve(double dt, double tolerance) {
        const auto interface =
            build_interface<D>(this->grid, this->set, RigidSurfaces<D>(this->bodies), InterfaceScheme::fractional);
        auto phi = this->distances();
        settle_in_solids<D>(this->grid, interface, RigidSurfaces<D>(this->bodies), this->gravity, phi);
        auto contents = liquid_contents<D>(this->grid, interface, phi);
        Bubbles<D> bubbles = find_bubbles<D>({{this->grid, this->sides, interface, vents}, dt, nullptr, poured},
                                             {phi, nullptr, contents}, state);
        const auto faces =
            liquid_faces<D>(this->medium(), interface, RigidSurfaces<D>(this->bodies),
                            {phi, std::move(contents), bubbles.merged(), bubbles.sources(this->grid.dx, dt)});
        const CoupledSystem<D> system(faces, interface, this->bodies);
        this->weigh(dt);
        SolveOptions options;
        options.tolerance = tolerance;
        report = Tank<D>::solve(system, dt, options).solve;
        this->flow = this->measure(system);
        return bubbles;
    }
    [[nodiscard]] double pressure_in(const Bubble& bubble) const {
        return this->pressure.brick(bubble.cells[0].slot)[bubble.cells[0].local];
    }
    /// What flows out of the bubbles' cells, per area of a face [m/s].
    [[nodiscard]] double outflow(const Bubble& bubble) const {
        double sum = 0;
        for (const CellPlace& at : bubble.cells) {
            const Coord<D> cell = first_cell<D>(this->set->brick(at.slot)) + local_coord<D>(at.local);
            for (int a = 0; a < D; ++a) {
                Coord<D> above = cell;
                above[a] += 1;
                sum += this->velocity[a].at(above) - this->velocity[a].at(cell);
            }
        }
        return sum;
    }
    SolveReport report;
};

/// An upside-down cup in a pool: the air in it has a flat surface, lower than the pool's.
BubbleTank<2> diving_bell() {
    Sides<2> sides;
    sides.open[1][1] = true;
    BubbleTank<2> tank(Coord2(40, 40), 1.0 / 40, sides);
    const auto wall = [&](const Vec2& size, const Vec2& at) {
        tank.add(std::make_shared<Box<2>>(size), 1000, at);
        tank.bodies.back().type = BodyType::fixed;
    };
    wall({0.5, 0.1}, {0.5, 0.6});
    wall({0.1, 0.3}, {0.3, 0.42});
    wall({0.1, 0.3}, {0.7, 0.42});
    tank.liquid = [](const Vec2& x) {
        const bool in_bell = std::abs(x[0] - 0.5) < 0.23 && x[1] < 0.63;  // within the walls
        return in_bell ? x[1] - 0.4137 : x[1] - 0.8071;
    };
    return tank;
}

// numerics/bubbles 1: the air in the bell has the pressure of the water at its surface, and nothing moves.
TEST(Bubbles, ADivingBellHasTheDepthOfItsSurface) {
    auto tank = diving_bell();
    const auto bubbles = tank.solve(0.01, 1e-13);
    EXPECT_TRUE(tank.report.converged());
    ASSERT_EQ(bubbles.list.size(), 1u);
    const double expected = tank.density * pull * (0.8071 - 0.4137);
    EXPECT_NEAR(tank.pressure_in(bubbles.list[0]) / expected, 1, 1e-10);
    EXPECT_LT(tank.flow.max_speed / std::sqrt(pull), 1e-10);
    EXPECT_LT(tank.flow.max_divergence, 1e-9);
}

// Without rows for it, the water in the bell would shoot up.
TEST(Bubbles, WithoutItsPressureTheBellFills) {
    auto tank = diving_bell();
    EXPECT_TRUE(tank.release(0.01).converged());
    EXPECT_GT(tank.flow.max_speed, 0.5 * pull * 0.01);
}

template <int D>
BubbleTank<D> pool_with_bubbles(bool open, int n) {
    Sides<D> sides;
    sides.open[1][1] = open;
    BubbleTank<D> tank(Coord<D>::Constant(n), 1.0 / n, sides);
    Vec<D> a = Vec<D>::Constant(0.5), b = Vec<D>::Constant(0.5);
    a[0] = 0.3, a[1] = 0.25;
    b[0] = 0.7, b[1] = 0.45;
    tank.liquid = [=](const Vec<D>& x) {
        return std::max({x[1] - 0.813, 0.13 - (x - a).norm(), 0.09 - (x - b).norm()});
    };
    return tank;
}

// numerics/bubbles 1: what flows in flows out, to the solver's tolerance; in a closed tank too.
TEST(Bubbles, KeepTheirVolume) {
    for (const bool open : {true, false}) {
        auto plane = pool_with_bubbles<2>(open, 48);
        const auto found = plane.solve(0.01, 1e-12);
        EXPECT_TRUE(plane.report.converged());
        ASSERT_EQ(found.list.size(), 2u);
        for (const auto& bubble : found.list) EXPECT_NEAR(plane.outflow(bubble) / plane.flow.max_speed, 0, 1e-9);
        auto space = pool_with_bubbles<3>(open, 24);
        const auto there = space.solve(0.01, 1e-12);
        ASSERT_EQ(there.list.size(), 2u);
        for (const auto& bubble : there.list) EXPECT_NEAR(space.outflow(bubble) / space.flow.max_speed, 0, 1e-9);
    }
}

// Measured by the shares of cells, whose surfaces are chords: of a circle they lose up to (h / R)^2 / 4.
/// Where particles make the surface spray counts for too much: what a bubble seems to lack step after step must not
/// make it ask for ever more, as it does where a level set is lost.
TEST(Bubbles, AskForNoMoreThanTheyLackWhereParticlesMakeTheSurface) {
    for (const bool particles : {true, false}) {
        Bubbles<2> bubbles{.list = {{.volume = 0.099, .target = 0.1, .cells = {}, .shell = {}}},
                           .from_particles = particles};
        const double at_first = bubbles.source(0, 0.01, 1);
        EXPECT_GT(at_first, 0);
        EXPECT_LT(at_first, 0.001);
        bubbles.list[0].missing = 0.001;
        EXPECT_EQ(bubbles.source(0, 0.01, 1) > at_first, !particles);
    }
}

/// A step is short because the flow is fast. If bubbles pushed the harder for it, it would be faster still.
TEST(Bubbles, PushNoHarderInShorterSteps) {
    const Bubbles<2> bubbles{.list = {{.volume = 0.099, .target = 0.1, .missing = 1e-5, .cells = {}, .shell = {}}}};
    EXPECT_GT(bubbles.source(0, 0.01, 1e-3), 0);
    EXPECT_EQ(bubbles.source(0, 0.01, 1e-3), bubbles.source(0, 0.01, 1e-9));
}

TEST(Bubbles, VolumesAreThoseOfTheLevelSet) {
    auto tank = pool_with_bubbles<2>(true, 96);
    const auto found = tank.solve(0.01, 1e-6);
    ASSERT_EQ(found.list.size(), 2u);
    const double large = 3.14159265 * 0.13 * 0.13, small = 3.14159265 * 0.09 * 0.09;
    const bool first_is_large = found.list[0].volume > found.list[1].volume;
    EXPECT_NEAR(found.list[first_is_large ? 0 : 1].volume / large, 1, 0.25 * std::pow(1 / (96 * 0.13), 2));
    EXPECT_NEAR(found.list[first_is_large ? 1 : 0].volume / small, 1, 0.25 * std::pow(1 / (96 * 0.09), 2));
}

// numerics/bubbles 3: merging adds, splitting shares; the sum stays.
TEST(Bubbles, MergingAndSplittingKeepTheSum) {
    auto tank = pool_with_bubbles<2>(true, 64);
    const auto two = tank.solve(0.01, 1e-6);
    ASSERT_EQ(two.list.size(), 2u);
    const double sum = two.list[0].target + two.list[1].target;
    const auto apart = *tank.liquid;
    tank.liquid = [=](const Vec2& x) {  // a channel between them
        const Vec2 a(0.3, 0.25), b(0.7, 0.45), way = (b - a).normalized();
        const double along = std::clamp((x - a).dot(way), 0.0, (b - a).norm());
        return std::max(apart(x), 0.05 - (x - a - along * way).norm());
    };
    const auto one = tank.solve(0.01, 1e-6);
    ASSERT_EQ(one.list.size(), 1u);
    EXPECT_NEAR(one.list[0].target, sum, 1e-12);
    tank.liquid = apart;
    const auto again = tank.solve(0.01, 1e-6);
    ASSERT_EQ(again.list.size(), 2u);
    EXPECT_NEAR(again.list[0].target + again.list[1].target, sum, 1e-12);
}

// A drain lets air in: the hole that it makes is no bubble, but open to the atmosphere.
TEST(Bubbles, VentsReachTheAtmosphere) {
    auto tank = pool_with_bubbles<2>(true, 64);
    const auto two = tank.solve(0.01, 1e-6);
    ASSERT_EQ(two.list.size(), 2u);
    tank.vents = {two.list[1].cells[5]};
    const auto one = tank.solve(0.01, 1e-6);
    ASSERT_EQ(one.list.size(), 1u);
    EXPECT_EQ(one.list[0].cells, two.list[0].cells);
    EXPECT_EQ(one.list[0].target, two.list[0].target);
    EXPECT_EQ(tank.pressure_in(two.list[1]), 0);
    EXPECT_GT(tank.pressure_in(one.list[0]), 0);
}

// What joins the atmosphere is no bubble any more, and nobody else gets its volume.
TEST(Bubbles, JoiningTheAtmosphereEndsABubble) {
    auto tank = pool_with_bubbles<2>(true, 64);
    const auto two = tank.solve(0.01, 1e-6);
    ASSERT_EQ(two.list.size(), 2u);
    const double small = std::min(two.list[0].target, two.list[1].target);
    const auto apart = *tank.liquid;
    // A shaft from the large one to the surface, close to the small one.
    tank.liquid = [=](const Vec2& x) {
        const double shaft = std::max(std::abs(x[0] - 0.3) - 0.04, 0.25 - x[1]);
        return std::max(apart(x), -shaft);
    };
    const auto one = tank.solve(0.01, 1e-6);
    ASSERT_EQ(one.list.size(), 1u);
    EXPECT_NEAR(one.list[0].target, small, 1e-12);
}

// A bubble of a few cells is foam, with the volume that is measured; when it vanishes, the other one gets it, however
// far away.
TEST(Bubbles, FoamHasNoPressureAndHandsItsVolumeOn) {
    auto tank = pool_with_bubbles<2>(true, 64);
    const auto foam = [](const Vec2& x) { return 0.022 - (x - Vec2(0.85, 0.12)).norm(); };
    const auto rest = *tank.liquid;
    tank.liquid = [=](const Vec2& x) { return std::max(rest(x), foam(x)); };
    const auto three = tank.solve(0.01, 1e-6);
    ASSERT_EQ(three.list.size(), 3u);
    double sum = 0;
    int small = 0;
    for (const Bubble& b : three.list) {
        sum += b.target;
        small += b.foam ? 1 : 0;
        EXPECT_EQ(b.foam, b.cells.size() < 9);
    }
    EXPECT_EQ(small, 1);
    tank.liquid = rest;
    const auto two = tank.solve(0.01, 1e-6);
    ASSERT_EQ(two.list.size(), 2u);
    EXPECT_NEAR(two.list[0].target + two.list[1].target, sum, 1e-12);
}

/// A shell above a pool, its room `reach` cells wide at least.
BubbleTank<2> falling_shell(double reach, double angle) {
    Sides<2> sides;
    sides.open[1][1] = true;
    BubbleTank<2> tank(Coord2(32, 32), 1.0 / 32, sides);
    RigidBody<2> body;
    body.name = "shell";
    const double size = (reach + 1) / 32;
    set_shape<2>(body, std::make_shared<Box<2>>(Vec2(size, size)), 100, 1.0 / 32,
                 {Vec2(0.51, 0.72), turned_by<2>(angle)}, "shell");
    body.velocity = Vec2(0.4, -0.5);
    body.set_twist((Twist<2>() << 0.4, -0.5, 2).finished());
    tank.bodies.push_back(body);
    tank.liquid = [](const Vec2& x) { return x[1] - 0.3; };
    return tank;
}

// Air that solids alone enclose pushes on nobody, however its faces add up in rounding: the shell falls as if it were
// empty. Little of it is no liquid either.
TEST(Bubbles, AirWithinAShellIsNoBurden) {
    constexpr double dt = 0.01;
    for (const double reach : {1.5, 2.5, 5.0})
        for (int k = 0; k < 6; ++k) {
            auto tank = falling_shell(reach, 0.1 + 0.25 * k);
            const auto bubbles = tank.solve(dt, 1e-9);
            EXPECT_LE(bubbles.list.size(), 1u);
            for (const Bubble& bubble : bubbles.list) EXPECT_FALSE(bubble.foam) << reach << " cells, " << k;
            EXPECT_TRUE(tank.report.converged()) << reach << " cells, " << k << ": " << tank.report.residual;
            EXPECT_LE(tank.report.iterations, 20) << reach << " cells, " << k;
            const Vec2 gained = tank.bodies[0].velocity - Vec2(0.4, -0.5);
            EXPECT_NEAR(gained[0], 0, 1e-9) << reach << " cells, " << k;
            EXPECT_NEAR(gained[1], -pull * dt, 1e-9) << reach << " cells, " << k;
            EXPECT_NEAR(tank.bodies[0].angular_velocity()[0], 2, 1e-7) << reach << " cells, " << k;
        }
}

/// Surface, markers and bubbles of a pool with two of them, found twice; in between their radii change by `shrink`.
template <int D>
struct Shrunk {
    Grid<D> grid;
    Field<D, double> before, phi;  ///< after the change, and restored
    CellContents<D> contents;
    Markers<D> markers;
    Bubbles<D> first, second;

    Shrunk(int n, double shrink) {
        auto tank = pool_with_bubbles<D>(true, n);
        grid = tank.grid;
        auto interface = build_interface<D>(grid, tank.set, RigidSurfaces<D>({}), InterfaceScheme::fractional);
        phi = tank.distances();
        contents = liquid_contents<D>(grid, interface, phi);
        first = find_bubbles<D>({{grid, tank.sides, interface, {}}, 1e-3, nullptr, {}}, {phi, &markers, contents},
                                tank.state);
        const auto old = *tank.liquid;
        tank.liquid = [=, this](const Vec<D>& x) { return x[1] > 0.7 ? old(x) : old(x) - shrink * grid.dx; };
        phi = tank.distances();
        before = tank.distances();
        contents = liquid_contents<D>(grid, interface, phi);
        reseed_markers<D>(grid, {}, phi, 0, markers);
        second = find_bubbles<D>({{grid, tank.sides, interface, {}}, 1e-3, nullptr, {}}, {phi, &markers, contents},
                                 tank.state);
    }
};

template <class T>
class BubbleSurfaceTest : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BubbleSurfaceTest, Dimensions);

// The level set has lost 0.06 cells all around: it is moved back, its markers with it, and nothing else changes.
TYPED_TEST(BubbleSurfaceTest, AreMovedUntilTheVolumesAreThere) {
    constexpr int D = TypeParam::value;
    const int n = D == 2 ? 64 : 40;
    for (const double shrink : {0.06, -0.06}) {
        const Shrunk<D> pool(n, shrink);
        ASSERT_EQ(pool.second.list.size(), 2u);
        for (std::size_t i = 0; i < 2; ++i) {
            const Bubble &old = pool.first.list[i], &now = pool.second.list[i];
            EXPECT_NEAR(now.target, old.target, 1e-12);
            // What was missing: about 0.06 cells times the surface.
            const double missing = 0.06 * pool.grid.dx * ball_surface<D>(now.target);
            EXPECT_NEAR(now.volume, now.target, 2e-3 * missing);
            for (const CellPlace& at : now.cells) EXPECT_GE(pool.phi.brick(at.slot)[at.local], 0);
        }
        for (std::ptrdiff_t b = 0; b < pool.phi.set().count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const double here = pool.phi.brick(b)[i], old = pool.before.brick(b)[i];
                const Coord<D> at = first_cell<D>(pool.phi.set().brick(b)) + local_coord<D>(i);
                if (!pool.grid.contains(at)) continue;
                if (std::abs(old) > 3 * pool.grid.dx || pool.grid.cell_centre(at)[1] > 0.7)
                    EXPECT_EQ(here, old);
                else
                    EXPECT_LE(std::abs(here - old), 0.1 * pool.grid.dx);
                EXPECT_EQ(pool.contents.at(b, i) == CellContent::liquid, here < 0);
            }
    }
}

TYPED_TEST(BubbleSurfaceTest, TakeTheirMarkersAlong) {
    constexpr int D = TypeParam::value;
    const Shrunk<D> pool(D == 2 ? 64 : 40, 0.06);
    Markers<D> still;
    reseed_markers<D>(pool.grid, {}, pool.before, 0, still);
    ASSERT_EQ(still.size(), pool.markers.size());
    Sampler<D, double> before(pool.before, Centring<D>::cell(), pool.grid),
        after(pool.phi, Centring<D>::cell(), pool.grid);
    int moved = 0;
    for (std::size_t p = 0; p < still.position.size(); ++p) {
        const double old = before.linear(pool.grid.to_cells(still.position[p]));
        if (still.position[p][1] > 0.7 || std::abs(old) > pool.grid.dx) continue;
        ++moved;
        EXPECT_NEAR(after.linear(pool.grid.to_cells(pool.markers.position[p])), old, 0.02 * pool.grid.dx);
    }
    EXPECT_GT(moved, 100);
}

// A bubble that has its volume is left to the bit.
TYPED_TEST(BubbleSurfaceTest, StayWhereNothingIsMissing) {
    constexpr int D = TypeParam::value;
    const Shrunk<D> pool(32, 0.0);
    for (std::ptrdiff_t b = 0; b < pool.phi.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) ASSERT_EQ(pool.phi.brick(b)[i], pool.before.brick(b)[i]);
}

// At most 6 iterations more than the same pool without bubbles' pressures.
TEST(Bubbles, CostFewIterations) {
    auto with = pool_with_bubbles<3>(true, 48);
    (void)with.solve(0.01, 1e-6);
    auto without = pool_with_bubbles<3>(true, 48);
    const auto plain = without.release(0.01, 1e-6);
    EXPECT_TRUE(with.report.converged());
    EXPECT_LE(with.report.iterations, plain.iterations + 6);
}

}  // namespace
}  // namespace tidelock
