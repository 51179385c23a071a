/// Repairs for what mesh_doctor.h finds. Each returns a sentence per change it made, for the log; none if the mesh was
/// fine. repair() does all of it in the right order.
#pragma once

#include <string>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

/// Makes neighbours agree (patches are turned to their majority), then turns closed components that are inside out,
/// knowing cavities (a closed component inside another keeps its normals towards the hole). One-sided patches stay.
std::vector<std::string> repair_orientation(TriangleMesh& mesh);

/// Closes every loop of open edges: a loop of three with a triangle, a longer one with a fan around a new point at its
/// centroid. Adds no volume beyond the cap; wide, strongly bent rims get a cap that may cut through the mesh.
/// Rims must be consistently oriented: run repair_orientation first if the doctor names flipped triangles.
std::vector<std::string> fill_holes(TriangleMesh& mesh);

/// Removes triangles with repeated points, duplicates (an opposite pair cancels, of equals one stays) and points that
/// no triangle uses. Volume and closedness do not change, except by equals, which were counted twice before.
std::vector<std::string> remove_redundant(TriangleMesh& mesh);

/// Merges points that lie within `distance` [m] of each other along every axis: seams of files that repeat points with
/// other roundings.
std::vector<std::string> merge_points(TriangleMesh& mesh, double distance);

/// All of the above, as far as it is needed: seams are merged only if there are open edges, within 1e-6 of the diagonal.
/// Whether the mesh is a solid then is for the doctor to say.
std::vector<std::string> repair(TriangleMesh& mesh);

}  // namespace tidelock
