/// The cells of a brick and their face neighbours, a vector of cells along x at a time. Compiled once a target
/// (base/isa.h).
#include "base/lanes-inl.h"
#include "grid/rows.h"

#if defined(TIDELOCK_GRID_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDELOCK_GRID_ROWS_INL_H_
#undef TIDELOCK_GRID_ROWS_INL_H_
#else
#define TIDELOCK_GRID_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {

/// Values of one array around the rows of a brick.
template <int D, class T>
class RowReader : public NeighbourRows<D, T, Brick<D>::size[0]> {
    using Rows = NeighbourRows<D, T, Brick<D>::size[0]>;

  public:
    static constexpr int nx = Brick<D>::size[0];
    using Tag = RowTag<T, nx>;
    using V = hn::Vec<Tag>;
    static constexpr int step = lanes<Tag>;

    using Rows::Rows;
    /// The cells from x = i on in row k.
    [[nodiscard]] HWY_INLINE V centre(int k, int i) const { return hn::LoadU(Tag(), this->row(k) + i); }
    /// Their neighbours below and above along an axis.
    [[nodiscard]] HWY_INLINE V lower(int axis, int k, int i) const {
        if (axis > 0) return hn::LoadU(Tag(), this->below(axis, k) + i);
        const T* before = i > 0 ? this->row(k) + i - step : this->left(k) + nx - step;
        return shift_up(Tag(), hn::LoadU(Tag(), before), centre(k, i));
    }
    [[nodiscard]] HWY_INLINE V upper(int axis, int k, int i) const {
        if (axis > 0) return hn::LoadU(Tag(), this->above(axis, k) + i);
        const T* after = i + step < nx ? this->row(k) + i + step : this->right(k);
        return shift_down(Tag(), centre(k, i), hn::LoadU(Tag(), after));
    }
    /// Asks for row k of a brick further on.
    HWY_INLINE void read_ahead(int k) const { tidelock::read_ahead<nx>(this->row(k)); }
};

/// Calls f(y, z) for every rows_at_once-th row of a brick.
template <int D, class F>
HWY_INLINE void for_each_row_block(const F& f) {
    for (int z = 0; z < (D == 3 ? Brick<D>::size[D - 1] : 1); ++z)
        for (int y = 0; y < Brick<D>::size[1]; y += rows_at_once) f(y, z);
}

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
