#include "fluid/particles.h"

#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class ParticlesTest : public testing::Test {};
TYPED_TEST_SUITE(ParticlesTest, Dimensions);

/// Particles anywhere in the domain, in no order; the velocity remembers which one it was.
template <int D>
Particles<D> scattered(const Grid<D>& grid, int count) {
    const Random random(3);
    Particles<D> particles;
    particles.with_affine = true;
    for (int i = 0; i < count; ++i) {
        particles.add(grid.to_world(
            random.point<D>(static_cast<std::uint64_t>(i)).cwiseProduct(grid.cells.template cast<double>())));
        particles.velocity.back().setConstant(i);
        particles.affine.back().setConstant(i);
    }
    return particles;
}

TYPED_TEST(ParticlesTest, SortingKeepsEveryParticleAndItsOrderWithinACell) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 90 : 40);
    auto particles = scattered<D>(grid, 30000);
    const auto before = particles;
    const auto set = bricks_of_particles<D>(grid, particles.position, 1);
    const auto cells = sort_particles<D>(grid, set, particles);
    std::vector<char> seen(before.position.size());
    for (std::ptrdiff_t b = 0; b < set->count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i)
            for (auto p = cells.first(b, i); p < cells.end(b, i); ++p) {
                const auto k = static_cast<std::size_t>(p);
                ASSERT_EQ(particle_cell<D>(grid, particles.position[k]),
                          Coord<D>(first_cell<D>(set->brick(b)) + local_coord<D>(i)));
                const auto was = static_cast<std::size_t>(particles.velocity[k][0]);
                ASSERT_EQ(particles.position[k], before.position[was]);
                ASSERT_EQ(particles.affine[k](D - 1, 0), static_cast<double>(was));
                ASSERT_EQ(seen[was], 0);
                seen[was] = 1;
                if (p > cells.first(b, i)) {
                    EXPECT_LT(particles.velocity[k - 1][0], particles.velocity[k][0]);
                }
            }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), before.size());
}

TYPED_TEST(ParticlesTest, RunsOfABoxOfCellsAreItsParticles) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 90 : 30);
    auto particles = scattered<D>(grid, 20000);
    const auto cells = sort_particles<D>(grid, bricks_of_particles<D>(grid, particles.position, 1), particles);
    Coord<D> low = Coord<D>::Constant(-3), high = Coord<D>::Constant(5);
    high[0] = Brick<D>::size[0] + 2;
    for (std::ptrdiff_t b = 0; b < cells.set().count(); ++b) {
        const Coord<D> first = first_cell<D>(cells.set().brick(b));
        std::ptrdiff_t expected = 0, found = 0;
        const auto inside = [&](std::size_t p) {
            const Coord<D> c = particle_cell<D>(grid, particles.position[p]) - first;
            return (c.array() >= low.array()).all() && (c.array() <= high.array()).all();
        };
        for (std::size_t p = 0; p < particles.position.size(); ++p) expected += inside(p);
        cells.for_each_run(b, low, high, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (auto p = begin; p < end; ++p) found += inside(static_cast<std::size_t>(p));
            EXPECT_LT(begin, end);
        });
        EXPECT_EQ(found, expected);
    }
}

// The order does not depend on the threads, nor on what else is active.
TYPED_TEST(ParticlesTest, OrderDependsOnTheParticlesAlone) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 90 : 40);
    const auto sorted = [&](int rim) {
        auto particles = scattered<D>(grid, 20000);
        (void)sort_particles<D>(grid, bricks_of_particles<D>(grid, particles.position, rim), particles);
        return particles;
    };
    EXPECT_TRUE(same_on_any_threads([&] { return sorted(1); }));
    EXPECT_TRUE(same_bits(sorted(0), sorted(20)));
}

TYPED_TEST(ParticlesTest, WallsAndNumbersThatAreNoneCountToCellsOfTheDomain) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    EXPECT_EQ(particle_cell<D>(grid, Vec<D>::Ones()), Coord<D>::Constant(31));
    EXPECT_EQ(particle_cell<D>(grid, Vec<D>::Zero()), Coord<D>::Zero());
    EXPECT_EQ(particle_cell<D>(grid, Vec<D>::Constant(std::nan(""))), Coord<D>::Zero());
}

// A drop takes the same bricks in a small and in a huge domain.
TYPED_TEST(ParticlesTest, BricksFollowTheLiquidNotTheDomain) {
    constexpr int D = TypeParam::value;
    std::ptrdiff_t counts[2];
    for (const int scale : {1, 8}) {
        const int n = 64 * scale;
        const Grid<D> grid{Coord<D>::Constant(n), 1.0 / 64, Vec<D>::Zero()};
        const auto drop = seed_particles<D>(grid, ball<D>(Vec<D>::Constant(0.5), 0.1), 1, false);
        counts[scale > 1] = bricks_of_particles<D>(grid, drop.position, 3)->count();
    }
    EXPECT_EQ(counts[0], counts[1]);
    EXPECT_LE(counts[0], D == 2 ? 4 : 4 * 4 * 2);  // 13 cells and a rim of 3, in bricks of 32x32 or 16x8x8
}

TYPED_TEST(ParticlesTest, RemovingKeepsTheOthersInOrder) {
    constexpr int D = TypeParam::value;
    auto particles = scattered<D>(unit_grid<D>(16), 1000);
    std::vector<char> gone(1000);
    for (std::size_t p = 0; p < gone.size(); ++p) gone[p] = p % 3 == 1;
    remove_particles(particles, gone);
    ASSERT_EQ(particles.size(), 667);
    for (std::size_t p = 0; p < 667; ++p) {
        const std::size_t before = 3 * (p / 2) + 2 * (p % 2);
        EXPECT_EQ(particles.velocity[p][0], static_cast<double>(before));
    }
}

}  // namespace
}  // namespace tidelock
