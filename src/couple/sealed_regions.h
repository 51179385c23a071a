/// Closed regions of fluid whose volume would have to change: no pressure can answer that, and what was pressed in is
/// lost (numerics/coupling 5). Which, and who presses.
#pragma once

#include "couple/flow_system.h"
#include "solve/regions.h"

namespace tidelock {

template <int D>
struct SealedRegion {
    double loss = 0;                  ///< volume that cannot be kept, < 0: that is missing [m^D/s]
    double volume = 0;                ///< of its cells [m^D]
    Vec<D> centre = Vec<D>::Zero();   ///< of its cells [m]
    std::vector<std::size_t> bodies;  ///< whose given motion presses on it, in their order
};

/// Those that lose more than `least` of the flow that enters the right-hand side `b` in them. Looked for in the cells
/// only if there is one.
template <int D>
[[nodiscard]] std::vector<SealedRegion<D>> find_sealed(const FlowSystem<D>& flow, const Interface<D>& interface,
                                                       const SolidRows<D>& rows, const NullSpace<D>& null_space,
                                                       const double* b, double least);

}  // namespace tidelock
