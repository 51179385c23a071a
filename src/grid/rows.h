/// The cells of a brick and their face neighbours, read in place, a pack of cells along x at a time.
///
/// A stencil of face neighbours needs no copy of its surroundings: neighbours along y and z are rows of this brick or
/// of the next one, and those along x are this row shifted by one, with one value from the next brick. Arrays must have
/// a brick behind the last for cells that are not there (grid/brick_set.h, void slot).
#pragma once

#include <cstdint>

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

/// Rows along y whose places are worked out at once: pointers to the six neighbours of every row do not fit into
/// registers, and to fetch them took longer than the sums.
inline constexpr int rows_at_once = 8;

/// Where some rows of a brick, and those beside them, lie in an array that holds nx values of each row together.
template <int D, class T, int nx>
class NeighbourRows {
  public:
    [[gnu::always_inline]] NeighbourRows(const T* data, const FaceSlots<D>& slots) {
        own_ = data + slots.own * Brick<D>::cells;
        for (int a = 0; a < D; ++a) {
            lower_[a] = data + slots.lower[a] * Brick<D>::cells;
            upper_[a] = data + slots.upper[a] * Brick<D>::cells;
        }
    }
    /// Goes to rows y, y + 1, ... of layer z, which the reading functions count from 0.
    [[gnu::always_inline]] void go(int y, int z) {
        constexpr int ny = Brick<D>::size[1], nz = D == 3 ? Brick<D>::size[D - 1] : 1, n = rows_at_once;
        const int row = nx * (y + ny * z);
        centre_ = own_ + row;
        left_ = lower_[0] + row;
        right_ = upper_[0] + row;
        below_[0] = y > 0 ? centre_ - nx : lower_[1] + row + nx * (ny - 1);
        above_[0] = y + n < ny ? centre_ + nx * n : upper_[1] + row - nx * (ny - n);
        if constexpr (D == 3) {
            below_[1] = z > 0 ? centre_ - nx * ny : lower_[2] + row + nx * ny * (nz - 1);
            above_[1] = z + 1 < nz ? centre_ + nx * ny : upper_[2] + row - nx * ny * (nz - 1);
        }
    }

  protected:
    /// Row k, and those beside it along x, and along y (axis 1) and z.
    [[gnu::always_inline, nodiscard]] const T* row(int k) const { return centre_ + nx * k; }
    [[gnu::always_inline, nodiscard]] const T* left(int k) const { return left_ + nx * k; }
    [[gnu::always_inline, nodiscard]] const T* right(int k) const { return right_ + nx * k; }
    [[gnu::always_inline, nodiscard]] const T* below(int axis, int k) const {
        return axis == 2 ? below_[1] + nx * k : k > 0 ? row(k - 1) : below_[0];
    }
    [[gnu::always_inline, nodiscard]] const T* above(int axis, int k) const {
        return axis == 2 ? above_[1] + nx * k : k + 1 < rows_at_once ? row(k + 1) : above_[0];
    }

  private:
    const T *own_, *lower_[D], *upper_[D];
    const T *centre_ = nullptr, *left_ = nullptr, *right_ = nullptr, *below_[2] = {}, *above_[2] = {};
};

/// Values of one array around the rows of a brick.
template <int D, class T>
class RowReader : public NeighbourRows<D, T, Brick<D>::size[0]> {
    using Rows = NeighbourRows<D, T, Brick<D>::size[0]>;

  public:
    static constexpr int lanes = 64 / static_cast<int>(sizeof(T));
    static constexpr int nx = Brick<D>::size[0];
    using V = Pack<T, lanes>;
    static_assert(nx % lanes == 0);

    using Rows::Rows;
    /// The pack of cells from x = i on in row k.
    [[gnu::always_inline, nodiscard]] V centre(int k, int i) const { return load_pack<V>(this->row(k) + i); }
    /// Their neighbours below and above along an axis.
    [[gnu::always_inline, nodiscard]] V lower(int axis, int k, int i) const {
        if (axis > 0) return load_pack<V>(this->below(axis, k) + i);
        const T* before = i > 0 ? this->row(k) + i - lanes : this->left(k) + nx - lanes;
        return shift_up<V, lanes>(load_pack<V>(before), centre(k, i));
    }
    [[gnu::always_inline, nodiscard]] V upper(int axis, int k, int i) const {
        if (axis > 0) return load_pack<V>(this->above(axis, k) + i);
        const T* after = i + lanes < nx ? this->row(k) + i + lanes : this->right(k);
        return shift_down<V, lanes>(centre(k, i), load_pack<V>(after));
    }
    /// Asks for row k of a brick further on.
    [[gnu::always_inline]] void read_ahead(int k) const { tidelock::read_ahead<nx>(this->row(k)); }
};

/// Calls f(y, z) for each row of a brick, and for every rows_at_once-th of them.
template <int D, class F>
[[gnu::always_inline]] inline void for_each_brick_row(const F& f) {
    for (int z = 0; z < (D == 3 ? Brick<D>::size[D - 1] : 1); ++z)
        for (int y = 0; y < Brick<D>::size[1]; ++y) f(y, z);
}
template <int D, class F>
[[gnu::always_inline]] inline void for_each_row_block(const F& f) {
    for (int z = 0; z < (D == 3 ? Brick<D>::size[D - 1] : 1); ++z)
        for (int y = 0; y < Brick<D>::size[1]; y += rows_at_once) f(y, z);
}

}  // namespace tidelock
