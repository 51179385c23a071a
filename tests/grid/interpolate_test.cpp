#include "grid/interpolate.h"

#include "grid/support.h"

namespace tidelock {
namespace {

template <class T>
class Interpolation : public testing::Test {};
TYPED_TEST_SUITE(Interpolation, Dimensions);

template <int D>
std::vector<Centring<D>> centrings() {
    return {Centring<D>::cell(), Centring<D>::node(), Centring<D>::face(0), Centring<D>::face(D - 1)};
}

/// Field of f(position in cell units).
template <int D, class F>
Field<D, double> field_of(const BrickSetPtr<D>& set, const Centring<D>& centring, F&& f, double background = 0) {
    Field<D, double> field(set, background);
    set_values<D>(field, [&](const Coord<D>& c) { return f(Vec<D>(c.template cast<double>() + centring.offset)); });
    return field;
}

constexpr double extent = 64;  // cells along each axis in these tests

TYPED_TEST(Interpolation, ExactForPolynomials) {
    constexpr int D = TypeParam::value;
    const auto set = make_dense<D>(lattice_for<D>(Coord<D>::Constant(static_cast<int>(extent))));
    const Random random(1);
    const Vec<D> g = Vec<D>::LinSpaced(D, 0.3, -0.7);
    const Mat<D> q = (g * g.transpose()) / extent;
    for (const auto& centring : centrings<D>()) {
        const auto linear = [&](const Vec<D>& x) { return 1.5 + g.dot(x); };
        const auto quadratic = [&](const Vec<D>& x) { return linear(x) + x.dot(q * x); };
        const auto first = field_of<D>(set, centring, linear);
        const auto second = field_of<D>(set, centring, quadratic);
        Sampler<D, double> s1(first, centring), s2(second, centring);
        for (std::uint64_t i = 0; i < 4000; ++i) {
            const Vec<D> x = Vec<D>::Constant(2.0) + (extent - 4.0) * random.point<D>(i);
            // Values reach 150; a few dozen roundings of 2^-53 of that.
            EXPECT_NEAR(s1.linear(x), linear(x), 1e-12);
            EXPECT_LT((s1.gradient(x) - g).norm(), 1e-12);
            EXPECT_NEAR(s2.cubic(x), quadratic(x), 1e-12);
        }
    }
}

template <int D>
double wave(const Vec<D>& x, double n) {
    double v = 1;
    for (int a = 0; a < D; ++a) v *= std::sin(6.283185307179586 * (x[a] / n + 0.1 * a));
    return v;
}

TYPED_TEST(Interpolation, ObservedOrders) {
    constexpr int D = TypeParam::value;
    const Random random(2);
    double linear[2] = {}, cubic[2] = {};
    for (int level = 0; level < 2; ++level) {
        const int n = 32 << level;
        const auto set = make_dense<D>(lattice_for<D>(Coord<D>::Constant(n)));
        const auto field = field_of<D>(set, Centring<D>::cell(), [&](const Vec<D>& x) { return wave<D>(x, n); });
        Sampler<D, double> s(field, Centring<D>::cell());
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const Vec<D> x = n * (Vec<D>::Constant(0.1) + 0.8 * random.point<D>(i));
            linear[level] = std::max(linear[level], std::abs(s.linear(x) - wave<D>(x, n)));
            cubic[level] = std::max(cubic[level], std::abs(s.cubic(x) - wave<D>(x, n)));
        }
    }
    EXPECT_NEAR(std::log2(linear[0] / linear[1]), 2.0, 0.15);
    EXPECT_NEAR(std::log2(cubic[0] / cubic[1]), 3.0, 0.25);  // terms of fourth order still show
}

/// Tap by tap through Field::at, the definition.
template <int D>
double linear_by_definition(const Field<D, float>& field, const Vec<D>& s) {
    const Coord<D> i = s.array().floor().template cast<int>();
    double sum = 0;
    for (int n = 0; n < (1 << D); ++n) {
        Coord<D> c = i;
        double w = 1;
        for (int a = 0; a < D; ++a) {
            const double f = s[a] - i[a];
            c[a] += (n >> a) & 1;
            w *= (n >> a) & 1 ? f : 1 - f;
        }
        sum += w * static_cast<double>(field.at(c));
    }
    return sum;
}

TYPED_TEST(Interpolation, SparseSetsReadTheBackgroundAndMemoryDoesNotMatter) {
    constexpr int D = TypeParam::value;
    const auto set = random_set<D>(Coord<D>::Constant(4), 0.4);
    Field<D, float> field(set, 9.0f);
    randomise<D>(field, 3);
    const auto centring = Centring<D>::face(0);
    Sampler<D, float> wandering(field, centring);
    const Random random(4);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        Vec<D> x;
        for (int a = 0; a < D; ++a)
            x[a] = -6 + (Brick<D>::size[a] * 4 + 12) * random.uniform(i, static_cast<std::uint32_t>(a));
        const double value = wandering.linear(x);
        EXPECT_NEAR(value, linear_by_definition<D>(field, x - centring.offset), 1e-13);  // values up to 9, 8 products
        Sampler<D, float> fresh(field, centring);
        ASSERT_EQ(value, fresh.linear(x));
        ASSERT_EQ(wandering.cubic(x), fresh.cubic(x));
        const auto [least, most] = fresh.range(x);
        const double limited = wandering.cubic_limited(x);
        EXPECT_TRUE(least <= limited && limited <= most);
    }
    EXPECT_EQ(wandering.linear(Vec<D>::Constant(-1e30)), 9.0);
    EXPECT_EQ(wandering.cubic(Vec<D>::Constant(1e30)), 9.0);
}

