/// How much liquid leaves through the domain's open sides.
#pragma once

#include "fluid/transport.h"

namespace tidelock {

/// Volume of {phi < 0} that the wind carries out of open sides in its step [m^D]: points in the cells that it can reach
/// them from are followed on their way. A flux through the sides would go on for the whole step where the liquid
/// ends within it. Points in solids do not count.
template <int D>
[[nodiscard]] double outflow(const Wind<D>& wind, const Field<D, double>& phi);

}  // namespace tidelock
