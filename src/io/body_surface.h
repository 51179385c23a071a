/// The surfaces of bodies, for pictures and for solids.glb.
#pragma once

#include "grid/domain.h"
#include "solid/rigid_body.h"

namespace tidelock {

/// Segments around a full turn: round at the size of a picture; and round with smooth normals, in a file of many bodies.
inline constexpr int picture_turn = 96, file_turn = 48;

/// In the body's frame, no finer on flat parts than need be. Of a plane: the part of its half-space that lies in the
/// domain at the start, empty if none does.
template <int D>
[[nodiscard]] Surface<D> body_surface(const RigidBody<D>& body, const Grid<D>& grid, int resolution = picture_turn);

/// A convex outline as a closed mesh, `thickness` [m] wide about z = 0.
[[nodiscard]] TriangleMesh slab(const Polyline& outline, double thickness);

/// The outline of a hollow body of the plane: a wall of `thickness` [m] inside its closed outline.
[[nodiscard]] Polyline hollowed(const RigidBody<2>& body, double thickness);

}  // namespace tidelock
