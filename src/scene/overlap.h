/// Solids that stand in each other.
#pragma once

#include <cstddef>
#include <vector>

#include "scene/shapes.h"

namespace tidelock::scene {

struct Overlap {
    std::size_t first, second;  ///< places in Scene::solids, first < second
    double depth;  ///< how far one reaches into the other [m]; from samples, so rather too small than too large
};

struct OverlapSearch {
    std::vector<Overlap> overlaps;
    bool complete = true;  ///< false: there were more pairs than could be looked at
};

/// Pairs with a rigid solid (others are placed on purpose) among the solids with `examined[i]`, which must be sound.
/// Looks at points of both surfaces and at a lattice in the box that both share, so bodies that cross without a corner
/// of one inside the other are found too, unless they are thinner than a thirteenth of that box. Depths below
/// `tolerance` [m], for a mesh below its voxel, count as touching. Stops after `most` overlaps.
[[nodiscard]] OverlapSearch find_overlaps(const Scene& scene, const std::vector<bool>& examined, double tolerance,
                                          std::size_t most, MeshStore& meshes);

}  // namespace tidelock::scene
