#include "fluid/particle_displacement.h"

#include "fluid/particle_surface.h"
#include "fluid/particle_testing.h"
#include "fluid/volume.h"

namespace tidelock {
namespace {

using namespace testing_particles;

template <class T>
class DisplacementTest : public testing::Test {};
TYPED_TEST_SUITE(DisplacementTest, Dims);

/// A liquid of particles in a closed box, and what it should fill.
template <int D>
struct Pool {
    Grid<D> grid = unit_grid<D>(D == 2 ? 32 : 20);
    Sides<D> sides;
    Particles<D> particles;

    [[nodiscard]] double wanted() const {
        return static_cast<double>(particles.size()) * std::pow(grid.dx, D) / particles_per_cell<D>;
    }
    /// One pass; the volume of the level set before it.
    double pass(double& crowding) {
        const auto cells = sort_particles<D>(grid, bricks_of_particles<D>(grid, particles.position, 5), particles);
        const auto phi = surface_of_particles<D>(grid, particles, cells, ParticleSurface::smooth);
        const auto report = spread_crowded_particles<D>({grid, sides, phi}, nullptr, nullptr, cells, {}, particles);
        EXPECT_TRUE(report.solve.converged());
        EXPECT_EQ(report.motion.gone + report.motion.squeezed, 0);
        crowding = report.crowding;
        return liquid_volume<D>(grid, phi, nullptr);
    }
};

// A pool pressed together by a tenth, and one drawn out by 7 %: passes bring the volume back to that of the particles
// (by 1 % of the depth of some 15 cells: 0.15 cells), spread them evenly, and leave velocities to the bit.
TYPED_TEST(DisplacementTest, InjectedDriftIsRemovedAndMomentumKept) {
    constexpr int D = TypeParam::value;
    for (const double squeeze : {0.9, 1.07}) {
        Pool<D> pool;
        pool.particles = seed_particles<D>(
            pool.grid, [](const Vec<D>& x) { return x[1] - 0.5; }, 1, true);
        const Random random(4);
        for (std::size_t p = 0; p < pool.particles.position.size(); ++p) {
            pool.particles.position[p][1] *= squeeze;
            pool.particles.velocity[p] = random.point<D>(p);
            pool.particles.affine[p].setConstant(random.uniform(p, 9));
        }
        const auto momentum = [&] {
            Vec<D> sum = Vec<D>::Zero();
            for (const Vec<D>& v : pool.particles.velocity) sum += v;
            return sum;
        };
        const Vec<D> before = momentum();
        double crowding = 0, first = 0, volume = pool.pass(first);
        EXPECT_NEAR(volume / pool.wanted(), squeeze, 0.02);
        for (int k = 0; k < 12; ++k) volume = pool.pass(crowding);
        EXPECT_NEAR(volume / pool.wanted(), 1, 0.01) << squeeze;
        EXPECT_LT(crowding, 0.1 * first);
        // Sorting has changed the order of the sum.
        EXPECT_LT((momentum() - before).norm(), 1e-12 * before.norm());
    }
}

TYPED_TEST(DisplacementTest, VelocitiesKeepTheirBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    EXPECT_TRUE(same_on_any_threads([&] {
        Pool<D> pool;
        pool.particles = seed_particles<D>(pool.grid, ball<D>(Vec<D>::Constant(0.5), 0.3), 1, false);
        for (Vec<D>& x : pool.particles.position) x[0] = 0.5 + 0.8 * (x[0] - 0.5);
        set_velocity(pool.particles, [](const Vec<D>& x) { return x; });
        const auto cells =
            sort_particles<D>(pool.grid, bricks_of_particles<D>(pool.grid, pool.particles.position, 5), pool.particles);
        const auto phi = surface_of_particles<D>(pool.grid, pool.particles, cells, ParticleSurface::smooth);
        const auto before = pool.particles;
        const LiquidRegion<D> region{pool.grid, pool.sides, phi};
        (void)spread_crowded_particles<D>(region, nullptr, nullptr, cells, {}, pool.particles);
        EXPECT_TRUE(same_bits(before.velocity, pool.particles.velocity));
        EXPECT_FALSE(same_bits(before.position, pool.particles.position));
        for (std::size_t p = 0; p < before.position.size(); ++p)
            EXPECT_LT((pool.particles.position[p] - before.position[p]).norm(), 0.5 * pool.grid.dx);
        return pool.particles;
    }));
}

}  // namespace
}  // namespace tidelock
