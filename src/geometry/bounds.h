/// An axis-aligned box, from `low` to `high`. Empty until the first point: low = +inf, high = -inf.
#pragma once

#include <limits>

#include "base/vec.h"

namespace tidelock {

template <int D>
struct Bounds {
    Vec<D> low = Vec<D>::Constant(std::numeric_limits<double>::infinity());
    Vec<D> high = Vec<D>::Constant(-std::numeric_limits<double>::infinity());

    void include(const Vec<D>& x) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    [[nodiscard]] bool empty() const { return (low.array() > high.array()).any(); }
    [[nodiscard]] bool contains(const Vec<D>& x) const {
        return (x.array() >= low.array()).all() && (x.array() <= high.array()).all();
    }
    [[nodiscard]] Vec<D> centre() const { return 0.5 * (low + high); }
    [[nodiscard]] Vec<D> size() const { return high - low; }
    [[nodiscard]] double diagonal() const { return size().norm(); }
};

}  // namespace tidelock
