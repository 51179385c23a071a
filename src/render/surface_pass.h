/// Surfaces and the light on them, for every pixel's middle; and which pixels need more than that.
#pragma once

#include "render/raster.h"
#include "render/studio.h"

namespace tidelock {

struct SurfacePass {
    std::vector<SurfacePoint> points;
    std::vector<Lighting> light;
    std::vector<char> edge;  ///< pixels that see several surfaces, or a clear one: to be sampled within the pixel
};

/// Few rays where light is even; all samples where it varies among neighbours, then smoothed along the surface, so that
/// soft shadows show no grain.
[[nodiscard]] SurfacePass surface_pass(const Studio& studio, const Raster& raster);

}  // namespace tidelock
