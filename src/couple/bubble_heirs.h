/// Who has the volume of last step's bubbles.
///
/// Rule     numerics/bubbles 3. A bubble hands its volume to the regions that its cells belong to a step later, by the
///          shares of the cells; so merging adds volumes and splitting shares them. What is cut off from the atmosphere
///          begins with what is measured; air that comes from nowhere is given no volume.
/// Heirs    What foam, which has the volume that it has, or a bubble without a cell left would have beyond that goes to
///          a bubble near by: air is never lost but to the atmosphere, and as long as there is a bubble.
#pragma once

#include "couple/bubble.h"
#include "fluid/liquid.h"

namespace tidelock {

/// The nearest label of at least `least` within three cells of a cell, or none.
template <int D>
std::int32_t nearest_label(const Field<D, std::int32_t>& label, const Coord<D>& cell, std::int32_t least);

/// Sets what `bubbles`, whose cells have `label` now and whose volumes are measured, should have, from the step before.
template <int D>
void inherit_volumes(const BubbleState<D>& before, const Field<D, std::int32_t>& label, std::vector<Bubble>& bubbles);

}  // namespace tidelock
