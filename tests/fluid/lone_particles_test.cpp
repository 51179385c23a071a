#include "fluid/lone_particles.h"

#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class LoneParticlesTest : public testing::Test {};
TYPED_TEST_SUITE(LoneParticlesTest, Dimensions);

// A ball of seeded liquid, and a particle far from it that lies where a brick ends.
TYPED_TEST(LoneParticlesTest, OnlyTheyForgetTheirGradients) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 32);
    auto particles = seed_particles<D>(grid, ball<D>(Vec<D>::Constant(0.3), 0.15), 1, true);
    Vec<D> alone = Vec<D>::Constant(0.8);
    alone[1] = 0.5 + 0.1 * grid.dx;
    particles.add(alone);
    const Vec<D> velocity = 3 * Vec<D>::Unit(0);
    set_velocity<D>(
        particles, [&](const Vec<D>&) { return velocity; }, Mat<D>(Mat<D>::Constant(7)));
    const auto set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    const auto cells = sort_particles<D>(grid, set, particles);
    forget_lone_gradients<D>(cells, particles);
    int forgotten = 0;
    for (std::size_t p = 0; p < particles.position.size(); ++p) {
        const bool forgets = particles.affine[p].isZero(0);
        forgotten += forgets ? 1 : 0;
        EXPECT_EQ(forgets, particles.position[p] == alone) << particles.position[p].transpose();
        EXPECT_EQ(particles.velocity[p], velocity);
    }
    EXPECT_EQ(forgotten, 1);
    EXPECT_DOUBLE_EQ(fastest_particle<D>(particles), 3);
}

}  // namespace
}  // namespace tidelock
