#include "fluid/particle_motion.h"

#include <numbers>

#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class ParticleMotion : public testing::Test {};
TYPED_TEST_SUITE(ParticleMotion, Dimensions);

template <int D>
Sides<D> all_open() {
    Sides<D> sides;
    for (auto& axis : sides.open) axis = {true, true};
    return sides;
}

template <int D>
FaceField<D, double> velocity_field(const Grid<D>& grid, const std::function<Vec<D>(const Vec<D>&)>& f) {
    FaceField<D, double> u(make_dense<D>(lattice_for_faces<D>(grid.cells)), 0.0);
    fill_faces<D>(grid, u, f);
    return u;
}

TYPED_TEST(ParticleMotion, UniformFlowMovesExactly) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    const auto sides = all_open<D>();
    const Vec<D> speed = Vec<D>::LinSpaced(0.5, -0.3);
    const auto u = velocity_field<D>(grid, [&](const Vec<D>&) { return speed; });
    auto particles = seed_particles<D>(grid, ball<D>(Vec<D>::Constant(0.5), 0.2), 1, false);
    const auto before = particles.position;
    const auto report = move_particles<D>({grid, sides, u, 0.2}, {}, particles);
    EXPECT_EQ(report.gone + report.squeezed, 0);
    for (std::size_t p = 0; p < before.size(); ++p)
        EXPECT_LT((particles.position[p] - before[p] - 0.2 * speed).norm(), 1e-14);
}

// A turn in a field that the grid holds exactly: the error of the rule is of third order in the step.
TYPED_TEST(ParticleMotion, IsOfThirdOrderInTime) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    const auto sides = all_open<D>();
    const auto u = velocity_field<D>(grid, [](const Vec<D>& x) {
        Vec<D> v = Vec<D>::Zero();
        v[0] = -2 * std::numbers::pi * (x[1] - 0.5), v[1] = 2 * std::numbers::pi * (x[0] - 0.5);
        return v;
    });
    double error[2];
    for (int level = 0; level < 2; ++level) {
        std::vector<Vec<D>> points{Vec<D>::Constant(0.5) + 0.3 * Vec<D>::Unit(0)};
        const auto start = points[0];
        const int steps = 40 << level;
        for (int s = 0; s < steps; ++s)
            ASSERT_EQ(move_points<D>({grid, sides, u, 1.0 / steps}, {}, points)[0], Fate::stays);
        error[level] = (points[0] - start).norm();
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 3, 0.1);
}

TYPED_TEST(ParticleMotion, ClosedSidesHoldAndOpenOnesLetGo) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    const auto u = velocity_field<D>(grid, [](const Vec<D>&) { return Vec<D>(Vec<D>::Ones()); });
    const auto seeds = seed_particles<D>(
        grid, [](const Vec<D>&) { return -1.0; }, 1, false);
    auto held = seeds;
    const auto inside = move_particles<D>({grid, {}, u, 0.1}, {}, held);
    EXPECT_EQ(inside.gone, 0);
    EXPECT_EQ(held.size(), seeds.size());
    for (const Vec<D>& x : held.position) EXPECT_LE(x.maxCoeff(), 1 - 0.0199 * grid.dx);
    auto free = seeds;
    const auto sides = all_open<D>();
    const auto report = move_particles<D>({grid, sides, u, 0.1}, {}, free);
    std::ptrdiff_t expected = 0;
    for (const Vec<D>& x : seeds.position) expected += x.maxCoeff() + 0.1 > 1;
    EXPECT_EQ(report.gone, expected);
    EXPECT_EQ(free.size(), seeds.size() - expected);
}

TYPED_TEST(ParticleMotion, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    const auto u = velocity_field<D>(grid, [](const Vec<D>& x) { return Vec<D>((7 * x).array().sin()); });
    EXPECT_TRUE(same_on_any_threads([&] {
        auto particles = seed_particles<D>(grid, ball<D>(Vec<D>::Constant(0.5), 0.4), 1, false);
        const Sides<D> sides;
        for (int s = 0; s < 3; ++s) (void)move_particles<D>({grid, sides, u, 0.05}, {}, particles);
        return particles;
    }));
}

}  // namespace
}  // namespace tidelock
