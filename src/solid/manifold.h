/// Few contacts that hold two bodies as well as many would: points of a pair are grouped by normal, and of each group
/// the deepest and the outermost ones stay (numerics/contact 2).
#pragma once

#include <vector>

#include "base/vec.h"

namespace tidelock {

template <int D>
struct ContactCandidate {
    Vec<D> point;         ///< halfway between the surfaces, world [m]
    Vec<D> normal;        ///< from b to a
    double distance = 0;  ///< between the surfaces [m]
    double spacing = 0;   ///< of the samples there [m]
    int sample = 0;
    bool of_b = false;    ///< sampled on b and looked up in a
    bool lowest = false;  ///< no neighbour on its surface is nearer
};

/// Lengths that points are compared by [m].
struct ManifoldScale {
    double merge;  ///< points nearer to each other than this are one contact
    double tie;    ///< distances that differ by less count as equal
};

/// The candidates that stay, in the order of sides and samples.
template <int D>
[[nodiscard]] std::vector<ContactCandidate<D>> reduce_manifold(std::vector<ContactCandidate<D>> candidates,
                                                               const ManifoldScale& scale);

}  // namespace tidelock
