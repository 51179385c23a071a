/// Bricks around which nothing differs: most of those that little liquid lies in need no stencil.
#pragma once

#include <algorithm>

#include "grid/halo.h"

namespace tidelock {

/// Whether all cells of a loaded buffer, its rim included, have a value.
template <int D, int H, class T>
[[nodiscard]] bool holds_only(const HaloBuffer<D, H, T>& buffer, T value) {
    using Buffer = HaloBuffer<D, H, T>;
    for (int z = -Buffer::hz; z < Buffer::nz + Buffer::hz; ++z)
        for (int y = -H; y < Buffer::ny + H; ++y) {
            const T* row = buffer.v + Buffer::at(-H, y, z);
            if (std::any_of(row, row + Buffer::nx + 2 * H, [value](T v) { return v != value; })) return false;
        }
    return true;
}

}  // namespace tidelock
