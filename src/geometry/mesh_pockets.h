/// What a closed mesh holds within it without enclosing it: the inside of a cup, which moves with it.
#pragma once

#include "geometry/mesh_queries.h"

namespace tidelock {

/// Volume [m^3] of the points outside of the solid that see it along at least five of the six directions of the axes, by a
/// lattice of `points` along each edge of the box around it.
[[nodiscard]] double pocket_volume(const MeshQueries& queries, int points);

}  // namespace tidelock
