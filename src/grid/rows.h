/// Where the rows of a brick and their face neighbours lie, so that a stencil reads them in place.
///
/// A stencil of face neighbours needs no copy of its surroundings: neighbours along y and z are rows of this brick or
/// of the next one, and those along x are this row shifted by one, with one value from the next brick
/// (grid/rows-inl.h). Arrays must have a brick behind the last for cells that are not there (grid/brick_set.h, void
/// slot).
#pragma once

#include <cstdint>

#include "grid/brick.h"
#include "grid/read_ahead.h"

namespace tidelock {

/// Where a brick and its 2 D neighbours across faces are stored.
template <int D>
struct FaceSlots {
    std::ptrdiff_t own, lower[D], upper[D];

    /// `neighbours` is the brick's row of the neighbour table.
    [[gnu::always_inline]] explicit FaceSlots(const std::int32_t* neighbours) : own(neighbours[at(0, 0)]) {
        for (int a = 0; a < D; ++a) lower[a] = neighbours[at(a, -1)], upper[a] = neighbours[at(a, 1)];
    }
    /// The same for a quantity that has slot s at places[stride s].
    [[gnu::always_inline]] FaceSlots(const std::int32_t* neighbours, const std::int32_t* places, int stride = 1)
        : own(places[std::ptrdiff_t{stride} * neighbours[at(0, 0)]]) {
        for (int a = 0; a < D; ++a) {
            lower[a] = places[std::ptrdiff_t{stride} * neighbours[at(a, -1)]];
            upper[a] = places[std::ptrdiff_t{stride} * neighbours[at(a, 1)]];
        }
    }

  private:
    static constexpr int at(int axis, int step) {
        return neighbour_slot<D>(axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0);
    }
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

}  // namespace tidelock
