/// What of a moment a fluid without friction can have on a body: nothing about the centre of a ball, nothing about the
/// axis of a solid of revolution, as all normals of its surface meet that axis. On a grid of cells they do not quite
/// (numerics/coupling 3).
#pragma once

#include "solid/rigid_body.h"

namespace tidelock {

/// The part of a moment about the centre of mass that pressure can exert; just as well the part of an angular velocity
/// that moves the surface along its normals.
template <int D>
[[nodiscard]] Spin<D> felt_by_surface(const RigidBody<D>& body, const Spin<D>& moment);

}  // namespace tidelock
