/// Steps that the finest and the coarser levels of a hierarchy share while they are built (private to solve/).
#pragma once

#include "solve/stencil_level.h"

namespace tidelock {

/// Zero coefficients for the bricks of level.slots and level.links; needs level.uniform.
template <int D, class T>
void allocate_coefficients(StencilLevel<D, T>& level);

/// From conductances, excess and bodies to a level that can be swept. Bricks marked in `flagged`, if it is not empty,
/// bring their flags along, and their faces are open or closed.
template <int D, class T>
void finish_level(StencilLevel<D, T>& level, const std::vector<std::uint8_t>& flagged = {});

}  // namespace tidelock
