/// Triangle meshes in files: OBJ, PLY and STL are read, PLY and OBJ are written.
///
/// OBJ and STL are read through assimp, which holds coordinates as float: good to 6e-8 of their size. PLY is read by
/// ply.h (assimp 5.2 crashes on a truncated one). Polygons are cut into triangles; normals, colours and materials are
/// dropped; several objects become one mesh. Points with equal coordinates become one point (STL has no shared points,
/// OBJ repeats them at seams), so that edges have neighbours; points that no triangle uses are dropped.
#pragma once

#include <filesystem>

#include "geometry/triangle_mesh.h"

namespace tidelock {

/// Throws InputError (place: the file) for a file that is missing, empty, of an unknown kind, damaged, without
/// triangles, or with coordinates that are not finite. Says nothing about holes: see mesh_doctor.h.
[[nodiscard]] TriangleMesh read_mesh(const std::filesystem::path& file);

/// PLY (binary, little-endian, float) or OBJ by the extension. Atomic (base/file.h): a reader never sees half a mesh.
/// Throws InputError for another extension, and FileError if the file cannot be written; then it leaves no traces.
void write_mesh(const std::filesystem::path& file, const TriangleMesh& mesh);

}  // namespace tidelock
