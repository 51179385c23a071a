#include "grid/field.h"

#include <gtest/gtest.h>

#include "dimensions.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

template <class T>
class Fields : public testing::Test {};
TYPED_TEST_SUITE(Fields, Dimensions);

template <int D>
BrickSetPtr<D> checkered(int extent) {
    return make_where<D>(Coord<D>::Constant(extent), [](const Coord<D>& b) { return b.sum() % 3 != 1; });
}

/// A value that names its cell.
template <int D>
double tag(const Coord<D>& c) {
    double t = 0;
    for (int a = 0; a < D; ++a) t = t * 1000 + c[a] + 1;
    return t;
}

template <int D>
Field<D, double> tagged(const BrickSetPtr<D>& set) {
    Field<D, double> f(set, -7.0);
    for (std::ptrdiff_t b = 0; b < set->count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i)
            f.brick(b)[i] = tag<D>(first_cell<D>(set->brick(b)) + local_coord<D>(i));
    return f;
}

TYPED_TEST(Fields, HaloHoldsNeighboursOrBackground) {
    constexpr int D = TypeParam::value;
    const auto f = tagged<D>(checkered<D>(4));
    constexpr int H = 3;
    auto buffer = std::make_unique<HaloBuffer<D, H, double>>();
    for (std::ptrdiff_t b = 0; b < f.set().count(); ++b) {
        buffer->load(f.data(), f.set().neighbours(b).data());
        using Buffer = HaloBuffer<D, H, double>;
        for (int z = -Buffer::hz; z < Buffer::nz + Buffer::hz; ++z)
            for (int y = -H; y < Buffer::ny + H; ++y)
                for (int x = -H; x < Buffer::nx + H; ++x) {
                    Coord<D> c = first_cell<D>(f.set().brick(b));
                    c[0] += x, c[1] += y;
                    if constexpr (D == 3) c[2] += z;
                    ASSERT_EQ(buffer->v[Buffer::at(x, y, z)], f.at(c));
                }
    }
}

TYPED_TEST(Fields, RemapKeepsSharedBricks) {
    constexpr int D = TypeParam::value;
    const auto f = tagged<D>(checkered<D>(4));
    const auto target = make_where<D>(Coord<D>::Constant(4), [](const Coord<D>& b) { return b[0] != 2; });
    const auto g = f.remapped(target);
    for (std::ptrdiff_t b = 0; b < target->count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(target->brick(b)) + local_coord<D>(i);
            ASSERT_EQ(g.at(c), f.active(c) ? tag<D>(c) : -7.0);
        }
}

}  // namespace
}  // namespace tidelock
