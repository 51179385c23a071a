#include "grid/extrapolate.h"

#include "grid/support.h"

namespace tidelock {
namespace {

template <class T>
class Extrapolation : public testing::Test {};
TYPED_TEST_SUITE(Extrapolation, Dimensions);

constexpr double radius = 0.25;
template <int D>
double ball(const Vec<D>& x) {
    return (x - Vec<D>::Constant(0.5)).norm() - radius;
}

/// A ball of known faces: phi, the mask phi_f < 0, and u = f(position) there, 1e6 elsewhere.
template <int D>
struct Ball {
    Grid<D> grid;
    Field<D, double> phi;
    FaceField<D, double> u;
    FaceMask<D> known;

    template <class F>
    Ball(int n, const BrickSetPtr<D>& set, F&& f) : grid(unit_grid<D>(n)), phi(set, 1.0), u(set), known(set) {
        set_values<D>(phi, [&](const Coord<D>& c) { return ball<D>(grid.cell_centre(c)); });
        for (int a = 0; a < D; ++a) {
            const auto at = [&](const Coord<D>& c) { return grid.position(c, Centring<D>::face(a)); };
            set_values<D>(known[a], [&](const Coord<D>& c) { return ball<D>(at(c)) < 0 ? 1 : 0; });
            set_values<D>(u[a], [&](const Coord<D>& c) { return ball<D>(at(c)) < 0 ? f(at(c)) : 1e6; });
        }
    }
};

template <int D>
BrickSetPtr<D> dense_for(int n) {
    return make_dense<D>(lattice_for_faces<D>(Coord<D>::Constant(n)));
}

// Each layer is the mean of the neighbours known before it, whatever the bricks and however few samples are known.
TYPED_TEST(Extrapolation, LayersAreThoseOfTheirDefinition) {
    constexpr int D = TypeParam::value;
    const auto set = dense_for<D>(40);
    const Random random(8);
    Field<D, double> u(set, 0.0);
    Mask<D> known(set, 0);
    std::uint64_t place = 0;
    set_values<D>(known, [&](const Coord<D>&) { return random.uniform(place++, 0) < 3e-4 ? 1 : 0; });
    place = 0;
    set_values<D>(u, [&](const Coord<D>&) { return random.uniform(place++, 1); });
    auto expected = u.remapped(set);
    auto reached = known.remapped(set);
    constexpr int layers = 6;
    for (int layer = 1; layer <= layers; ++layer) {
        const auto u_before = expected.remapped(set);
        const auto known_before = reached.remapped(set);
        for (const auto& brick : set->bricks())
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> at = first_cell<D>(brick) + local_coord<D>(i);
                if (known_before.at(at) != 0) continue;
                double sum = 0;
                int count = 0;
                for (int a = 0; a < D; ++a)
                    for (const int side : {-1, 1}) {
                        const Coord<D> to = at + side * Coord<D>::Unit(a);
                        if (known_before.at(to) != 0) sum += u_before.at(to), ++count;
                    }
                if (count == 0) continue;
                expected.ref(at) = sum / count;
                reached.ref(at) = static_cast<MaskValue>(layer + 1);
            }
    }
    extrapolate_layers<D, double>(u, known, layers);
    for (std::size_t i = 0; i < u.values().size(); ++i) {
        ASSERT_EQ(known.values()[i], reached.values()[i]);
        ASSERT_EQ(u.values()[i], expected.values()[i]);
    }
}

TYPED_TEST(Extrapolation, ConstantsStayExact) {
    constexpr int D = TypeParam::value;
    const int n = 48;
    const double value = 0.75;  // sums of equal values of few bits are exact
    Ball<D> layers(n, dense_for<D>(n), [&](const Vec<D>&) { return value; });
    Ball<D> upwind(n, dense_for<D>(n), [&](const Vec<D>&) { return value; });
    extrapolate_layers<D, double>(layers.u, layers.known, 4);
    extrapolate_upwind<D, double, double>(upwind.u, upwind.known, upwind.phi, 4 * upwind.grid.dx);
    for (int a = 0; a < D; ++a)
        for (std::size_t i = 0; i < layers.phi.values().size(); ++i) {
            if (layers.known[a].values()[i] != 0) {
                ASSERT_EQ(layers.u[a].values()[i], value);
            } else {
                ASSERT_EQ(layers.u[a].values()[i], 1e6);
            }
            if (upwind.known[a].values()[i] != 0) {
                ASSERT_NEAR(upwind.u[a].values()[i], value, 1e-15);  // w v / w rounds
            } else {
                ASSERT_EQ(upwind.u[a].values()[i], 1e6);
            }
        }
    // Everything within the layers was reached.
    for (const auto& b : layers.phi.set().bricks())
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
            const double d = ball<D>(layers.grid.position(c, Centring<D>::face(0))) / layers.grid.dx;
            if (d < 4 / std::sqrt(double{D}) - 1) {
                EXPECT_NE(layers.known[0].at(c), 0);  // a layer grows 1/sqrt(D) at least
            }
            if (d < 3.9) {
                EXPECT_NE(upwind.known[0].at(c), 0);
            }
            EXPECT_LE(layers.known[0].at(c), 5);
        }
}

