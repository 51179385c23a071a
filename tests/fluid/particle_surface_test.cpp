#include "fluid/particle_surface.h"

#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class ParticleSurfaceTest : public testing::Test {};
TYPED_TEST_SUITE(ParticleSurfaceTest, Dimensions);

constexpr ParticleSurface both_kinds[] = {ParticleSurface::spheres, ParticleSurface::smooth};

template <int D>
Field<D, double> surface(const Grid<D>& grid, Particles<D>& particles, ParticleSurface kind) {
    const auto cells = sort_particles<D>(grid, bricks_of_particles<D>(grid, particles.position, 5), particles);
    return surface_of_particles<D>(grid, particles, cells, kind);
}

/// Calls f(x, phi / dx) for the cells of the domain.
template <int D, class F>
void for_each_cell(const Grid<D>& grid, const Field<D, double>& phi, F&& f) {
    for (std::ptrdiff_t b = 0; b < phi.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
            if (grid.contains(c)) f(grid.cell_centre(c), phi.brick(b)[i] / grid.dx);
        }
}

// A ball of seeded liquid. Smooth: the surface is within half a cell of the ball's everywhere, and in the mean where it
// is, but for the kernel's view of the curvature: 0.4 / R cells (particle_surface.h). Spheres: they reach r beyond the
// liquid at most, and a cell's corner inside it at most.
TYPED_TEST(ParticleSurfaceTest, BallOfParticlesIsABall) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 40);
    const auto shape = ball<D>(Vec<D>::Constant(0.5), 0.3);
    const double reach = 1.02 * 0.5 * std::sqrt(double{D});
    for (const auto kind : both_kinds) {
        auto particles = seed_particles<D>(grid, shape, 1, false);
        const auto phi = surface<D>(grid, particles, kind);
        const bool smooth = kind == ParticleSurface::smooth;
        double least = 0, most = 0, sum = 0;
        int count = 0;
        for_each_cell<D>(grid, phi, [&](const Vec<D>& x, double value) {
            const double exact = shape(x) / grid.dx;
            EXPECT_TRUE(exact > -0.5 || value < 0) << exact << " " << value;
            EXPECT_TRUE(exact < (smooth ? 0.5 : reach) || value > 0) << exact << " " << value;
            if (std::abs(exact) > 0.5) return;
            least = std::min(least, value - exact), most = std::max(most, value - exact);
            sum += value - exact, ++count;
        });
        const double bias = sum / count;
        if (smooth) {
            EXPECT_NEAR(bias, 0.4 / (0.3 / grid.dx), 0.05);
        } else {
            EXPECT_GT(least, -reach - 0.1);  // 0.1: first-order distances beside the surface
            EXPECT_LT(most, 0.5);
        }
        std::printf("%s %dD: phi - exact in [%.3f, %.3f] cells, mean %.3f\n", smooth ? "smooth" : "spheres", D, least,
                    most, bias);
    }
}

TYPED_TEST(ParticleSurfaceTest, LoneParticlesMakeTheirCellLiquid) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(48);
    const Random random(8);
    for (const auto kind : both_kinds)
        for (std::uint64_t k = 0; k < 50; ++k) {
            Particles<D> particles;
            particles.add(random.point<D>(k));
            const auto phi = surface<D>(grid, particles, kind);
            EXPECT_LT(phi.at(particle_cell<D>(grid, particles.position[0])), 0);
        }
}

// The sign of the union of spheres, against all particles.
TYPED_TEST(ParticleSurfaceTest, SpheresAreThoseOfAllParticles) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(24);
    const Random random(8);
    Particles<D> particles;
    for (std::uint64_t k = 0; k < (D == 2 ? 120 : 1200); ++k) particles.add(random.point<D>(k));
    const auto phi = surface<D>(grid, particles, ParticleSurface::spheres);
    for_each_cell<D>(grid, phi, [&](const Vec<D>& x, double value) {
        double nearest = 1;
        for (const Vec<D>& p : particles.position) nearest = std::min(nearest, (x - p).norm());
        EXPECT_EQ(value < 0, nearest < 1.02 * 0.5 * std::sqrt(double{D}) * grid.dx);
    });
}

// Liquid that fills half of a closed tank has no surface but its own.
TYPED_TEST(ParticleSurfaceTest, WallsAreNoSurface) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    for (const auto kind : both_kinds) {
        auto particles = seed_particles<D>(
            grid, [](const Vec<D>& x) { return x[1] - 0.5; }, 1, false);
        const auto phi = surface<D>(grid, particles, kind);
        for_each_cell<D>(grid, phi, [&](const Vec<D>& x, double value) {
            EXPECT_TRUE(x[1] > 0.5 || value < 0) << x.transpose();
            EXPECT_TRUE(x[1] < 0.5 + 1.5 * grid.dx || value > 0) << x.transpose();
        });
    }
}

// What is stored and what is found do not depend on the domain or on the threads.
TYPED_TEST(ParticleSurfaceTest, DependsOnTheLiquidAlone) {
    constexpr int D = TypeParam::value;
    const auto shape = ball<D>(Vec<D>::Constant(0.5), 0.15);
    const auto found = [&](int scale) {
        const Grid<D> grid{Coord<D>::Constant(32 * scale), 1.0 / 32, Vec<D>::Zero()};
        auto particles = seed_particles<D>(grid, shape, 1, false);
        return surface<D>(grid, particles, ParticleSurface::smooth);
    };
    const auto small = found(2), large = found(16);
    EXPECT_EQ(small.set().bricks(), large.set().bricks());
    EXPECT_EQ(std::memcmp(small.data(), large.data(), small.bytes()), 0);
    EXPECT_TRUE(same_on_any_threads([&] { return found(2); }));
}

}  // namespace
}  // namespace tidelock
