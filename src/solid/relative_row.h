/// A row that reads one velocity of a body relative to another from the twists of both. Impulses act along it as well.
#pragma once

#include "geometry/pose.h"

namespace tidelock {

template <int D>
struct RelativeRow {
    Twist<D> a = Twist<D>::Zero(), b = Twist<D>::Zero();
};

}  // namespace tidelock
