#include "grid/distance.h"

#include "grid/interpolate.h"
#include "grid/support.h"

namespace tidelock {
namespace {

template <class T>
class Distance : public testing::Test {};
TYPED_TEST_SUITE(Distance, Dimensions);

constexpr double radius = 0.3;
template <int D>
double ball(const Vec<D>& x) {
    return (x - Vec<D>::Constant(0.5)).norm() - radius;
}

template <int D, class T, class F>
Field<D, T> level_set(const Grid<D>& grid, F&& f) {
    Field<D, T> phi(make_dense<D>(lattice_for_faces<D>(grid.cells)), T{1});
    set_values<D>(phi, [&](const Coord<D>& c) { return f(grid.cell_centre(c)); });
    return phi;
}

/// Greatest difference from `exact` over the cells of the domain where |exact| < limit [m].
template <int D, class T, class F>
double greatest_error(const Field<D, T>& phi, const Grid<D>& grid, double limit, F&& exact) {
    double error = 0;
    for (const auto& b : phi.set().bricks())
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
            const double d = exact(grid.cell_centre(c));
            if (grid.contains(c) && std::abs(d) < limit)
                error = std::max(error, std::abs(static_cast<double>(phi.at(c)) - d));
        }
    return error;
}

TYPED_TEST(Distance, EikonalUpdateSolvesItsEquation) {
    constexpr int D = TypeParam::value;
    const Random random(1);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        std::array<double, D> a;
        for (std::size_t k = 0; k < D; ++k) a[k] = 3 * random.uniform(i, static_cast<std::uint32_t>(k));
        const double h = 0.8, d = eikonal_update<D>(a, h);
        double sum = 0;
        for (const double v : a) sum += std::max(d - v, 0.0) * std::max(d - v, 0.0);
        EXPECT_NEAR(sum, h * h, 1e-12);
    }
}

/// A steep level set with the ball as its zero set: every interface cell is fitted again. Fixed band in metres.
template <int D>
double error_from_scratch(int n) {
    const auto grid = unit_grid<D>(n);
    auto phi = level_set<D, double>(grid, [](const Vec<D>& x) { return 5 * (std::exp(3 * ball<D>(x)) - 1); });
    DistanceOptions options;
    options.band = 0.15 * n;
    const auto report = redistance<D, double>(phi, grid, options);
    EXPECT_EQ(report.refitted, report.interface_cells);
    EXPECT_GT(report.rounds, 0);
    return greatest_error<D>(phi, grid, 0.12, ball<D>);
}

TYPED_TEST(Distance, OfABallConverges) {
    constexpr int D = TypeParam::value;
    const int n = 32;
    const double coarse = error_from_scratch<D>(n), middle = error_from_scratch<D>(2 * n);
    // First order with a logarithm: 0.8 at these sizes.
    EXPECT_NEAR(std::log2(coarse / middle), 0.9, 0.25) << coarse * n << " " << middle * 2 * n;
    EXPECT_LT(coarse, 0.6 / n);
}

/// Error of the fitted interface cells alone.
template <int D>
double interface_error(int n) {
    const auto grid = unit_grid<D>(n);
    auto phi = level_set<D, double>(grid, [](const Vec<D>& x) { return 5 * (std::exp(3 * ball<D>(x)) - 1); });
    redistance<D, double>(phi, grid);
    return greatest_error<D>(phi, grid, 0.5 * grid.dx, ball<D>);
}

TYPED_TEST(Distance, InterfaceCellsAreFittedToSecondOrder) {
    constexpr int D = TypeParam::value;
    const double coarse = interface_error<D>(32), fine = interface_error<D>(64);
    EXPECT_GT(std::log2(coarse / fine), 1.6) << coarse * 32 << " " << fine * 64;
}

TYPED_TEST(Distance, OfAPlaneIsExactWhereItIsFitted) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(40);
    const Vec<D> normal = Vec<D>::LinSpaced(D, 1.0, 0.2).normalized();
    const auto plane = [&](const Vec<D>& x) { return normal.dot(x - Vec<D>::Constant(0.501)); };
    auto phi = level_set<D, double>(grid, [&](const Vec<D>& x) { return 7 * plane(x); });
    DistanceOptions options;
    options.band = 4;
    redistance<D, double>(phi, grid, options);
    EXPECT_LT(greatest_error<D>(phi, grid, 0.5 * grid.dx, plane), 1e-13);  // roundings of values of 7 over slopes of 7
    // Beyond, upwind differences of a linear function are exact too, except where the way to the plane leaves the box.
    double error = 0;
    for (const auto& b : phi.set().bricks())
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
            const double d = plane(grid.cell_centre(c));
            const bool inner = (c.array() >= 8).all() && (c.array() < 32).all();
            if (inner && std::abs(d) < 3 * grid.dx) error = std::max(error, std::abs(phi.at(c) - d));
        }
    EXPECT_LT(error, 1e-10);  // rounding under square roots that are almost 0
}

