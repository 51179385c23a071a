/// The cells of a brick and their face neighbours, read in place, a pack of cells along x at a time.
///
/// A stencil of face neighbours needs no copy of its surroundings: neighbours along y and z are rows of this brick or
/// of the next one, and those along x are this row shifted by one, with one value from the next brick. Arrays must have
/// a brick behind the last for cells that are not there (grid/brick_set.h, void slot).
#pragma once

#include <cstdint>
#include <utility>

#include "base/pack.h"
#include "grid/brick.h"
#include "grid/read_ahead.h"

namespace tidelock {

/// Where a brick and its 2 D neighbours across faces are stored.
template <int D>
struct FaceSlots {
    std::ptrdiff_t own, lower[D], upper[D];

    /// `neighbours` is the brick's row of the neighbour table; `place` maps a slot to where a quantity has it.
    template <class Place>
    FaceSlots(const std::int32_t* neighbours, Place&& place) {
        Coord<D> step = Coord<D>::Zero();
        own = place(neighbours[neighbour_slot<D>(step)]);
        for (int a = 0; a < D; ++a) {
            step[a] = -1;
            lower[a] = place(neighbours[neighbour_slot<D>(step)]);
            step[a] = 1;
            upper[a] = place(neighbours[neighbour_slot<D>(step)]);
            step[a] = 0;
        }
    }
    explicit FaceSlots(const std::int32_t* neighbours) : FaceSlots(neighbours, [](std::int32_t s) { return s; }) {}
};

/// Values of one array around the rows of a brick.
template <int D, class T>
class RowReader {
  public:
    static constexpr int lanes = 64 / static_cast<int>(sizeof(T));
    static constexpr int nx = Brick<D>::size[0], ny = Brick<D>::size[1], nz = D == 3 ? Brick<3>::size[2] : 1;
    using V = Pack<T, lanes>;
    static_assert(nx % lanes == 0);

    [[gnu::always_inline]] RowReader(const T* data, const FaceSlots<D>& slots) {
        own_ = data + slots.own * Brick<D>::cells;
        for (int a = 0; a < D; ++a) {
            lower_[a] = data + slots.lower[a] * Brick<D>::cells;
            upper_[a] = data + slots.upper[a] * Brick<D>::cells;
        }
    }

    /// Sets the row that the functions below speak of.
    [[gnu::always_inline]] void go(int y, int z) {
        const int row = nx * (y + ny * z);
        centre_ = own_ + row;
        read_ahead<nx>(centre_);
        left_ = lower_[0] + row;
        right_ = upper_[0] + row;
        below_[0] = y > 0 ? centre_ - nx : lower_[1] + row + nx * (ny - 1);
        above_[0] = y + 1 < ny ? centre_ + nx : upper_[1] + row - nx * (ny - 1);
        if constexpr (D == 3) {
            below_[1] = z > 0 ? centre_ - nx * ny : lower_[2] + row + nx * ny * (nz - 1);
            above_[1] = z + 1 < nz ? centre_ + nx * ny : upper_[2] + row - nx * ny * (nz - 1);
        }
    }
    /// The pack of cells from x = i on.
    [[gnu::always_inline, nodiscard]] V centre(int i) const { return load_pack<V>(centre_ + i); }
    /// Their neighbours below and above along an axis.
    [[gnu::always_inline, nodiscard]] V lower(int axis, int i) const {
        if (axis > 0) return load_pack<V>(below_[axis - 1] + i);
        const T* before = i > 0 ? centre_ + i - lanes : left_ + nx - lanes;
        return shift_up(load_pack<V>(before), centre(i), std::make_integer_sequence<int, lanes>());
    }
    [[gnu::always_inline, nodiscard]] V upper(int axis, int i) const {
        if (axis > 0) return load_pack<V>(above_[axis - 1] + i);
        const T* after = i + lanes < nx ? centre_ + i + lanes : right_;
        return shift_down(centre(i), load_pack<V>(after), std::make_integer_sequence<int, lanes>());
    }

  private:
    template <int... lane>
    [[gnu::always_inline]] static V shift_up(const V& before, const V& here, std::integer_sequence<int, lane...>) {
        return __builtin_shufflevector(before, here, (lanes - 1 + lane)...);
    }
    template <int... lane>
    [[gnu::always_inline]] static V shift_down(const V& here, const V& after, std::integer_sequence<int, lane...>) {
        return __builtin_shufflevector(here, after, (1 + lane)...);
    }

    const T *own_, *lower_[D], *upper_[D];
    const T *centre_ = nullptr, *left_ = nullptr, *right_ = nullptr, *below_[2] = {}, *above_[2] = {};
};

/// Calls f(y, z) for each row of a brick.
template <int D, class F>
[[gnu::always_inline]] inline void for_each_brick_row(const F& f) {
    for (int z = 0; z < (D == 3 ? Brick<D>::size[D - 1] : 1); ++z)
        for (int y = 0; y < Brick<D>::size[1]; ++y) f(y, z);
}

}  // namespace tidelock
