/// What a fluid at rest does to bodies: what is expected of it in the first step, which has no step before it.
#pragma once

#include "grid/activation.h"
#include "stage/step.h"

namespace tidelock {

/// In the first step only: sets the loads of all bodies to the lift of a fluid of this density [kg/m^3] where `wet`
/// says. Without it what lies under water would be held as in air, and the lift throw it up.
template <int D>
void expect_rest(double density, const PointTest<D>& wet, Step<D>& step);

}  // namespace tidelock