/// Greatest difference from u(closest point) within three cells of a ball in a field that is linear in space.
template <int D>
double upwind_error(int n) {
    const auto linear = [](const Vec<D>& x) { return x[0] - 0.5 * x[D - 1]; };
    Ball<D> b(n, dense_for<D>(n), linear);
    extrapolate_upwind<D, double, double>(b.u, b.known, b.phi, 4 * b.grid.dx);
    double error = 0;
    for (int a = 0; a < D; ++a)
        for (const auto& brick : b.phi.set().bricks())
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> c = first_cell<D>(brick) + local_coord<D>(i);
                const Vec<D> x = b.grid.position(c, Centring<D>::face(a));
                const double d = ball<D>(x);
                if (d < 0 || d > 3 * b.grid.dx) continue;
                const Vec<D> centre = Vec<D>::Constant(0.5);
                error = std::max(error, std::abs(b.u[a].at(c) - linear(centre + radius * (x - centre).normalized())));
            }
    return error;
}

TYPED_TEST(Extrapolation, UpwindIsFirstOrderAlongTheNormal) {
    constexpr int D = TypeParam::value;
    const double coarse = upwind_error<D>(32), fine = upwind_error<D>(D == 2 ? 128 : 64);
    const double halvings = D == 2 ? 2 : 1;
    EXPECT_NEAR(std::log2(coarse / fine) / halvings, 1.0, 0.25) << coarse << " " << fine;
    EXPECT_LT(coarse, 2.0 / 32);  // about a cell times the slope, which is 1.1
}

TYPED_TEST(Extrapolation, UpwindIsExactAcrossAnAxisPlane) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(40);
    const auto set = dense_for<D>(40);
    for (int normal = 0; normal < D; ++normal) {
        Field<D, double> phi(set, 1.0), u(set);
        Mask<D> known(set);
        const Random random(3);
        const auto value = [&](Coord<D> c) {  // varies along the plane, constant across it
            c[normal] = 0;
            return random.uniform(key_of<D>(c));
        };
        set_values<D>(phi, [&](const Coord<D>& c) { return grid.cell_centre(c)[normal] - 0.5; });
        set_values<D>(known, [&](const Coord<D>& c) { return c[normal] < 20 ? 1 : 0; });
        set_values<D>(u, [&](const Coord<D>& c) { return c[normal] < 20 ? value(c) : -1.0; });
        extrapolate_upwind<D, double, double>(u, known, phi, 6 * grid.dx);
        for (const auto& b : set->bricks())
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
                ASSERT_NEAR(u.at(c), c[normal] < 26 ? value(c) : -1.0, 1e-15);
            }
    }
}

TYPED_TEST(Extrapolation, SamplesThatNothingReachesStayUnknown) {
    constexpr int D = TypeParam::value;
    const auto set = dense_for<D>(40);
    Field<D, float> phi(set, 1.0f), u(set, 5.0f);
    Mask<D> known(set);
    set_values<D>(phi,
                  [&](const Coord<D>& c) { return std::abs(c[0] - 10.0) - 3; });  // a valley without a known sample
    extrapolate_upwind<D, float, float>(u, known, phi, 8.0);
    for (const MaskValue m : known.values()) ASSERT_EQ(m, 0);
    for (const float v : u.values()) ASSERT_EQ(v, 5.0f);
}

TYPED_TEST(Extrapolation, SparseSetsAndThreadsGiveTheSameBits) {
    constexpr int D = TypeParam::value;
    const int n = 60;
    const auto set = random_set<D>(lattice_for_faces<D>(Coord<D>::Constant(n)), 0.8);
    const auto f = [](const Vec<D>& x) { return std::sin(9 * x[0]) + x[D - 1]; };
    EXPECT_TRUE(same_on_any_threads([&] {
        Ball<D> b(n, set, f);
        extrapolate_layers<D, double>(b.u, b.known, 5);
        return std::move(b.u[0]);
    }));
    EXPECT_TRUE(same_on_any_threads([&] {
        Ball<D> b(n, set, f);
        extrapolate_upwind<D, double, double>(b.u, b.known, b.phi, 6 * b.grid.dx);
        return std::move(b.u[D - 1]);
    }));
}

}  // namespace
}  // namespace tidelock
