/// The PLY format. Read: ascii, binary little- and big-endian; any element and property, of which the points' x, y, z
/// and vx, vy, vz, the faces' vertex_indices (or vertex_index) and the edges' vertex1 and vertex2 are kept. Every count
/// is checked against the bytes that are there. Written: binary little-endian, float.
///
/// Source   G. Turk, "The PLY Polygon File Format" (1994), the format's own description.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "geometry/polyline.h"
#include "geometry/triangle_mesh.h"

namespace tidelock {

/// Polygons are cut into fans from their first point. Throws InputError (place: the file) for anything damaged, indices
/// out of range included; coordinates are as in the file, finite or not.
[[nodiscard]] TriangleMesh read_ply(const std::filesystem::path& file);

/// A surface that moves.
struct PlySurface {
    TriangleMesh mesh;
    std::vector<std::array<int, 2>> edges;  ///< of an outline in the plane z = 0, which has no triangles
    std::vector<Vec3> velocity;             ///< of each point [m/s]; empty if the file has none
};
/// As read_ply; edges out of range are refused as well.
[[nodiscard]] PlySurface read_ply_surface(const std::filesystem::path& file);

/// Writes a surface with the velocity of each point (vx, vy, vz [m/s]), or without where `velocity` is empty. A surface
/// without points is a valid file. Appears whole or not at all (base/file.h). Throws FileError, and InputError for
/// another number of velocities than points or for a number that is not finite as a float.
void write_ply(const std::filesystem::path& file, const TriangleMesh& mesh, std::span<const Vec3> velocity = {});
/// An outline as points with z = 0 and edges.
void write_ply(const std::filesystem::path& file, const Polyline& outline, std::span<const Vec2> velocity = {});

}  // namespace tidelock
