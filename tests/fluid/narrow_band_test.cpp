#include "fluid/narrow_band.h"

#include <numbers>

#include "fluid/liquid_potential.h"
#include "fluid/particle_motion.h"
#include "fluid/particle_surface.h"
#include "fluid/particle_testing.h"
#include "fluid/particle_transfer.h"
#include "geometry/fractions.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

using namespace testing_particles;

template <class T>
class NarrowBandTest : public testing::Test {};
TYPED_TEST_SUITE(NarrowBandTest, Dims);

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
    return resample_particles<D>(grid, phi, u, nullptr, cells, band_resampling<D>({}, 1, round), particles);
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

/// A tank with a wave in it, carried by FLIP with all particles or with those of the band.
class Tank {
  public:
    static constexpr double wave = 0.05, gravity = 10, length = 1;

    explicit Tank(bool banded) : banded_(banded), phi_(level_set_of<2>(grid_, surface)) {
        particles_ = seed_particles<2>(grid_, surface, 1, false);
        u_ = FaceField<2, double>(phi_.set_ptr(), 0.0);
        if (banded_) (void)resample<2>(grid_, phi_, 0, particles_);
    }
    [[nodiscard]] std::ptrdiff_t particles() const { return particles_.size(); }

    void step(double dt) {
        // u_ is known around the liquid: carry everything.
        const Wind<2> wind{grid_, sides_, u_, dt};
        (void)move_particles<2>(wind, {}, particles_);
        FaceField<2, double> carried(u_.set_ptr(), 0.0);
        if (banded_) {
            advect_velocity<2>(wind, Transport::maccormack, carried);
            Field<2, double> moved(phi_.set_ptr(), phi_.background());
            const Field<2, double>* from[] = {&phi_};
            Field<2, double>* to[] = {&moved};
            std::vector<Coord<2>> hidden;
            advect_cells<2>(wind, Transport::semi_lagrangian, from, to, hidden);
            phi_ = std::move(moved);
        }
        const auto cells = sort_particles<2>(grid_, phi_.set_ptr(), particles_);
        const DistanceOptions distance{.band = 6};
        auto of_particles = surface_of_particles<2>(grid_, particles_, cells, ParticleSurface::smooth, distance);
        FaceMask<2> known(phi_.set_ptr());
        particles_to_grid<2>(grid_, particles_, cells, nullptr, u_, known);
        if (banded_) {
            combine_surface<2>(grid_, of_particles, distance, phi_);
            combine_velocity<2>(grid_, {}, phi_, u_, carried, known);
            u_ = std::move(carried);
        } else {
            phi_ = std::move(of_particles);
        }
        extrapolate_layers(u_, known, 3);
        const auto before = u_.remapped(u_.set_ptr());
        project(dt);
        grid_to_particles<2>(grid_, {.scheme = ParticleTransfer::flip}, u_, &before, nullptr, particles_);
        const auto options = banded_ ? band_resampling<2>({}, 1, ++round_) : ResampleOptions<2>{.round = ++round_};
        (void)resample_particles<2>(grid_, phi_, u_, nullptr, cells, options, particles_);
    }

    /// Potential energy above that of the tank at rest, per density [m^4/s^2]: half of g height^2, column by column.
    [[nodiscard]] double potential_energy() const {
        Sampler<2, double> sampler(phi_, Centring<2>::cell(), grid_);
        double squares = 0, sum = 0;
        for (int x = 0; x < grid_.cells[0]; ++x) {
            double height = 0;
            for (int y = 0; y < grid_.cells[1]; ++y)
                height +=
                    grid_.dx * cell_fraction<2>([&](const Vec2& p) { return sampler.linear(p); }, Vec2(x, y), 1.0);
            squares += 0.5 * gravity * height * height * grid_.dx;
            sum += height * grid_.dx;
        }
        return squares - 0.5 * gravity * sum * sum / length;
    }

  private:
    static double surface(const Vec2& x) { return x[1] - 0.5 - wave * std::cos(std::numbers::pi * x[0]); }

    void project(double dt) {
        Field<2, double> divergence(phi_.set_ptr(), 0.0);
        for (std::ptrdiff_t b = 0; b < phi_.set().count(); ++b)
            for (int i = 0; i < Brick<2>::cells; ++i) {
                const Coord<2> face = first_cell<2>(phi_.set().brick(b)) + local_coord<2>(i);
                u_[1].brick(b)[i] -= dt * gravity;
                for (int a = 0; a < 2; ++a)
                    if (face[a] == 0 || face[a] == grid_.cells[a]) u_[a].brick(b)[i] = 0;
            }
        for (std::ptrdiff_t b = 0; b < phi_.set().count(); ++b)
            for (int i = 0; i < Brick<2>::cells; ++i) {
                const Coord<2> cell = first_cell<2>(phi_.set().brick(b)) + local_coord<2>(i);
                if (!grid_.contains(cell)) continue;
                for (int a = 0; a < 2; ++a)
                    divergence.brick(b)[i] +=
                        (u_[a].at(Coord<2>(cell + Coord<2>::Unit(a))) - u_[a].brick(b)[i]) / grid_.dx;
            }
        auto flow = flow_with_divergence<2>({grid_, sides_, phi_}, divergence, {.tolerance = 1e-6});
        EXPECT_TRUE(flow.report.converged());
        for (int a = 0; a < 2; ++a)
            for (std::size_t i = 0; i < u_[a].values().size(); ++i) u_[a].data()[i] -= flow.velocity[a].values()[i];
        extrapolate_layers(u_, flow.known, 5);
    }

    bool banded_;
    Grid<2> grid_ = unit_grid<2>(48);
    Sides<2> sides_;
    Field<2, double> phi_;
    Particles<2> particles_;
    FaceField<2, double> u_;
    std::uint64_t round_ = 0;
};

// One period of a standing wave, omega^2 = g k tanh(k depth). The band holds a sixth of the depth, so that most of the
// motion is the grid's, whose scheme is the only difference. First-order transport over the way 4 a that the liquid
// makes in a period would take (k h)^2 / 2 (4 a / h) of the velocity for each axis, 4 % of the energy at k h = pi / 48;
// the scheme here is of second order. The energies differ by no more, relative to that of the wave.
TEST(NarrowBand, SloshingKeepsThePotentialEnergyOfFullFlip) {
    constexpr double k = std::numbers::pi;
    const double omega = std::sqrt(Tank::gravity * k * std::tanh(0.5 * k));
    constexpr int steps = 64;
    const double dt = 2 * std::numbers::pi / omega / steps;
    const double start = 0.25 * Tank::gravity * Tank::wave * Tank::wave * Tank::length;
    Tank full(false), banded(true);
    EXPECT_LT(banded.particles(), full.particles() / 4);
    double worst = 0, least = start;
    for (int s = 0; s < steps; ++s) {
        full.step(dt);
        banded.step(dt);
        worst = std::max(worst, std::abs(full.potential_energy() - banded.potential_energy()));
        least = std::min(least, banded.potential_energy());
    }
    EXPECT_LT(banded.particles(), full.particles() / 4);
    std::printf("energy %.4f and %.4f of the first, off by up to %.4f\n", full.potential_energy() / start,
                banded.potential_energy() / start, worst / start);
    EXPECT_LT(worst, 0.04 * start);
    EXPECT_LT(least, 0.1 * start) << "the wave must have passed through the level";
    EXPECT_GT(banded.potential_energy(), 0.7 * start) << "and come back";
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
