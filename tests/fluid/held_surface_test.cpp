#include "fluid/held_surface.h"

#include "fluid/particle_surface.h"
#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class HeldSurfaceTest : public testing::Test {};
TYPED_TEST_SUITE(HeldSurfaceTest, Dimensions);

/// What is carried, what particles make, and cells in solids.
template <int D>
struct Surfaces {
    Grid<D> grid = unit_grid<D>(D == 2 ? 48 : 24);
    double band = HoldOptions{}.distance.band * grid.dx;
    Particles<D> particles;
    Field<D, double> phi{make_dense<D>(lattice_for_faces<D>(grid.cells)), band};
    Field<D, double> made{phi.set_ptr(), band};
    Field<D, std::uint8_t> solid{phi.set_ptr(), 0};

    void carry(const DistanceFunction<D>& shape) {
        fill_cells<D>(grid, phi, [&](const Vec<D>& x) { return std::clamp(shape(x), -band, band); });
    }
    void seed(const DistanceFunction<D>& shape, std::uint64_t number = 1) {
        particles = seed_particles<D>(grid, shape, number, false);
    }
    void hold(bool with_solid = false) {
        const auto cells = sort_particles<D>(grid, phi.set_ptr(), particles);
        made = surface_of_particles<D>(grid, particles, cells, ParticleSurface::smooth);
        hold_surface<D>(grid, made, with_solid ? &solid : nullptr, nullptr, {}, phi);
    }
    template <class F>
    void for_each(F&& f) {
        for (std::ptrdiff_t b = 0; b < phi.set().count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
                if (grid.contains(cell)) f(grid.cell_centre(cell), b, i);
            }
    }
};

// Jittered particles make a surface that is off by a quarter of a cell and more; the level stays where it is, for
// levels at all heights in a cell.
TYPED_TEST(HeldSurfaceTest, ACalmLevelIsKeptToTheBit) {
    constexpr int D = TypeParam::value;
    double rough = 0;
    for (int k = 0; k < 10; ++k) {
        Surfaces<D> s;
        const double level = 0.5 + (k / 10.0 + 0.013) * s.grid.dx;
        const auto shape = [=](const Vec<D>& x) { return x[1] - level; };
        s.carry(shape);
        s.seed(shape, static_cast<std::uint64_t>(k));
        s.hold();
        s.for_each([&](const Vec<D>& x, std::ptrdiff_t b, int i) {
            const double exact = shape(x);
            if (std::abs(exact) >= s.grid.dx) return;
            EXPECT_EQ(s.phi.brick(b)[i], exact);
            rough = std::max(rough, std::abs(s.made.brick(b)[i] - exact) / s.grid.dx);
        });
    }
    EXPECT_GT(rough, 0.25);
}

// A level that was carried two cells too high or too low comes back to the grain of the particles' surface.
TYPED_TEST(HeldSurfaceTest, WhatIsFartherOffIsPulledBack) {
    constexpr int D = TypeParam::value;
    for (const double off : {-2.0, 2.0}) {
        Surfaces<D> s;
        s.carry([&](const Vec<D>& x) { return x[1] - 0.51 - off * s.grid.dx; });
        s.seed([](const Vec<D>& x) { return x[1] - 0.51; });
        s.hold();
        const double grain = HoldOptions{}.grain * s.grid.dx;
        int wrong = 0;
        s.for_each([&](const Vec<D>& x, std::ptrdiff_t b, int i) {
            const bool inner = x[0] > 2 * s.grid.dx && x[0] < 1 - 2 * s.grid.dx && x[D - 1] > 2 * s.grid.dx &&
                               x[D - 1] < 1 - 2 * s.grid.dx;
            if (!inner) return;  // beside the sides it may be deeper
            if (s.made.brick(b)[i] > grain) {
                EXPECT_GE(s.phi.brick(b)[i], 0) << x.transpose();
            }
            if (s.made.brick(b)[i] < -grain) {
                EXPECT_LT(s.phi.brick(b)[i], 0) << x.transpose();
            }
            wrong += (s.phi.brick(b)[i] < 0) != (x[1] < 0.51);
        });
        if (off > 0) {
            EXPECT_GT(wrong, 0);  // it is held, not replaced
        }
    }
}

