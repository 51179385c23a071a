/// Where the liquid ends, as a pressure solve sees it: surface, solids, bubbles and sides as one result.
#pragma once

#include "couple/bubbles.h"
#include "couple/flow_faces.h"
#include "stage/pouring.h"
#include "stage/step.h"

namespace tidelock {

template <int D>
struct LiquidSurfaceFound {
    FlowFaces<D> faces;
    std::vector<Bubble> bubbles;  ///< their cells share a pressure
};

/// The level set settles in solids (couple/level_in_solids.h); bubbles are found, and move it until they have their
/// volumes.
template <int D>
[[nodiscard]] LiquidSurfaceFound<D> find_surface(const LiquidParameters<D>& parameters, const Pouring<D>& pouring,
                                                 Step<D>& step);

}  // namespace tidelock
