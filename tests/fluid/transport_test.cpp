#include "fluid/transport.h"

#include <cmath>
#include <numbers>

#include "base/random.h"
#include "field_testing.h"

namespace tidelock {
namespace {

template <int D>
Sides<D> all_open() {
    Sides<D> sides;
    for (auto& axis : sides.open) axis = {true, true};
    return sides;
}

/// Largest |f - g| over the cells within [0.2, 0.8]^D.
template <int D, class F>
double inner_error(const Grid<D>& grid, const Field<D, double>& field, F&& exact) {
    double worst = 0;
    for (std::ptrdiff_t b = 0; b < field.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(field.set().brick(b)) + local_coord<D>(i);
            const Vec<D> x = grid.cell_centre(cell);
            if ((x.array() > 0.2).all() && (x.array() < 0.8).all())
                worst = std::max(worst, std::abs(field.brick(b)[i] - exact(x)));
        }
    return worst;
}

template <int D>
Field<D, double> carried(const Wind<D>& wind, Transport scheme, const Field<D, double>& in) {
    Field<D, double> out(in.set_ptr(), in.background());
    const Field<D, double>* from[] = {&in};
    Field<D, double>* to[] = {&out};
    std::vector<Coord<D>> hidden;
    advect_cells<D>(wind, scheme, from, to, hidden);
    EXPECT_TRUE(hidden.empty());
    return out;
}

template <class T>
class TransportTest : public testing::Test {};
TYPED_TEST_SUITE(TransportTest, Dimensions);

// A linear field in a uniform wind is carried exactly by both schemes, whether the way fits a brick's window or not.
TYPED_TEST(TransportTest, CarriesALinearFieldExactlyAtAnyDistance) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 80 : 40);
    const auto sides = all_open<D>();
    const auto set = smoke_bricks<D>(grid, sides);
    const Vec<D> slope = Vec<D>::LinSpaced(1.0, 3.0);
    Field<D, double> field(set, 0.0);
    fill_cells<D>(grid, field, [&](const Vec<D>& x) { return slope.dot(x) + 0.5; });
    for (double cells : {0.3, 2.7, 6.4}) {
        const Vec<D> speed = Vec<D>::Constant(cells * grid.dx / 0.1);
        FaceField<D, double> velocity(set, 0.0);
        fill_faces<D>(grid, velocity, [&](const Vec<D>&) { return speed; });
        const Wind<D> wind{grid, sides, velocity, 0.1};
        for (Transport scheme : {Transport::semi_lagrangian, Transport::maccormack}) {
            const auto out = carried<D>(wind, scheme, field);
            const auto exact = [&](const Vec<D>& x) { return slope.dot(x - 0.1 * speed) + 0.5; };
            EXPECT_LT(inner_error<D>(grid, out, exact), 1e-12) << cells << " cells";
        }
    }
}

// A smooth field without extremes, where the limiter has nothing to cut, in a rotating wind for a tenth of a turn: the
// error falls with the square of the cell size for MacCormack, with its first power for the semi-Lagrangian scheme.
TYPED_TEST(TransportTest, MacCormackIsOfSecondOrder) {
    constexpr int D = TypeParam::value;
    const auto wind_at = [](const Vec<D>& x) {
        Vec<D> u = Vec<D>::Zero();
        u[0] = -2 * std::numbers::pi * (x[1] - 0.5);
        u[1] = 2 * std::numbers::pi * (x[0] - 0.5);
        return u;
    };
    const auto ramp = [](const Vec<D>& x, double angle) {
        const double c = std::cos(angle), s = std::sin(angle);
        const double along = c * (x[0] - 0.5) + s * (x[1] - 0.5);  // the coordinate x, turned
        return std::exp(5 * along + (D == 3 ? x[D - 1] : 0.0));
    };
    double error[2][2];
    for (int level = 0; level < 2; ++level) {
        const auto grid = unit_grid<D>((D == 2 ? 64 : 32) << level);
        const auto sides = all_open<D>();
        const auto set = smoke_bricks<D>(grid, sides);
        FaceField<D, double> velocity(set, 0.0);
        fill_faces<D>(grid, velocity, wind_at);
        const int steps = (D == 2 ? 8 : 4) << level;
        const Wind<D> wind{grid, sides, velocity, 0.1 / steps};
        for (int scheme = 0; scheme < 2; ++scheme) {
            Field<D, double> field(set, 0.0);
            fill_cells<D>(grid, field, [&](const Vec<D>& x) { return ramp(x, 0); });
            for (int s = 0; s < steps; ++s)
                field = carried<D>(wind, scheme == 0 ? Transport::semi_lagrangian : Transport::maccormack, field);
            error[level][scheme] = 0;
            for (std::ptrdiff_t b = 0; b < set->count(); ++b)
                for (int i = 0; i < Brick<D>::cells; ++i) {
                    const Coord<D> cell = first_cell<D>(set->brick(b)) + local_coord<D>(i);
                    const Vec<D> x = grid.cell_centre(cell);
                    // Where nothing has come from the sides yet.
                    if ((x - Vec<D>::Constant(0.5)).cwiseAbs().maxCoeff() > 0.2) continue;
                    error[level][scheme] =
                        std::max(error[level][scheme], std::abs(field.brick(b)[i] - ramp(x, 0.2 * std::numbers::pi)));
                }
        }
    }
    EXPECT_NEAR(std::log2(error[0][0] / error[1][0]), 1, 0.2);
    // The grids of the 3D case are coarse for this field; its order is still on the way to 2 (1.60 measured).
    EXPECT_GT(std::log2(error[0][1] / error[1][1]), D == 2 ? 1.8 : 1.5);
    EXPECT_LT(error[1][1], (D == 2 ? 0.1 : 0.2) * error[1][0]);
}