// A drop and a sheet of one cell, of which the grid knows nothing (or of which nothing is left): the particles decide.
TYPED_TEST(HeldSurfaceTest, DropsAndSheetsAreTheParticles) {
    constexpr int D = TypeParam::value;
    Surfaces<D> s;
    const double h = s.grid.dx;
    const auto shape = [=](const Vec<D>& x) {
        return std::min(std::abs(x[1] - 0.3) - 0.5 * h, (x - Vec<D>::Constant(0.7)).norm() - 0.8 * h);
    };
    s.seed(shape);
    for (const bool carried : {false, true}) {
        s.carry([&](const Vec<D>& x) { return carried ? std::abs(x[1] - 0.55) - h : s.band; });
        s.hold();
        int liquid = 0;
        s.for_each([&](const Vec<D>& x, std::ptrdiff_t b, int i) {
            EXPECT_EQ(s.phi.brick(b)[i] < 0, s.made.brick(b)[i] < 0) << x.transpose();
            liquid += s.phi.brick(b)[i] < 0;
        });
        EXPECT_GT(liquid, 10);
    }
}

// A drop that comes down on a calm pool is liquid until it is in it.
TYPED_TEST(HeldSurfaceTest, ADropAboveAPoolIsLiquid) {
    constexpr int D = TypeParam::value;
    for (const double height : {1.2, 1.7, 2.3, 3.1}) {  // [cells]
        Surfaces<D> s;
        const auto pool = [](const Vec<D>& x) { return x[1] - 0.401; };
        s.carry(pool);
        s.seed(pool);
        Vec<D> place = Vec<D>::Constant(0.503);
        place[1] = 0.401 + height * s.grid.dx;
        s.particles.add(place);
        s.hold();
        const Coord<D> cell = particle_cell<D>(s.grid, place);
        EXPECT_EQ(s.phi.at(cell) < 0, s.made.at(cell) < 0) << height;
        EXPECT_TRUE(height < 1.5 || s.phi.at(cell) < 0) << height;  // nearer it makes one surface with the pool
    }
}

// Water that covers a solid by a cell is as thick as what it covers: its level is kept. Cells in the solid are let be.
TYPED_TEST(HeldSurfaceTest, AFilmOverASolidIsNoSheet) {
    constexpr int D = TypeParam::value;
    Surfaces<D> s;
    const double bed = 12 * s.grid.dx, level = bed + 1.13 * s.grid.dx;
    const auto shape = [=](const Vec<D>& x) { return x[1] - level; };
    s.carry(shape);
    s.seed([=](const Vec<D>& x) { return std::max(shape(x), bed - x[1]); });
    s.for_each([&](const Vec<D>& x, std::ptrdiff_t b, int i) { s.solid.brick(b)[i] = x[1] < bed; });
    s.hold(true);
    s.for_each([&](const Vec<D>& x, std::ptrdiff_t b, int i) {
        if (std::abs(shape(x)) < s.grid.dx) {
            EXPECT_EQ(s.phi.brick(b)[i], shape(x)) << x.transpose();
        }
        if (x[1] < bed) {
            EXPECT_LT(s.phi.brick(b)[i], 0) << x.transpose();
        }
    });
}

TYPED_TEST(HeldSurfaceTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    EXPECT_TRUE(same_on_any_threads([] {
        Surfaces<D> s;
        s.carry([](const Vec<D>& x) { return (x - Vec<D>::Constant(0.45)).norm() - 0.3; });
        s.seed(ball<D>(Vec<D>::Constant(0.5), 0.3));
        s.hold();
        return std::move(s.phi);
    }));
}

}  // namespace
}  // namespace tidelock
