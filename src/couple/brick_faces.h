/// The cells and faces of one brick that solids touch.
#pragma once

#include "couple/interface.h"
#include "couple/solid_surfaces.h"

namespace tidelock {

/// What one brick finds. Places are those of the brick; shares count from the brick's first.
struct BrickFaces {
    int full = -1;  ///< the part that fills the brick and its surroundings: all faces are buried and hold no fluid
    std::vector<BodyFace> faces;
    std::vector<FaceShare> shares;
};

/// Where a brick's marks go (couple/interface.h).
template <int D>
struct BrickMarks {
    MaskValue *solid, *dry;
    std::array<MaskValue*, D> kind;
};

/// `slot`: the brick's place in `set`.
template <int D>
BrickFaces find_brick_faces(const Grid<D>& grid, const BrickSet<D>& set, const SolidSurfaces<D>& surfaces,
                            InterfaceScheme scheme, std::ptrdiff_t slot, const BrickMarks<D>& marks);

}  // namespace tidelock
