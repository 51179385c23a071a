#include "fluid/drops.h"

#include "fluid/particle_surface.h"
#include "fluid/particle_testing.h"
#include "fluid/volume.h"

namespace tidelock {
namespace {

template <class T>
class DropsTest : public testing::Test {};
TYPED_TEST_SUITE(DropsTest, Dimensions);

// A ball of liquid keeps its level set; a lone particle far from it, of which that makes more than a cell, counts for what
// it stands for.
TYPED_TEST(DropsTest, CountByTheirParticles) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    auto particles = seed_particles<D>(grid, ball<D>(Vec<D>::Constant(0.3), 0.2), 1, false);
    const auto set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    const auto surface = [&] {
        return surface_of_particles<D>(grid, particles, sort_particles<D>(grid, set, particles),
                                       ParticleSurface::smooth, {});
    };
    auto phi = surface();
    const double whole = liquid_volume<D>(grid, phi);
    EXPECT_EQ(take_out_drops<D>(grid, particles, phi), 0);
    EXPECT_EQ(liquid_volume<D>(grid, phi), whole);
    particles.add(grid.cell_centre(Coord<D>::Constant(25)));
    phi = surface();
    const double one = std::pow(grid.dx, D) / particles_per_cell<D>;
    EXPECT_GT(liquid_volume<D>(grid, phi), whole + 2 * one) << "it looks like more";
    EXPECT_DOUBLE_EQ(take_out_drops<D>(grid, particles, phi), one);
    EXPECT_NEAR(liquid_volume<D>(grid, phi), whole, 1e-3 * one);
}

// Cells keep their level set within three cells of thick liquid, along axes and diagonals alike, over the sides of bricks.
TYPED_TEST(DropsTest, LieThreeCellsFromThickLiquid) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(48);
    const auto set = make_dense<D>(lattice_for<D>(grid.cells));
    const Random random(2);
    const double thick = -2 * grid.dx, thin = -0.1 * grid.dx;
    Field<D, double> phi(set, thin);
    std::vector<Coord<D>> deep;
    for (std::uint64_t k = 0; k < 12; ++k) {
        deep.push_back((48 * random.point<D>(k)).template cast<int>());
        phi.ref(deep.back()) = thick;
    }
    (void)take_out_drops<D>(grid, Particles<D>{}, phi);
    for (const auto& brick : set->bricks())
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(brick) + local_coord<D>(i);
            int near = 100;
            for (const auto& at : deep) near = std::min(near, (at - cell).cwiseAbs().maxCoeff());
            ASSERT_EQ(phi.brick(set->find(brick))[i], near == 0   ? thick
                                                      : near <= 3 ? thin
                                                                  : 2 * grid.dx)
                << cell.transpose();
        }
}

}  // namespace
}  // namespace tidelock
