/// Lengths of vectors.
#pragma once

#include <limits>

#include "base/vec.h"

namespace tidelock {

/// Length of x, also where its square is no number that a double can hold. Eigen's stableNorm() would add in another
/// order at another address: not the same bits.
template <int D>
double length_of(const Vec<D>& x) {
    const double length = x.norm();
    if (length > 1e-150 && length < 1e150) return length;
    const double largest = x.cwiseAbs().maxCoeff();
    return largest > 0 && largest < std::numeric_limits<double>::infinity() ? largest * (x / largest).norm() : largest;
}

}  // namespace tidelock
