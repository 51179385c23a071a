#include "fluid/particle_level_set.h"

#include <numbers>

#include "fluid/particle_testing.h"
#include "fluid/volume.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

using namespace testing_particles;

template <int D>
Field<D, double> level_set(const Grid<D>& grid, const DistanceFunction<D>& shape) {
    Field<D, double> phi(make_dense<D>(lattice_for_faces<D>(grid.cells)), 5 * grid.dx);
    fill_cells<D>(grid, phi, [&](const Vec<D>& x) { return std::clamp(shape(x), -5 * grid.dx, 5 * grid.dx); });
    return phi;
}

template <class T>
class MarkersTest : public testing::Test {};
TYPED_TEST_SUITE(MarkersTest, Dims);

// METHODS 5.1: markers of both signs on their side of the surface, within the band, with the radius that their distance
// allows; about the number asked for.
TYPED_TEST(MarkersTest, SeedsLieOnTheirSideInTheBand) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 24);
    const auto shape = ball<D>(Vec<D>::Constant(0.5), 0.3);
    const auto phi = level_set<D>(grid, shape);
    Markers<D> markers;
    reseed_markers<D>(grid, {}, phi, 0, markers);
    Sampler<D, double> sampler(phi, Centring<D>::cell(), grid);
    std::ptrdiff_t count[2] = {0, 0};
    for (std::size_t p = 0; p < markers.position.size(); ++p) {
        const double level = sampler.linear(grid.to_cells(markers.position[p])) / grid.dx * markers.sign[p];
        EXPECT_GE(level, 0.02);
        EXPECT_LE(level, 3);
        EXPECT_NEAR(markers.radius[p] / grid.dx, std::clamp(level, 0.02, 0.5), 1e-12);
        ++count[markers.sign[p] > 0];
    }
    const double area = D == 2 ? 2 * std::numbers::pi * 0.3 : 4 * std::numbers::pi * 0.09;
    const double expected = area * 6 / std::pow(grid.dx, D - 1) * markers_per_cell<D>;
    EXPECT_NEAR(static_cast<double>(count[0]) / expected, 1, 0.2);
    EXPECT_NEAR(static_cast<double>(count[1]) / expected, 1, 0.2);
    // Nothing has escaped: phi stays to the bit.
    auto corrected = phi.remapped(phi.set_ptr());
    EXPECT_EQ(correct_by_markers<D>(grid, nullptr, markers, corrected), 0);
    EXPECT_TRUE(same_bits(corrected, phi));
    // Filled up again, nearly nothing is missing.
    const auto before = markers.size();
    reseed_markers<D>(grid, {}, phi, 1, markers);
    EXPECT_GE(markers.size(), before);
}

// A surface that lost a layer of half a cell is put back by the markers it left behind.
TYPED_TEST(MarkersTest, EscapedMarkersRestoreTheSurface) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 24);
    const auto shape = ball<D>(Vec<D>::Constant(0.5), 0.3);
    const auto phi = level_set<D>(grid, shape);
    Markers<D> markers;
    reseed_markers<D>(grid, {}, phi, 0, markers);
    for (const double lost : {0.7, -0.7}) {
        auto shrunk = level_set<D>(grid, [&](const Vec<D>& x) { return shape(x) + lost * grid.dx; });
        EXPECT_GT(correct_by_markers<D>(grid, nullptr, markers, shrunk), 0);
        double left = 0;
        int count = 0;
        for (std::size_t i = 0; i < phi.values().size(); ++i)
            if (std::abs(phi.values()[i]) < 0.4 * grid.dx)
                left += std::abs(shrunk.values()[i] - phi.values()[i]) / grid.dx, ++count;
        // What is left of the 0.7: spheres touch the surface only in places.
        EXPECT_LT(left / count, 0.2) << lost;
    }
}

