#include "fluid/particle_seeding.h"

#include <numbers>

#include "couple/solid_obstacles.h"
#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class ParticleSeeding : public testing::Test {};
TYPED_TEST_SUITE(ParticleSeeding, Dimensions);

template <int D>
Vec<D> middle() {
    return Vec<D>::Constant(0.5);
}

TYPED_TEST(ParticleSeeding, OneParticleInEachPartOfAFullCell) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(20);
    const auto particles = seed_particles<D>(
        grid, [](const Vec<D>&) { return -1.0; }, 1, true);
    ASSERT_EQ(particles.size(), static_cast<std::ptrdiff_t>(std::pow(40, D)));
    EXPECT_EQ(particles.affine.size(), particles.position.size());
    std::vector<char> seen(particles.position.size());
    for (const Vec<D>& x : particles.position) {
        const Coord<D> part = (40 * x.array()).floor().template cast<int>();
        std::size_t index = 0;
        for (int a = 0; a < D; ++a) index = index * 40 + static_cast<std::size_t>(part[a]);
        EXPECT_EQ(seen[index], 0);
        seen[index] = 1;
    }
}

TYPED_TEST(ParticleSeeding, NumberFollowsTheVolumeAndNoneIsOutside) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 100 : 40);
    const auto shape = ball<D>(middle<D>(), 0.3);
    const auto particles = seed_particles<D>(grid, shape, 5, false);
    for (const Vec<D>& x : particles.position) EXPECT_LT(shape(x), 0);
    const double volume = D == 2 ? std::numbers::pi * 0.09 : 4. / 3 * std::numbers::pi * 0.027;
    const double counted = static_cast<double>(particles.size()) * std::pow(0.5 * grid.dx, D);
    // Only parts at the surface are left to chance, each with a variance of at most 1/4; five standard deviations.
    const double parts =
        (D == 2 ? 2 * std::numbers::pi * 0.3 : 4 * std::numbers::pi * 0.09) * 2 * std::pow(0.5 * grid.dx, 1 - D);
    EXPECT_NEAR(counted, volume, 5 * 0.5 * std::sqrt(parts) * std::pow(0.5 * grid.dx, D));
}

// A cell's seeds are the same in any domain and on any number of threads; another seed gives others.
TYPED_TEST(ParticleSeeding, SeedsDependOnSeedAndCellOnly) {
    constexpr int D = TypeParam::value;
    const Grid<D> small{Coord<D>::Constant(40), 1.0, Vec<D>::Zero()},
        large{Coord<D>::Constant(400), 1.0, Vec<D>::Zero()};
    const auto shape = ball<D>(Vec<D>::Constant(20), 9);
    const auto seeded = [&](const Grid<D>& grid, std::uint64_t seed) {
        auto particles = seed_particles<D>(grid, shape, seed, false);
        (void)sort_particles<D>(grid, bricks_of_particles<D>(grid, particles.position, 0), particles);
        return particles;
    };
    EXPECT_TRUE(same_on_any_threads([&] { return seeded(small, 1); }));
    EXPECT_TRUE(same_bits(seeded(small, 1), seeded(large, 1)));
    EXPECT_FALSE(same_bits(seeded(small, 1), seeded(small, 2)));
}

TYPED_TEST(ParticleSeeding, CarvingLeavesNothingInSolids) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    auto particles = seed_particles<D>(grid, ball<D>(middle<D>(), 0.3), 1, false);
    const auto solid = ball<D>(Vec<D>::Constant(0.6), 0.1);
    const auto before = particles.size();
    const auto carved = carve_particles<D>(particles, solid, 0.01);
    EXPECT_GT(carved, 0);
    EXPECT_EQ(particles.size(), before - carved);
    for (const Vec<D>& x : particles.position) EXPECT_GE(solid(x), 0.01);
}

/// A ball of particles with a hole eaten into it and others crowded in one place.
template <int D>
Particles<D> uneven(const Grid<D>& grid, std::uint64_t crowd = 300) {
    auto particles = seed_particles<D>(grid, ball<D>(middle<D>(), 0.3), 1, true);
    (void)carve_particles<D>(particles, ball<D>(middle<D>(), 0.08), 0);
    const Random random(9);
    for (std::uint64_t i = 0; i < crowd; ++i)
        particles.add(middle<D>() + 0.2 * Vec<D>::Unit(0) + 2 * grid.dx * (random.point<D>(i) - middle<D>()));
    return particles;
}

