/// The surface phi = 0 of a level set, as a mesh in space and as an outline in the plane.
///
/// phi [m] is given at the cells' centres, negative inside; cells of inactive bricks are outside. The surface is
/// closed: where the inside meets a side of the domain it is capped there, flat and exactly on the side, so that the
/// surface encloses the volume. It is oriented outwards. An inside that is empty gives an empty surface; parts thinner
/// than the samples can show (about a cell) may be missing or torn, never damaged.
///
/// Source     space: OpenVDB's volumeToMesh, which puts one point for each sheet of the surface into a cube of eight
///            samples, at the mean of the crossings of its edges, and joins them by quads. Plane: one point at each
///            crossing of an edge (marching squares); squares that could be read two ways follow their mean.
/// Deviates   samples within 1e-3 cells of 0 are moved to that distance, so that no sliver has less. In space the
///            points are then moved onto phi = 0 of the cubic interpolant by one step of Newton's method.
/// Promise    second order in position; same bits on any number of threads.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/polyline.h"
#include "geometry/triangle_mesh.h"
#include "grid/domain.h"
#include "grid/interpolate.h"

namespace tidelock {

struct LevelSetSurfaceOptions {
    /// [-] in [0, 1]: flat parts are covered with fewer, larger triangles the larger this is. Above 0 the caps may keep
    /// flat slivers.
    double adaptivity = 0;
};

/// Throws InputError for a level set that is not a number somewhere, or an adaptivity out of range.
[[nodiscard]] TriangleMesh level_set_surface(const Grid<3>& grid, const Field<3, double>& phi,
                                             const LevelSetSurfaceOptions& options = {});
/// Closed loops, counter-clockwise around the inside and clockwise around holes. Nothing is adapted in the plane.
[[nodiscard]] Polyline level_set_surface(const Grid<2>& grid, const Field<2, double>& phi,
                                         const LevelSetSurfaceOptions& options = {});

/// Means of crossings lie inside a convex surface, and so do linear interpolants: one step of Newton's method from x
/// [cell units] to phi = 0 of the cubic one leaves a third of that error. [cells], 0 where phi is no distance; none along
/// `held` axes.
[[nodiscard]] Vec3 newton_step(const Grid<3>& grid, Sampler<3, double>& phi, const Vec3& x,
                               const std::array<bool, 3>& held);

/// A staggered velocity [m/s] at points [m], linear between faces; clamped to the domain.
template <int D>
[[nodiscard]] std::vector<Vec<D>> velocity_at(std::span<const Vec<D>> points, const Grid<D>& grid,
                                              const FaceField<D, double>& velocity);

}  // namespace tidelock