TYPED_TEST(Interpolation, ClampsToTheDomain) {
    constexpr int D = TypeParam::value;
    const Grid<D> grid = unit_grid<D>(21);
    const auto set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    for (const auto& centring : centrings<D>()) {
        Field<D, double> field(set, 1e30);
        const auto last = grid.last_index(centring);
        set_values<D>(field,
                      [&](const Coord<D>& c) { return (c.array() <= last.array()).all() ? c[0] + 2.0 * c[1] : 1e30; });
        Sampler<D, double> s(field, centring, grid);
        const Random random(5);
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const Vec<D> x = Vec<D>::Constant(-5.0) + 31 * random.point<D>(i);
            const Vec<D> inside = (x - centring.offset).cwiseMax(0).cwiseMin(last.template cast<double>());
            EXPECT_NEAR(s.linear(x), inside[0] + 2 * inside[1], 1e-13);
            EXPECT_LT(std::abs(s.cubic_limited(x)), 64);  // nothing from beyond the last sample
            EXPECT_LT(std::abs(s.cubic(x)), 64);
        }
        EXPECT_EQ(s.linear(Vec<D>::Constant(1e30)), last[0] + 2.0 * last[1]);
    }
}

TYPED_TEST(Interpolation, StaggeredVelocityOfALinearFlowIsExact) {
    constexpr int D = TypeParam::value;
    const Grid<D> grid = unit_grid<D>(32);
    const auto set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    Mat<D> m = Mat<D>::Identity();
    m(0, 1) = -0.5, m(1, 0) = 0.25;
    FaceField<D, double> u(set);
    for (int a = 0; a < D; ++a)
        set_values<D>(u[a], [&](const Coord<D>& c) {
            return m.row(a).dot(c.template cast<double>() + Centring<D>::face(a).offset);
        });
    VelocitySampler<D, double> sampler(u, grid);
    const Random random(6);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Vec<D> x = Vec<D>::Constant(0.5) + 31 * random.point<D>(i);
        EXPECT_LT((sample_velocity(sampler, x) - m * x).norm(), 1e-13);  // values up to 48
    }
}

}  // namespace
}  // namespace tidelock