/// Carries a shape in the unit square of n^2 cells over `steps` steps; the relative change of its area.
double area_change(int n, const DistanceFunction<2>& shape, double time, int steps, bool with_markers,
                   const std::function<Vec2(const Vec2&, double)>& flow) {
    const auto grid = unit_grid<2>(n);
    const Sides<2> sides;
    auto phi = level_set<2>(grid, shape);
    (void)redistance<2, double>(phi, grid, {});
    const double before = liquid_volume<2>(grid, phi, nullptr);
    Markers<2> markers;
    FaceField<2, double> u(phi.set_ptr(), 0.0);
    const double dt = time / steps;
    for (int s = 0; s < steps; ++s) {
        if (with_markers && s % 20 == 0) reseed_markers<2>(grid, {}, phi, static_cast<std::uint64_t>(s / 20), markers);
        const double middle = (s + 0.5) * dt;
        fill_faces<2>(grid, u, [&](const Vec2& x) { return flow(x, middle); });
        (void)advance_level_set<2>({grid, sides, u, dt}, {}, nullptr, phi, markers);
    }
    return liquid_volume<2>(grid, phi, nullptr) / before - 1;
}

double slotted_disk(const Vec2& x) {
    const Vec2 y = x - Vec2(0.5, 0.75);
    const double disk = y.norm() - 0.15;
    const double slot = std::max(std::abs(y[0]) - 0.025, y[1] - 0.1);
    return std::max(disk, -slot);
}

Vec2 turning(const Vec2& x, double) { return 2 * std::numbers::pi * Vec2(0.5 - x[1], x[0] - 0.5); }

// METHODS 5.10: Zalesak's disk, one turn at 100^2 ([EFFM02] section 4.1).
TEST(ParticleLevelSet, ZalesakDiskKeepsItsArea) {
    const double with = area_change(100, slotted_disk, 1, 128, true, turning);
    const double without = area_change(100, slotted_disk, 1, 128, false, turning);
    std::printf("area of the disk after a turn: %+.3f %% with markers, %+.3f %% without\n", 100 * with, 100 * without);
    EXPECT_LT(std::abs(with), 0.01);
    EXPECT_GT(std::abs(without), 2 * std::abs(with));  // what the markers are for
    EXPECT_LT(std::abs(without), 0.05);                // METHODS 5.10
}

// A disk drawn out by a vortex that turns back ([EFFM02] section 4.2).
TEST(ParticleLevelSet, VortexReversalKeepsTheArea) {
    constexpr double period = 2;
    const auto vortex = [](const Vec2& x, double t) {
        constexpr double pi = std::numbers::pi;
        const double c = std::cos(pi * t / period), sx = std::sin(pi * x[0]), sy = std::sin(pi * x[1]);
        return Vec2(-c * sx * sx * std::sin(2 * pi * x[1]), c * sy * sy * std::sin(2 * pi * x[0]));
    };
    const auto disk = ball<2>(Vec2(0.5, 0.75), 0.15);
    const double with = area_change(100, disk, period, 80, true, vortex);
    const double without = area_change(100, disk, period, 80, false, vortex);
    std::printf("area after the reversal: %+.3f %% with markers, %+.3f %% without\n", 100 * with, 100 * without);
    EXPECT_LT(std::abs(with), 0.01);
    EXPECT_GT(std::abs(without), 2 * std::abs(with));
    EXPECT_LT(std::abs(without), 0.05);
}

TYPED_TEST(MarkersTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 20);
    EXPECT_TRUE(same_on_any_threads([&] {
        auto phi = level_set<D>(grid, ball<D>(Vec<D>::Constant(0.5), 0.2));
        FaceField<D, double> u(phi.set_ptr(), 0.0);
        fill_faces<D>(grid, u, [&](const Vec<D>& x) { return Vec<D>((9 * x).array().sin()); });
        Markers<D> markers;
        const Sides<D> sides;
        reseed_markers<D>(grid, {}, phi, 0, markers);
        for (int s = 0; s < 3; ++s) (void)advance_level_set<D>({grid, sides, u, 0.04}, {}, nullptr, phi, markers);
        return phi;
    }));
}

}  // namespace
}  // namespace tidelock
