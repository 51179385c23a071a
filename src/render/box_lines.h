/// The edges of a box as thin lines with a depth, to be laid among smoke and solids.
#pragma once

#include <vector>

#include "geometry/bounds.h"
#include "render/camera.h"

namespace tidelock {

struct LinePixel {
    int y, x;
    float depth;  ///< along the pixel's ray [m]
    float alpha;  ///< [-] share of the pixel that the line covers, times its strength
};

/// Sorted by y, then x. Lines that pass behind the camera are left out.
[[nodiscard]] std::vector<LinePixel> box_lines(const Bounds<3>& box, const View& view, int width, int height);

}  // namespace tidelock
