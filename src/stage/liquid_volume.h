/// How much liquid there is in a World.
#pragma once

#include "fluid/liquid.h"
#include "state/world.h"

namespace tidelock {

/// Volume of the level set [m^D]; where particles are the liquid, that of drops is their particles' (fluid/drops.h).
template <int D>
[[nodiscard]] double present_volume(const LiquidParameters<D>& parameters, const World<D>& world);

}  // namespace tidelock