/// Mean of the zero crossings along grid lines, as a radius [m].
template <int D>
double mean_radius(const Field<D, double>& phi, const Grid<D>& grid) {
    double sum = 0;
    int count = 0;
    for (const auto& b : phi.set().bricks())
        for (int i = 0; i < Brick<D>::cells; ++i)
            for (int a = 0; a < D; ++a) {
                const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
                Coord<D> next = c;
                ++next[a];
                if (!grid.contains(c) || !grid.contains(next) || (phi.at(c) < 0) == (phi.at(next) < 0)) continue;
                const double theta = phi.at(c) / (phi.at(c) - phi.at(next));
                const Vec<D> x = grid.cell_centre(c) + theta * (grid.cell_centre(next) - grid.cell_centre(c));
                sum += (x - Vec<D>::Constant(0.5)).norm();
                ++count;
            }
    return sum / count;
}

TYPED_TEST(Distance, RepeatedUseDoesNotMoveTheInterface) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 64 : 40);
    for (const double steepness : {1.0, 4.0}) {  // 4: the first use fits every interface cell again
        auto phi = level_set<D, double>(grid, [&](const Vec<D>& x) { return steepness * ball<D>(x); });
        const double before = mean_radius<D>(phi, grid);
        for (int i = 0; i < 50; ++i) redistance<D, double>(phi, grid);
        EXPECT_LT(std::abs(mean_radius<D>(phi, grid) - before), 0.02 * grid.dx);  // M 5.2
        EXPECT_LT(std::abs(mean_radius<D>(phi, grid) - radius), 0.02 * grid.dx);
    }
}

TYPED_TEST(Distance, SignsStayAndTheBandIsCut) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(45);
    const Random random(2);
    auto phi = level_set<D, float>(grid, [](const Vec<D>& x) { return 0.2 * std::sin(40 * x[0]) + ball<D>(x); });
    const auto before = phi.remapped(phi.set_ptr());
    DistanceOptions options;
    options.band = 3;
    redistance<D, float>(phi, grid, options);
    for (const auto& b : phi.set().bricks())
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
            if (grid.contains(c)) {
                ASSERT_EQ(phi.at(c) < 0, before.at(c) < 0);
                ASSERT_LE(std::abs(phi.at(c)), static_cast<float>(3 * grid.dx));
            } else {
                ASSERT_EQ(phi.at(c), before.at(c));
            }
        }
}

TYPED_TEST(Distance, ToMarkedCells) {
    constexpr int D = TypeParam::value;
    const auto set = make_dense<D>(lattice_for<D>(Coord<D>::Constant(48)));
    Mask<D> marked(set);
    const Coord<D> source = Coord<D>::Constant(23);
    marked.ref(source) = 1;
    const auto d = distance_to_marked<D, double>(marked, 0.5, 10);
    for (int k = 1; k < 10; ++k) {
        Coord<D> c = source;
        c[0] += k;
        EXPECT_NEAR(d.at(c), 0.5 * k, 1e-12);  // exact along an axis
        c[1] += k;
        // First-order upwind distances from a point are too long, by up to 0.6 cells at ten cells away on the diagonal.
        if (std::sqrt(2.0) * k < 9) {
            EXPECT_GE(d.at(c), 0.5 * std::sqrt(2.0) * k - 1e-12);
            EXPECT_LT(d.at(c), 0.5 * (std::sqrt(2.0) * k + 1.0));
        }
    }
    EXPECT_EQ(d.at(Coord<D>::Zero()), 5.0);
}

// A wall without thickness stands in the middle, with a pool to the left of it and air to the right: to the left the
// distance is that to the pool's surface up to the wall, to the right there is none. Exact, as the surface is level.
TYPED_TEST(Distance, StopsWhereNoWayLeads) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(36);
    auto phi = level_set<D, double>(grid, [](const Vec<D>& x) { return x[0] < 0.5 ? x[1] - 0.5137 : 0.02; });
    Mask<D> ways(phi.set_ptr(), 0xFF);
    for (const auto& b : phi.set().bricks())
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
            if (c[0] == 17) ways.ref(c) = 0xFF & ~2;
            if (c[0] == 18) ways.ref(c) = 0xFF & ~1;
        }
    DistanceOptions options;
    redistance<D, double>(phi, grid, options, &ways);
    const double band = options.band * grid.dx;
    EXPECT_LT(
        greatest_error<D>(phi, grid, 1.0,
                          [&](const Vec<D>& x) { return x[0] < 0.5 ? std::clamp(x[1] - 0.5137, -band, band) : band; }),
        1e-12);
}

TYPED_TEST(Distance, SameBitsOnAnyThreadsAndOnSparseSets) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(100);
    const auto set = random_set<D>(lattice_for_faces<D>(grid.cells), 0.8);
    EXPECT_TRUE(same_on_any_threads([&] {
        Field<D, float> phi(set, 1.0f);
        set_values<D>(phi, [&](const Coord<D>& c) {
            return 3 * ball<D>(grid.cell_centre(c)) + 0.05 * std::sin(50 * grid.cell_centre(c)[0]);
        });
        redistance<D, float>(phi, grid);
        return phi;
    }));
}

}  // namespace
}  // namespace tidelock
