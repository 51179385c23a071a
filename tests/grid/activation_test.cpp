#include "grid/activation.h"

#include <atomic>

#include "grid/support.h"

namespace tidelock {
namespace {

template <class T>
class Activation : public testing::Test {};
TYPED_TEST_SUITE(Activation, Dimensions);

template <int D>
double sphere(const Vec<D>& x) {
    return (x - Vec<D>::Constant(0.45)).norm() - 0.21;
}

/// A torus around the last axis; in the plane, its section by x and y: a ring.
template <int D>
double torus(const Vec<D>& x) {
    const Vec<D> r = x - Vec<D>::Constant(0.5);
    Vec2 q(std::hypot(r[0], r[1]) - 0.3, D == 3 ? r[D - 1] : 0.0);
    return q.norm() - 0.06;
}

TYPED_TEST(Activation, CoversEveryCellWithinTheMarginAndLittleElse) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 512 : 128);
    const double margin = 3 * grid.dx;
    for (const DistanceFunction<D>& shape : {DistanceFunction<D>(sphere<D>), DistanceFunction<D>(torus<D>)}) {
        const auto set = activate_shape<D>(grid, shape, margin);
        const auto lattice = lattice_for_faces<D>(grid.cells);
        EXPECT_LT(set->count(), make_dense<D>(lattice)->count() / 2);
        // The descent gives what asking every brick gives.
        EXPECT_EQ(*set, *make_where<D>(lattice, [&](const Coord<D>& b) {
            return shape(grid.brick_centre(b)) <= grid.brick_half_diagonal() + margin;
        }));
        const auto all = make_dense<D>(lattice);
        for (const auto& b : all->bricks()) {
            if (set->find(b) != set->void_slot()) continue;
            for (int i = 0; i < Brick<D>::cells; ++i)
                ASSERT_GT(shape(grid.cell_centre(first_cell<D>(b) + local_coord<D>(i))), margin);
        }
    }
}

TYPED_TEST(Activation, ShapeAsksFewBricksOfALargeRoom) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(D == 2 ? 2048 : 512);
    std::atomic<std::ptrdiff_t> calls{0};
    const auto set = activate_shape<D>(
        grid, [&](const Vec<D>& x) { return ++calls, (x - Vec<D>::Constant(0.5)).norm() - 0.02; }, 0.0);
    // A kept block asks its 2^D children; the levels above add a geometric series.
    EXPECT_LT(calls.load(), 2 * (1 << D) * (set->count() + 16));
    EXPECT_LT(calls.load(), make_dense<D>(set->lattice())->count() / 4);
}

TYPED_TEST(Activation, ByValueAsksActiveCellsOnly) {
    constexpr int D = TypeParam::value;
    const auto set = random_set<D>(Coord<D>::Constant(8), 0.1);
    Field<D, float> phi(set, 1.0f);
    phi.brick(3)[17] = -1;
    std::atomic<std::ptrdiff_t> calls{0};
    EXPECT_GT(reactivate_where<D>(set, phi, 2, [&](float v) { return ++calls, v < 0; })->count(), 0);
    EXPECT_LE(calls.load(), set->cells() + Brick<D>::size[0]);  // a row with a hit is also read from its end
}

// Around whole bricks: the definition.
TYPED_TEST(Activation, GrowsByCells) {
    constexpr int D = TypeParam::value;
    const auto set = random_set<D>(Coord<D>::Constant(6), 0.05);
    ASSERT_GT(set->count(), 0);
    CellBox<D> whole{Coord<D>::Zero(), Coord<D>::Zero()};
    for (int a = 0; a < D; ++a) whole.last[a] = Brick<D>::size[a] - 1;
    const std::vector<CellBox<D>> boxes(set->bricks().size(), whole);
    EXPECT_EQ(activate_around<D>(set, boxes, 0), set);
    const int cells = Brick<D>::size[D - 1] + 1;  // two bricks along the short axes of space, one along x
    const auto grown = activate_around<D>(set, boxes, cells);
    const auto all = make_dense<D>(set->lattice());
    for (const auto& b : all->bricks()) {
        bool near = false;
        for (const auto& c : set->bricks()) {
            bool touch = true;
            for (int a = 0; a < D; ++a)
                touch = touch && std::abs(b[a] - c[a]) <= (cells + Brick<D>::size[a] - 1) / Brick<D>::size[a];
            near = near || touch;
        }
        EXPECT_EQ(grown->find(b) != grown->void_slot(), near);
    }
}

TYPED_TEST(Activation, ReactivationFollowsTheFluid) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(96);
    const int band = 5;
    BrickSetPtr<D> set = activate_shape<D>(grid, sphere<D>, band * grid.dx);
    Field<D, double> phi(set, 1.0), other(set, 2.0);
    bool same = false, changed = false;
    for (int step = 0; step < 30; ++step) {
        const Vec<D> shift = Vec<D>::Constant(0.4 * step * grid.dx);
        set_values<D>(phi, [&](const Coord<D>& c) { return sphere<D>(grid.cell_centre(c) - shift); });
        const auto next = reactivate<D>(set, phi, band);
        (next == set ? same : changed) = true;
        remap_all(next, phi, other);
        EXPECT_EQ(phi.set_ptr(), next);
        EXPECT_EQ(other.set_ptr(), next);
        set = next;
        // Every cell within `band` cells along the axes of a liquid cell is active; a row through the middle shows it.
        const auto all = make_dense<D>(set->lattice());
        for (const auto& b : all->bricks())
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> c = first_cell<D>(b) + local_coord<D>(i);
                if (sphere<D>(grid.cell_centre(c) - shift) < (band - 0.5) * grid.dx) {
                    ASSERT_TRUE(phi.active(c)) << step;
                }
            }
    }
    EXPECT_TRUE(same);
    EXPECT_TRUE(changed);
}

TYPED_TEST(Activation, ReactivationAgainstDefinition) {
    constexpr int D = TypeParam::value;
    const auto set = random_set<D>(Coord<D>::Constant(5), 0.5);
    Field<D, float> phi(set, 1.0f);
    const Random random(5);
    set_values<D>(phi, [&](const Coord<D>& c) { return random.uniform(key_of<D>(c)) < 0.0005 ? -1.0 : 1.0; });
    const int band = 3;
    const auto found = reactivate<D>(set, phi, band);
    for (std::ptrdiff_t s = 0; s < set->count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (phi.brick(s)[i] >= 0) continue;
            const Coord<D> c = first_cell<D>(set->brick(s)) + local_coord<D>(i);
            for (int n = 0; n < (1 << D); ++n) {
                Coord<D> far = c;
                for (int a = 0; a < D; ++a) far[a] += (n >> a) & 1 ? band : -band;
                if (found->inside(brick_of<D>(far))) {
                    EXPECT_NE(found->find(brick_of<D>(far)), found->void_slot());
                }
            }
        }
    // Nothing wanted: an empty set, not the old one.
    phi.fill(1.0f);
    EXPECT_EQ(reactivate<D>(set, phi, band)->count(), 0);
}

}  // namespace
}  // namespace tidelock
