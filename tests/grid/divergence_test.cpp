#include "grid/divergence.h"

#include "grid/support.h"

namespace tidelock {
namespace {

template <class T>
class Divergence : public testing::Test {};
TYPED_TEST_SUITE(Divergence, Dimensions);

/// Random open fractions, a third of them 0; closed outside the domain and towards inactive bricks.
template <int D>
FaceField<D, float> random_cut_domain(const BrickSetPtr<D>& set, const Grid<D>& grid, std::uint64_t seed) {
    FaceField<D, float> area(set);
    for (int a = 0; a < D; ++a) {
        const Random random(seed + static_cast<std::uint64_t>(a));
        set_values<D>(area[a], [&](const Coord<D>& hi) {
            Coord<D> lo = hi;
            --lo[a];
            if (!grid.contains(lo) || !grid.contains(hi) || !area[a].active(lo)) return 0.0;
            return std::max(0.0, 1.5 * random.uniform(key_of<D>(hi)) - 0.5);
        });
    }
    return area;
}

template <int D>
std::vector<BrickSetPtr<D>> sets_for(const Grid<D>& grid) {
    const auto lattice = lattice_for_faces<D>(grid.cells);
    return {make_dense<D>(lattice), random_set<D>(lattice, 0.6)};
}

template <int D, class T>
void check_adjoint(double rounding) {
    Coord<D> odd = Coord<D>::Constant(37);
    odd[0] = 50, odd[1] = 21;
    for (const Coord<D>& cells : {Coord<D>(Coord<D>::Constant(32)), odd}) {
        const Grid<D> grid{cells, 0.1, Vec<D>::Zero()};
        for (const auto& set : sets_for<D>(grid)) {
            const auto area = random_cut_domain<D>(set, grid, 100);
            FaceField<D, T> u(set);
            for (int a = 0; a < D; ++a) randomise<D>(u[a], 200 + static_cast<std::uint64_t>(a));
            Field<D, T> p(set);
            randomise<D>(p, 300);
            const auto div = divergence<D, T, float>(u, area, grid.dx);
            const auto grad = gradient<D, T, float>(p, area, grid.dx);
            double right = 0, scale = 0;
            for (int a = 0; a < D; ++a)
                for (std::size_t i = 0; i < p.values().size(); ++i) {
                    const double term =
                        static_cast<double>(area[a].values()[i]) * u[a].values()[i] * grad[a].values()[i];
                    right += term;
                    scale += std::abs(term);
                }
            ASSERT_GT(scale, 0);
            // Terms agree one by one; what is left is a few roundings of each, and of the sums in double.
            EXPECT_NEAR(dot(div, p), -right, rounding * scale);
        }
    }
}

TYPED_TEST(Divergence, IsMinusTheAdjointOfGradient) {
    constexpr int D = TypeParam::value;
    check_adjoint<D, double>(1e-14);
    check_adjoint<D, float>(1e-6);  // results are rounded to 24 bits before the sums
}

TYPED_TEST(Divergence, OfALinearFlowAndGradientOfALinearField) {
    constexpr int D = TypeParam::value;
    const Grid<D> grid{Coord<D>::Constant(40), 0.5, Vec<D>::Zero()};
    const auto set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    FaceField<D, double> u(set);
    for (int a = 0; a < D; ++a)
        set_values<D>(u[a], [&](const Coord<D>& c) { return (a + 1) * grid.position(c, Centring<D>::face(a))[a]; });
    Field<D, double> p(set);
    set_values<D>(p, [&](const Coord<D>& c) { return 3 * grid.cell_centre(c)[1]; });
    const auto div = divergence<D, double>(u, grid.dx);
    const auto grad = gradient<D, double>(p, grid.dx);
    constexpr int sum = D * (D + 1) / 2;
    for (const auto& b : set->bricks())
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
            if (!grid.contains(c) || (c.array() == 0).any()) continue;
            EXPECT_NEAR(div.at(c), sum, 1e-12);  // values up to 60 over dx
            for (int a = 0; a < D; ++a) EXPECT_NEAR(grad[a].at(c), a == 1 ? 3 : 0, 1e-12);
        }
}

TYPED_TEST(Divergence, GradientIsZeroOnClosedFaces) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(33);
    const auto set = random_set<D>(lattice_for_faces<D>(grid.cells), 0.7);
    const auto area = random_cut_domain<D>(set, grid, 7);
    Field<D, float> p(set);
    randomise<D>(p, 8);
    const auto grad = gradient<D, float, float>(p, area, grid.dx);
    for (int a = 0; a < D; ++a)
        for (std::size_t i = 0; i < p.values().size(); ++i)
            if (area[a].values()[i] == 0) {
                ASSERT_EQ(grad[a].values()[i], 0);
            }
}

TYPED_TEST(Divergence, SameBitsOnAnyThreads) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(70);
    const auto set = random_set<D>(lattice_for_faces<D>(grid.cells), 0.7);
    const auto area = random_cut_domain<D>(set, grid, 7);
    FaceField<D, float> u(set);
    for (int a = 0; a < D; ++a) randomise<D>(u[a], 20 + static_cast<std::uint64_t>(a));
    Field<D, float> p(set);
    randomise<D>(p, 30);
    EXPECT_TRUE(same_on_any_threads([&] { return divergence<D, float, float>(u, area, grid.dx); }));
    EXPECT_TRUE(same_on_any_threads([&] { return std::move(gradient<D, float, float>(p, area, grid.dx)[D - 1]); }));
}

}  // namespace
}  // namespace tidelock
