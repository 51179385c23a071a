/// Sums over a brick of values, in double whatever they are stored in.
#pragma once

#include "grid/brick.h"

namespace tidelock {

/// The sum of value(i) over the cells, in an order that fills two vector registers, so that one addition need not wait
/// for the last.
template <int D, class F>
[[nodiscard]] inline double sum_cells(const F& value) {
    double part[16] = {};
    for (int i = 0; i < Brick<D>::cells; i += 16)
        for (int k = 0; k < 16; ++k) part[k] += value(i + k);
    for (int half = 8; half > 0; half /= 2)
        for (int k = 0; k < half; ++k) part[k] += part[k + half];
    return part[0];
}

/// The dot product of two bricks.
template <int D, class T>
[[nodiscard]] double dot_brick(const T* a, const T* b) {
    return sum_cells<D>([&](int i) { return static_cast<double>(a[i]) * static_cast<double>(b[i]); });
}

}  // namespace tidelock
