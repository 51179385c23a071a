#include "grid/coarsen.h"

#include "grid/divergence.h"
#include "grid/support.h"

namespace tidelock {
namespace {

template <class T>
class Coarsening : public testing::Test {};
TYPED_TEST_SUITE(Coarsening, Dimensions);

template <int D>
std::vector<BrickSetPtr<D>> fine_sets() {
    return {make_dense<D>(Coord<D>::Constant(4)), make_dense<D>(Coord<D>::Constant(3)),
            random_set<D>(Coord<D>::Constant(5), 0.3)};
}

TYPED_TEST(Coarsening, RestrictionsAreTransposesOfProlongations) {
    constexpr int D = TypeParam::value;
    for (const auto& set : fine_sets<D>()) {
        const auto half = coarsen(*set);
        Field<D, double> r(set), e(half), pe(set), rr(half);
        randomise<D>(r, 1);
        randomise<D>(e, 2);
        // Sums of up to 64 k terms of size 1: 1e-16 of each.
        const double tolerance = 1e-15 * static_cast<double>(set->cells());
        prolong_constant(e, pe);
        average(r, rr);
        EXPECT_NEAR(dot(pe, r), (1 << D) * dot(e, rr), tolerance);
        prolong_linear(e, pe);
        restrict_linear(r, rr);
        EXPECT_NEAR(dot(pe, r), (1 << D) * dot(e, rr), tolerance);
    }
}

TYPED_TEST(Coarsening, KeepsSumsAndPolynomials) {
    constexpr int D = TypeParam::value;
    const auto set = make_dense<D>(Coord<D>::Constant(4));
    const auto half = coarsen(*set);
    Field<D, double> fine(set), coarse(half);
    randomise<D>(fine, 3);
    average(fine, coarse);
    double sum = 0, coarse_sum = 0;
    for (const double v : fine.values()) sum += v;
    for (const double v : coarse.values()) coarse_sum += v;
    EXPECT_NEAR(sum, (1 << D) * coarse_sum, 1e-15 * static_cast<double>(set->cells()));

    // A linear function of the position: the average is exact everywhere, the prolongation away from the border.
    const auto linear = [](const Coord<D>& c, double h) {
        double v = 1;
        for (int a = 0; a < D; ++a) v += (a + 1) * h * (c[a] + 0.5);
        return v;
    };
    set_values<D>(fine, [&](const Coord<D>& c) { return linear(c, 1); });
    average(fine, coarse);
    Field<D, double> back(set);
    prolong_linear(coarse, back);
    const Coord<D> upper = first_cell<D>(set->lattice());
    for (const auto& b : set->bricks())
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
            EXPECT_NEAR(coarse.at(c / 2), linear(c / 2, 2), 1e-12);  // values up to 500
            if ((c.array() > 0).all() && (c.array() < upper.array() - 1).all()) {
                EXPECT_NEAR(back.at(c), linear(c, 1), 1e-12);
            }
        }
    prolong_constant(coarse, back);
    EXPECT_EQ(back.at(Coord<D>::Constant(7)), coarse.at(Coord<D>::Constant(3)));
}

TYPED_TEST(Coarsening, FacesKeepTheFlux) {
    constexpr int D = TypeParam::value;
    for (const auto& set : fine_sets<D>()) {
        const auto half = coarsen(*set);
        FaceField<D, double> u(set), coarse_u(half);
        FaceField<D, float> area(set), coarse_area(half);
        for (int a = 0; a < D; ++a) {
            randomise<D>(u[a], 4 + static_cast<std::uint64_t>(a));
            randomise<D>(area[a], 8 + static_cast<std::uint64_t>(a));
            for (float& v : area[a].values()) v = std::max(v, 0.0f);  // half of the faces are closed
        }
        average_faces<D, float>(area, coarse_area);
        average_faces<D, double, float>(u, area, coarse_u);
        // Integrated divergence: of a coarse cell = the sum over its children (inner fluxes cancel). Unit dx; area
        // fractions are rounded to float on the coarse grid: 1e-7 of fluxes of size 2^(D-1).
        const auto fine_div = divergence<D, double, float>(u, area, 1.0);
        const auto coarse_div = divergence<D, double, float>(coarse_u, coarse_area, 1.0);
        Field<D, double> mean(half);
        average(fine_div, mean);
        for (std::size_t i = 0; i < mean.values().size(); ++i)
            if (set->count() == make_dense<D>(set->lattice())->count() && set->lattice()[0] % 2 == 0) {
                ASSERT_NEAR((1 << D) * mean.values()[i], (1 << (D - 1)) * coarse_div.values()[i], 2e-6);
            }
        for (int a = 0; a < D; ++a)
            for (const auto& b : half->bricks())
                for (int i = 0; i < Brick<D>::cells; ++i) {
                    const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
                    double flux = 0;
                    for (int n = 0; n < (1 << D); ++n) {
                        if ((n >> a) & 1) continue;
                        Coord<D> f = 2 * c;
                        for (int k = 0; k < D; ++k) f[k] += (n >> k) & 1;
                        flux += static_cast<double>(area[a].at(f)) * u[a].at(f);
                    }
                    ASSERT_NEAR(flux, (1 << (D - 1)) * static_cast<double>(coarse_area[a].at(c)) * coarse_u[a].at(c),
                                1e-6);
                }
    }
}

TYPED_TEST(Coarsening, SameBitsOnAnyThreads) {
    constexpr int D = TypeParam::value;
    const auto set = random_set<D>(Coord<D>::Constant(6), 0.6);
    const auto half = coarsen(*set);
    Field<D, float> r(set), e(half);
    randomise<D>(r, 1);
    randomise<D>(e, 2);
    const auto run = [&](auto&& transfer, const Field<D, float>& from, const BrickSetPtr<D>& to) {
        return same_on_any_threads([&] {
            Field<D, float> out(to);
            transfer(from, out);
            return out;
        });
    };
    EXPECT_TRUE(run(average<D, float>, r, half));
    EXPECT_TRUE(run(restrict_linear<D, float>, r, half));
    EXPECT_TRUE(run(prolong_constant<D, float>, e, set));
    EXPECT_TRUE(run(prolong_linear<D, float>, e, set));
}

}  // namespace
}  // namespace tidelock
