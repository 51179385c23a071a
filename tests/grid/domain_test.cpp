#include "grid/domain.h"

#include <limits>

#include "base/error.h"
#include "grid/support.h"

namespace tidelock {
namespace {

template <class T>
class Domains : public testing::Test {};
TYPED_TEST_SUITE(Domains, Dimensions);

TYPED_TEST(Domains, FramesInvertAndSamplesSitWhereTheySay) {
    constexpr int D = TypeParam::value;
    const Grid<D> grid{Coord<D>::Constant(10), 0.25, Vec<D>::Constant(-3.0)};
    const Vec<D> x = Vec<D>::LinSpaced(D, -2.6, 1.3);
    EXPECT_LT((grid.to_world(grid.to_cells(x)) - x).norm(), 1e-15);  // one rounding of values near 3
    const Coord<D> c = Coord<D>::Constant(4);
    EXPECT_EQ(grid.cell_of(grid.cell_centre(c)), c);
    const Vec<D> face = grid.position(c, Centring<D>::face(1));
    EXPECT_DOUBLE_EQ(face[0], -3.0 + 4.5 * 0.25);
    EXPECT_DOUBLE_EQ(face[1], -3.0 + 4 * 0.25);
    EXPECT_EQ(grid.position(c, Centring<D>::node()), grid.to_world(c.template cast<double>()));
    EXPECT_EQ(grid.last_index(Centring<D>::face(1))[1], 10);
    EXPECT_EQ(grid.last_index(Centring<D>::face(1))[0], 9);
    EXPECT_TRUE(grid.contains(Coord<D>::Constant(9)));
    EXPECT_FALSE(grid.contains(Coord<D>::Constant(10)));
}

TYPED_TEST(Domains, LatticeHoldsTheUpperWall) {
    constexpr int D = TypeParam::value;
    const Coord<D> cells = Coord<D>::Constant(64);  // a multiple of every brick edge: the wall needs one more brick
    const auto set = make_dense<D>(lattice_for_faces<D>(cells));
    EXPECT_NE(set->find(brick_of<D>(cells)), set->void_slot());
    EXPECT_EQ(lattice_for_faces<D>(cells), lattice_for<D>(cells + Coord<D>::Ones()));
}

/// The message of the InputError that f throws, or nothing.
template <class F>
std::string refusal(F&& f) {
    try {
        f();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TYPED_TEST(Domains, RefusesWhatCannotBeAGrid) {
    constexpr int D = TypeParam::value;
    const Coord<D> cells = Coord<D>::Constant(8);
    const Vec<D> zero = Vec<D>::Zero();
    EXPECT_NE(refusal([&] {
                  check_grid<D>({Coord<D>::Zero(), 1.0, zero}, "grid");
              }).find("must be 1 to"),
              std::string::npos);
    for (const double dx :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        EXPECT_NE(refusal([&] { check_grid<D>({cells, dx, zero}, "grid"); }).find("cell size"), std::string::npos);
    EXPECT_NE(refusal([&] {
                  check_grid<D>({cells, 1.0, Vec<D>::Constant(std::nan(""))}, "grid");
              }).find("origin"),
              std::string::npos);
    if (D == 3) {
        EXPECT_NE(refusal([&] {
                      check_grid<D>({Coord<D>::Constant(1 << 20), 1.0, zero}, "grid");
                  }).find("bricks"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace tidelock
