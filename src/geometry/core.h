/// What lies on the outside of a shape, for contact: points, segments and rings, each with a radius around it.
///
/// Where two solids touch without lying on each other's faces, the point of contact lies on such a core of one of them,
/// and is a lowest point of the other's signed distance along the core (numerics/contact 1). Shapes that are a core and
/// its radius (sphere, capsule, torus) are `round`: their core alone finds every contact, and the surface is exactly
/// round.
#pragma once

#include "base/vec.h"

namespace tidelock {

enum class CoreKind { point, segment, ring };

template <int D>
struct Core {
    CoreKind kind = CoreKind::point;
    Vec<D> at = Vec<D>::Zero();   ///< the point, the segment's beginning, or the ring's centre [m]
    Vec<D> way = Vec<D>::Zero();  ///< of a segment: to its end [m]; of a ring: its axis, unit
    double ring = 0;              ///< radius of a ring [m]
    double radius = 0;            ///< of the solid around the core [m]
    bool ends = true;             ///< a segment's ends count; if not, other cores stand there, or the solid has an edge
};

}  // namespace tidelock
