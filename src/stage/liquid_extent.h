/// How far a liquid's fields go: which bricks there are, and the velocity around the liquid.
#pragma once

#include "couple/flow_faces.h"
#include "stage/step.h"

namespace tidelock {

/// Bricks that are there whether the liquid is near or not: those that rigid bodies and sources come near to within
/// `margin` [m]; null if there are none. All of a rigid body counts in its lift, fixed and prescribed ones matter only
/// beside the liquid.
template <int D>
BrickSetPtr<D> standing_bricks(const World<D>& world, const std::vector<PlacedSource<D>>& sources, double margin);

/// Once the solve has set Step::velocity: the bricks of the next step, and the velocity around the liquid as far as it
/// may reach there, which becomes the world's. `cfl` as in stage/flow.h.
template <int D>
void extend_liquid(const LiquidParameters<D>& parameters, double cfl, const FlowFaces<D>& faces, Step<D>& step);

}  // namespace tidelock
