#include "fluid/narrow_band.h"

#include "fluid/particle_surface.h"
#include "fluid/particle_testing.h"
#include "fluid/particle_transfer.h"
#include "geometry/fractions.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

template <class T>
class NarrowBandTest : public testing::Test {};
TYPED_TEST_SUITE(NarrowBandTest, Dimensions);

template <int D>
Field<D, double> level_set_of(const Grid<D>& grid, const DistanceFunction<D>& shape) {
    Field<D, double> phi(make_dense<D>(lattice_for_faces<D>(grid.cells)), 6 * grid.dx);
    fill_cells<D>(grid, phi, [&](const Vec<D>& x) { return std::clamp(shape(x), -6 * grid.dx, 6 * grid.dx); });
    return phi;
}

/// Cuts a full pool off below the band.
template <int D>
ResampleReport resample(const Grid<D>& grid, const Field<D, double>& phi, std::uint64_t round,
                        Particles<D>& particles) {
    const auto cells = sort_particles<D>(grid, phi.set_ptr(), particles);
    const FaceField<D, double> u(phi.set_ptr(), 0.0);
    return resample_particles<D>({grid, phi, u}, cells, band_resampling<D>({}, 1, round), particles);
}

// The number of particles is that of the band, 2^D times area times depth, whatever lies below; a pool at rest keeps
// every one of them, and one whose surface has risen gets what the band needs.
TYPED_TEST(NarrowBandTest, ParticlesFollowTheSurface) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    const double band = std::pow(32, D - 1) * 4 * particles_per_cell<D>;
    for (const double height : {0.3, 0.6}) {
        const auto shape = [&](const Vec<D>& x) { return x[1] - height; };
        auto phi = level_set_of<D>(grid, shape);
        auto particles = seed_particles<D>(grid, shape, 1, false);
        (void)resample<D>(grid, phi, 0, particles);
        // Jittered in depth by half a cell at both ends.
        EXPECT_NEAR(static_cast<double>(particles.size()) / band, 1, 0.05);
        for (const Vec<D>& x : particles.position) EXPECT_GT(x[1], height - 4.0001 * grid.dx);
        const auto before = particles;
        const auto again = resample<D>(grid, phi, 1, particles);
        EXPECT_EQ(again.added, 0);
        EXPECT_EQ(again.removed, 0);
        EXPECT_TRUE(same_bits(before, particles));

        const double lower = height - 2.5 * grid.dx;
        phi = level_set_of<D>(grid, [&](const Vec<D>& x) { return x[1] - lower; });
        std::vector<char> above(particles.position.size());
        for (std::size_t p = 0; p < above.size(); ++p) above[p] = particles.position[p][1] > lower;
        remove_particles(particles, above);
        EXPECT_GT(resample<D>(grid, phi, 2, particles).added, 0);
        const auto cells = sort_particles<D>(grid, phi.set_ptr(), particles);
        for (std::ptrdiff_t b = 0; b < phi.set().count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const double depth = -phi.brick(b)[i] / grid.dx;
                if (!grid.contains(first_cell<D>(phi.set().brick(b)) + local_coord<D>(i))) continue;
                // A cell's part counts from 1 cell below the surface on, and particles from 3 cells on no more.
                EXPECT_TRUE(depth < 2 || depth > 3 || cells.count(b, i) >= particles_per_cell<D> / 2) << depth;
                EXPECT_TRUE(depth < 5 || cells.count(b, i) == 0) << depth;
            }
    }
}

// Particles decide where the surface is; where there are none below the band the liquid goes on.
TYPED_TEST(NarrowBandTest, CombinedSurfaceIsThatOfAllParticles) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    const auto shape = ball<D>(Vec<D>::Constant(0.5), 0.35);
    auto all = seed_particles<D>(grid, shape, 1, false);
    auto banded = all;
    // What was carried lies a little too far out or in: no matter.
    for (const double off : {-0.4, 0.4}) {
        auto phi = level_set_of<D>(grid, [&](const Vec<D>& x) { return shape(x) + off * grid.dx; });
        (void)resample<D>(grid, level_set_of<D>(grid, shape), 0, banded);
        EXPECT_LT(banded.size(),
                  D == 2 ? 0.7 * static_cast<double>(all.size()) : 0.8 * static_cast<double>(all.size()));
        const auto surface = [&](Particles<D>& particles) {
            const auto cells = sort_particles<D>(grid, phi.set_ptr(), particles);
            return surface_of_particles<D>(grid, particles, cells, ParticleSurface::smooth);
        };
        const auto expected = surface(all);
        combine_surface<D>(grid, surface(banded), {}, phi);
        for (std::size_t i = 0; i < phi.values().size(); ++i)
            EXPECT_NEAR(phi.values()[i], expected.values()[i], 1e-12) << off;
    }
}

TYPED_TEST(NarrowBandTest, VelocityGoesOverFromParticlesToTheGrid) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(24);
    const auto phi = level_set_of<D>(grid, [](const Vec<D>& x) { return x[1] - 0.5; });
    FaceField<D, double> particles(phi.set_ptr(), 1.0), u(phi.set_ptr(), 0.0);
    FaceMask<D> known(phi.set_ptr());
    for (int a = 0; a < D; ++a)
        for (std::size_t i = 0; i < phi.values().size(); ++i) particles[a].data()[i] = 1, u[a].data()[i] = 2;
    fill_faces<D>(grid, particles, [](const Vec<D>&) { return Vec<D>(Vec<D>::Ones()); });
    for (int a = 0; a < D; ++a)
        for (std::ptrdiff_t b = 0; b < phi.set().count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> face = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
                const double depth = (0.5 - grid.position(face, Centring<D>::face(a))[1]) / grid.dx;
                known[a].brick(b)[i] = depth > -1 && depth < 4;
            }
    combine_velocity<D>(grid, {}, phi, particles, u, known);
    for (int a = 0; a < D; ++a)
        for (std::ptrdiff_t b = 0; b < phi.set().count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> face = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
                if (!grid.contains(face) || face[a] == 0) continue;
                const double depth = (0.5 - grid.position(face, Centring<D>::face(a))[1]) / grid.dx;
                EXPECT_EQ(known[a].brick(b)[i], depth > -1);
                const double share = depth < -1 ? 0 : std::clamp(3 - std::min(depth, 6.0), 0.0, 1.0);
                EXPECT_NEAR(u[a].brick(b)[i], 2 - share, 1e-12) << depth;
            }
}

TYPED_TEST(NarrowBandTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 24);
    const auto shape = ball<D>(Vec<D>::Constant(0.5), 0.4);
    EXPECT_TRUE(same_on_any_threads([&] {
        auto particles = seed_particles<D>(grid, shape, 1, false);
        auto phi = level_set_of<D>(grid, shape);
        (void)resample<D>(grid, phi, 0, particles);
        const auto set = bricks_of_band<D>(grid, particles.position, phi, 3);
        phi = phi.remapped(set);
        const auto cells = sort_particles<D>(grid, set, particles);
        combine_surface<D>(grid, surface_of_particles<D>(grid, particles, cells, ParticleSurface::smooth), {}, phi);
        return phi;
    }));
}

}  // namespace
}  // namespace tidelock