TYPED_TEST(ParticleSeeding, ResamplingBringsEveryInnerCellIntoItsBounds) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 32);
    const auto shape = ball<D>(middle<D>(), 0.3);
    const auto solid = ball<D>(middle<D>() - 0.15 * Vec<D>::Unit(1), 0.05);
    std::vector<RigidBody<D>> bodies(1);
    set_shape<D>(bodies[0], std::make_shared<Sphere<D>>(0.05), 1, 0, {middle<D>() - 0.15 * Vec<D>::Unit(1), {}},
                 "ball");
    const auto resampled = [&](std::uint64_t round) {
        auto particles = uneven<D>(grid);
        (void)carve_particles<D>(particles, solid, 0.02 * grid.dx);
        const auto set = bricks_of_particles<D>(grid, particles.position, 2);
        const auto cells = sort_particles<D>(grid, set, particles);
        Field<D, double> phi(set, 1.0);
        fill_cells<D>(grid, phi, shape);
        FaceField<D, double> u(set, 0.0);
        fill_faces<D>(grid, u, [&](const Vec<D>& x) { return Vec<D>(2 * x); });
        const SolidObstacles<D> solids = standing_obstacles<D>(grid, *set, standing_surfaces<D>(bodies));
        const auto count = particles.size();
        ResampleOptions<D> options;
        options.round = round;
        const auto report = resample_particles<D>({grid, phi, u, &solids}, cells, options, particles);
        EXPECT_GT(report.added, 0);
        EXPECT_GT(report.removed, 0);
        EXPECT_EQ(particles.size(), count + report.added - report.removed);
        for (auto p = static_cast<std::size_t>(particles.size() - report.added); p < particles.position.size(); ++p) {
            const Vec<D> x = particles.position[p];
            EXPECT_LT(shape(x), -0.4 * grid.dx);  // half a cell, less the error of interpolating the distance
            EXPECT_GE(solid(x), 0.02 * grid.dx);
            EXPECT_LT((particles.velocity[p] - 2 * x).norm(), 1e-12);
            EXPECT_LT((particles.affine[p] - 2 * Mat<D>::Identity()).norm(), 1e-12);
        }
        return particles;
    };
    auto particles = resampled(0);
    const auto cells = sort_particles<D>(grid, bricks_of_particles<D>(grid, particles.position, 0), particles);
    for (std::ptrdiff_t b = 0; b < cells.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Vec<D> x = grid.cell_centre(first_cell<D>(cells.set().brick(b)) + local_coord<D>(i));
            EXPECT_LE(cells.count(b, i), 2 * particles_per_cell<D>);
            const double reach = 0.5 * std::sqrt(double{D}) * grid.dx;
            if (shape(x) < -2 * reach && solid(x) > 2 * reach) {
                EXPECT_GE(cells.count(b, i), particles_per_cell<D> / 2);
            }
        }
    EXPECT_TRUE(same_on_any_threads([&] { return resampled(0); }));
    EXPECT_FALSE(same_bits(resampled(0), resampled(1)));
}

// The level set goes on into a solid as if it were liquid (couple/interface.h): behind a thin plate it is still deep.
TYPED_TEST(ParticleSeeding, NothingIsSeededBehindAThinPlate) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    const double plate = 0.5 + 0.5 * grid.dx;  // its middle, a cell's centre; half a cell thick
    Vec<D> edges = Vec<D>::Constant(2), at = middle<D>();
    edges[1] = 0.5 * grid.dx, at[1] = plate;
    std::vector<RigidBody<D>> bodies(1);
    set_shape<D>(bodies[0], std::make_shared<Box<D>>(edges), 1, 0, {at, {}}, "plate");
    const auto set = make_dense<D>(lattice_for<D>(grid.cells));
    Field<D, double> phi(set, 1.0);
    fill_cells<D>(grid, phi, [&](const Vec<D>& x) { return x[1] > plate - 0.5 * grid.dx ? -4 * grid.dx : grid.dx; });
    const FaceField<D, double> u(set, 0.0);
    const SolidObstacles<D> solids = standing_obstacles<D>(grid, *set, standing_surfaces<D>(bodies));
    Particles<D> particles;
    const auto cells = sort_particles<D>(grid, set, particles);
    const auto report = resample_particles<D>({grid, phi, u, &solids}, cells, {}, particles);
    EXPECT_GT(report.added, 0.4 * std::pow(64, D));
    for (const Vec<D>& x : particles.position) EXPECT_GT(x[1], plate);
}

TYPED_TEST(ParticleSeeding, ResamplingThatKeepsTheCountFillsTheDeepestHolesFromTheFullestCells) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 32);
    const auto shape = ball<D>(middle<D>(), 0.3);
    const auto resampled = [&](std::uint64_t crowd, ResampleReport& report) {
        auto particles = uneven<D>(grid, crowd);
        const auto set = bricks_of_particles<D>(grid, particles.position, 2);
        const auto cells = sort_particles<D>(grid, set, particles);
        Field<D, double> phi(set, 1.0);
        fill_cells<D>(grid, phi, shape);
        const FaceField<D, double> u(set, 0.0);
        ResampleOptions<D> options;
        options.keep_count = true;
        const auto count = particles.size();
        report = resample_particles<D>({grid, phi, u}, cells, options, particles);
        EXPECT_EQ(report.added, report.removed);
        EXPECT_EQ(particles.size(), count);
        return particles;
    };
    ResampleReport report;
    const auto particles = resampled(300, report);
    EXPECT_GT(report.added, 10);
    // The hole is in the middle, the deepest place of the ball.
    for (auto p = static_cast<std::size_t>(particles.size() - report.added); p < particles.position.size(); ++p)
        EXPECT_LT((particles.position[p] - middle<D>()).norm(), 0.08 + 2 * grid.dx);
    // Nobody to spare: nothing comes.
    (void)resampled(0, report);
    EXPECT_EQ(report.added, 0);
    EXPECT_TRUE(same_on_any_threads([&] { return resampled(300, report); }));
}

}  // namespace
}  // namespace tidelock
