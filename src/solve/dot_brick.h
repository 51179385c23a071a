/// Dot product of two bricks of values, summed in double whatever they are stored in.
#pragma once

#include "grid/brick.h"

namespace tidelock {

template <int D, class T>
[[nodiscard]] double dot_brick(const T* a, const T* b) {
    double part[16] = {};  // two vector registers, so that one addition need not wait for the last
    for (int i = 0; i < Brick<D>::cells; i += 16)
        for (int k = 0; k < 16; ++k) part[k] += static_cast<double>(a[i + k]) * static_cast<double>(b[i + k]);
    for (int half = 8; half > 0; half /= 2)
        for (int k = 0; k < half; ++k) part[k] += part[k + half];
    return part[0];
}

}  // namespace tidelock
