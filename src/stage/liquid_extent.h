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

/// Faces whose velocity a solve has determined: those of liquid cells, and those of solids.
template <int D>
FaceMask<D> known_faces(const Interface<D>& interface, const CellContents<D>& contents);

/// Faces whose centre lies in a solid, though fluid passes a part of them: what goes through that part may be anything,
/// but it is not the velocity at the centre. They get that of the fluid's faces beside them, or are unknown.
template <int D>
void settle_hidden_faces(const Interface<D>& interface, FaceMask<D>& known, FaceField<D, double>& velocity);

/// Once the solve has set Step::velocity: the bricks of the next step, and the velocity around the liquid as far as it
/// may reach there, which becomes the world's. `cfl` as in stage/flow.h.
template <int D>
void extend_liquid(const LiquidParameters<D>& parameters, double cfl, double farthest, const FlowFaces<D>& faces,
                   Step<D>& step);

}  // namespace tidelock
