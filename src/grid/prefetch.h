/// Hints for loops that go through the bricks of a set in order. A window gathers rows from many bricks, which the
/// hardware does not foresee: ask for what the next window reads first while this one is being computed.
#pragma once

#include <algorithm>

#include "grid/brick_set.h"

namespace tidelock {

/// Asks for `cells` values from `data` on, to be written if Write.
template <bool Write, class T>
inline void prefetch_values(const T* data, int cells) {
    for (int i = 0; i < cells; i += 64 / static_cast<int>(sizeof(T))) __builtin_prefetch(data + i, Write ? 1 : 0);
}

/// What the window of the brick after `slot`, with a rim of H cells, is the first to touch: its right neighbour, and
/// the first layers of the bricks one layer up along the last axis.
template <int D, int H, class T>
inline void prefetch_next(const BrickSet<D>& set, std::ptrdiff_t slot, const T* data) {
    constexpr int layer = Brick<D>::cells / Brick<D>::size[D - 1];
    const auto& near = set.neighbours(std::min(slot + 1, set.count() - 1));
    const auto right = near[static_cast<std::size_t>(D == 3 ? neighbour_slot<D>(1, 0, 0) : neighbour_slot<D>(1, 0))];
    const auto above = near[static_cast<std::size_t>(D == 3 ? neighbour_slot<D>(1, 0, 1) : neighbour_slot<D>(1, 1))];
    prefetch_values<false>(data + std::ptrdiff_t{right} * Brick<D>::cells, Brick<D>::cells);
    prefetch_values<false>(data + std::ptrdiff_t{above} * Brick<D>::cells, H * layer);
}

/// The whole brick is about to be overwritten.
template <int D, class T>
inline void prefetch_for_writing(const T* data, std::ptrdiff_t slot) {
    prefetch_values<true>(data + slot * Brick<D>::cells, Brick<D>::cells);
}

}  // namespace tidelock
