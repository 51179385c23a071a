/// How thick the walls of a closed mesh are: what a grid must resolve of it.
#pragma once

#include <vector>

#include "geometry/mesh_queries.h"

namespace tidelock {

/// At points spread evenly over the surface, the way inward to the other side [m], ascending. At corners and edges it
/// goes to zero, so small shares of it mean nothing. The same mesh gives the same numbers.
[[nodiscard]] std::vector<double> wall_thickness(const MeshQueries& queries, int points);

}  // namespace tidelock