TYPED_TEST(TransportTest, MacCormackMakesNoNewExtremes) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    const Sides<D> sides;
    const auto set = smoke_bricks<D>(grid, sides);
    const Random random(7);
    FaceField<D, double> velocity(set, 0.0);
    for (int a = 0; a < D; ++a)
        for (std::size_t i = 0; i < velocity[a].values().size(); ++i)
            velocity[a].values()[i] = 0.4 * (random.uniform(i * D + static_cast<std::size_t>(a)) - 0.5);
    Field<D, double> field(set, 0.0);
    fill_cells<D>(grid, field, [&](const Vec<D>& x) { return x[0] > 0.5 ? 1.0 : 0.0; });
    const Wind<D> wind{grid, sides, velocity, 0.1};
    for (int s = 0; s < 5; ++s) field = carried<D>(wind, Transport::maccormack, field);
    double least = 1, most = 0;
    for (double v : field.values()) least = std::min(least, v), most = std::max(most, v);
    EXPECT_GE(least, 0);
    EXPECT_LE(most, 1);
    EXPECT_GT(most, 0.9);
}

TYPED_TEST(TransportTest, AmbientAirEntersThroughOpenSidesAndNothingThroughClosedOnes) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    Sides<D> sides;
    const auto set = smoke_bricks<D>(grid, all_open<D>());
    FaceField<D, double> velocity(set, 0.0);
    fill_faces<D>(grid, velocity, [](const Vec<D>&) { return Vec<D>(Vec<D>::Unit(0)); });
    Field<D, double> field(set, 0.0);
    fill_cells<D>(grid, field, [](const Vec<D>&) { return 1.0; });
    const Coord<D> first = Coord<D>::Constant(1);
    const Wind<D> closed{grid, sides, velocity, 3 * grid.dx};
    EXPECT_EQ(carried<D>(closed, Transport::maccormack, field).at(first), 1.0);
    const auto open_sides = all_open<D>();
    const Wind<D> open{grid, open_sides, velocity, 3 * grid.dx};
    EXPECT_EQ(carried<D>(open, Transport::maccormack, field).at(first), 0.0);
}

TYPED_TEST(TransportTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 96 : 40);
    const Sides<D> sides;
    const auto set = smoke_bricks<D>(grid, sides);
    FaceField<D, double> velocity(set, 0.0);
    fill_faces<D>(grid, velocity, [](const Vec<D>& x) { return Vec<D>(x.array().sin() * 3); });
    const Wind<D> wind{grid, sides, velocity, 0.02};
    FaceField<D, double> one(set, 0.0), two(set, 0.0);
    {
        const ThreadLimit limit(1);
        advect_velocity<D>(wind, Transport::maccormack, one);
    }
    advect_velocity<D>(wind, Transport::maccormack, two);
    for (int a = 0; a < D; ++a)
        EXPECT_TRUE(std::equal(one[a].values().begin(), one[a].values().end(), two[a].values().begin()));
}

}  // namespace
}  // namespace tidelock
