/// Steps that the finest and the coarser levels of a hierarchy share while they are built (private to solve/).
#pragma once

#include "solve/stencil_level.h"

namespace tidelock {

/// Zero coefficients for `stored` bricks behind the void and the uniform one; needs level.uniform.
template <int D, class T>
void allocate_coefficients(StencilLevel<D, T>& level, std::int32_t stored);

/// From conductances, excess and bodies to a level that can be swept.
template <int D, class T>
void finish_level(StencilLevel<D, T>& level);

}  // namespace tidelock
