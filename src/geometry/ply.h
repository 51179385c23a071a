/// Reads the PLY format: ascii, binary little- and big-endian; any element and property, of which the points' x, y, z
/// and the faces' vertex_indices (or vertex_index) are kept. Every count is checked against the bytes that are there.
///
/// Source   G. Turk, "The PLY Polygon File Format" (1994), the format's own description.
#pragma once

#include <filesystem>

#include "geometry/triangle_mesh.h"

namespace tidelock {

/// Polygons are cut into fans from their first point. Throws InputError (place: the file) for anything damaged, indices
/// out of range included; coordinates are as in the file, finite or not.
[[nodiscard]] TriangleMesh read_ply(const std::filesystem::path& file);

}  // namespace tidelock
