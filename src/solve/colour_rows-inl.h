/// Reads and writes vectors in colour order (solve/colour_order.h). Compiled once a target (base/isa.h).
#include "grid/rows-inl.h"
#include "solve/colour_order.h"

#if defined(TIDELOCK_SOLVE_COLOUR_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDELOCK_SOLVE_COLOUR_ROWS_INL_H_
#undef TIDELOCK_SOLVE_COLOUR_ROWS_INL_H_
#else
#define TIDELOCK_SOLVE_COLOUR_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {

/// Calls f.template operator()<shift>(k, at) for the rows of a brick, of which row k = 0, 1, ... since the readers'
/// last go() begins at place `at` of its colour's half, its cells being at x = 2 i + shift.
template <int D, int colour, class F, class... Readers>
HWY_INLINE void for_each_colour_row(int y, int z, const F& f, Readers&... readers) {
    (readers.go(y, z), ...);
    const int block = half_row<D> * (y + Brick<D>::size[1] * z);
    if (((colour + z) & 1) == 0)
        for (int k = 0; k < rows_at_once; k += 2) {
            f.template operator()<0>(k, block + half_row<D> * k);
            f.template operator()<1>(k + 1, block + half_row<D> * (k + 1));
        }
    else
        for (int k = 0; k < rows_at_once; k += 2) {
            f.template operator()<1>(k, block + half_row<D> * k);
            f.template operator()<0>(k + 1, block + half_row<D> * (k + 1));
        }
}

/// Values of one array around the cells of a colour: all of them are of the other colour.
template <int D, class T, int colour>
class ColourReader : public NeighbourRows<D, T, half_row<D>> {
    using Rows = NeighbourRows<D, T, half_row<D>>;

  public:
    static constexpr int nx = half_row<D>;
    using Tag = RowTag<T, nx>;
    using V = hn::Vec<Tag>;
    static constexpr int step = lanes<Tag>;

    HWY_INLINE ColourReader(const T* data, const FaceSlots<D>& slots)
        : Rows(data + (1 - colour) * half_brick<D>, slots) {}

    /// The neighbours of the cells from i on in row k, below and above along an axis.
    template <int shift>
    [[nodiscard]] HWY_INLINE V lower(int axis, int k, int i) const {
        if (axis > 0) return hn::LoadU(Tag(), this->below(axis, k) + i);
        const V here = hn::LoadU(Tag(), this->row(k) + i);
        if constexpr (shift == 1) return here;
        const T* before = i > 0 ? this->row(k) + i - step : this->left(k) + nx - step;
        return shift_up(Tag(), hn::LoadU(Tag(), before), here);
    }
    template <int shift>
    [[nodiscard]] HWY_INLINE V upper(int axis, int k, int i) const {
        if (axis > 0) return hn::LoadU(Tag(), this->above(axis, k) + i);
        const V here = hn::LoadU(Tag(), this->row(k) + i);
        if constexpr (shift == 0) return here;
        const T* behind = i + step < nx ? this->row(k) + i + step : this->right(k);
        return shift_down(Tag(), here, hn::LoadU(Tag(), behind));
    }
};

/// Calls f.template operator()<shift>(k, i, at) for each vector of a colour's cells from row y of layer z on.
template <int D, class T, int colour, class F, class... Readers>
HWY_INLINE void for_each_vector(int y, int z, const F& f, Readers&... readers) {
    using Reader = ColourReader<D, T, colour>;
    for_each_colour_row<D, colour>(
        y, z,
        [&]<int shift>(int k, int row) TIDELOCK_LAMBDA {
            for (int i = 0; i < Reader::nx; i += Reader::step) f.template operator()<shift>(k, i, row + i);
        },
        readers...);
}
/// The same for all rows of a brick.
template <int D, class T, int colour, class F, class... Readers>
HWY_INLINE void for_each_vector(const F& f, Readers&... readers) {
    for_each_row_block<D>([&](int y, int z) TIDELOCK_LAMBDA { for_each_vector<D, T, colour>(y, z, f, readers...); });
}

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
