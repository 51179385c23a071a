/// A liquid as a picture shows it.
#pragma once

#include <memory>
#include <optional>

#include "geometry/triangle_mesh.h"
#include "render/image.h"

namespace tidelock {

struct LiquidLook {
    /// Closed and turned outwards (geometry/level_set_surface.h); bubbles are holes, turned inwards [m]. Without
    /// triangles there is no liquid to see.
    std::shared_ptr<const TriangleMesh> mesh;
    float refraction = 1.333f;  ///< index of refraction [-], in [1, 3]
    /// Light lost on the way, red, green, blue [1/m]. If none: as if the domain's least width were some metres of
    /// water, so that a tank of any size has the colour of a pool.
    std::optional<Rgb> absorption;
    /// Light that murky water sends back along a way that absorbs all: its colour in the deep.
    Rgb deep = Rgb(0.010f, 0.060f, 0.075f);
    /// Solids within this distance behind the liquid's surface count as wet: no air is seen between [m]. If none: the
    /// mean edge of the mesh's triangles.
    std::optional<double> contact;
};

}  // namespace tidelock
