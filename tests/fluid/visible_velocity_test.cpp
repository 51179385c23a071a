#include "fluid/visible_velocity.h"

#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class VelocityWindowTest : public testing::Test {};
TYPED_TEST_SUITE(VelocityWindowTest, Dimensions);

// Wherever a window covers a point it reads what a Sampler reads there, within the domain and beyond its walls; it
// covers its own brick and a cell around.
TYPED_TEST(VelocityWindowTest, ReadsWhatASamplerReads) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 70 : 35);  // walls within bricks
    FaceField<D, double> u(make_dense<D>(lattice_for_faces<D>(grid.cells)), 0.0);
    const Random random(5);
    for (int a = 0; a < D; ++a)
        for (std::size_t i = 0; i < u[a].values().size(); ++i)
            u[a].data()[i] = random.uniform(i, static_cast<std::uint32_t>(a)) - 0.5;
    VelocitySampler<D, double> samplers(u, grid);
    int covered = 0;
    for (std::ptrdiff_t slot = 0; slot < u.set().count(); ++slot) {
        const auto window = std::make_unique<VelocityWindow<D>>(grid, u, slot);
        const Vec<D> first = first_cell<D>(u.set().brick(slot)).template cast<double>();
        for (std::uint64_t k = 0; k < 200; ++k) {
            Vec<D> x = random.point<D>(1000 * static_cast<std::uint64_t>(slot) + k), local;
            bool near = true, meets_domain = true;
            for (int a = 0; a < D; ++a) {
                local[a] = (Brick<D>::size[a] + 8) * x[a] - 4;
                x[a] = first[a] + local[a];
                near = near && local[a] > -1 && local[a] < Brick<D>::size[a] + 1;
                meets_domain = meets_domain && first[a] < grid.cells[a];
            }
            if (!meets_domain) continue;  // no particle is in such a brick
            EXPECT_TRUE(!near || window->covers(x)) << local.transpose();
            if (!window->covers(x)) continue;
            ++covered;
            for (int a = 0; a < D; ++a) {
                Vec<D> slope, expected_slope;
                const double expected = samplers.component(a).linear(x, expected_slope);
                EXPECT_NEAR(window->linear(a, x), expected, 1e-15);
                EXPECT_NEAR(window->linear(a, x, slope), expected, 1e-15);
                EXPECT_LT((slope - expected_slope).norm(), 1e-14);
            }
        }
    }
    EXPECT_GT(covered, 500);
}

}  // namespace
}  // namespace tidelock
