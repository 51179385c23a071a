/// The preview picture of a frame, with the camera and the colours of its scene.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "render/image.h"
#include "scene/scene.h"
#include "state/world.h"

namespace tidelock {

/// What a picture shows of a moment; everything is only looked at.
template <int D>
struct FrameView {
    double time = 0;                      ///< [s]
    const Field<D, double>* density;      ///< of smoke, else null
    const Field<D, double>* temperature;  ///< of smoke, else null
    const Field<D, double>* phi;          ///< of a liquid, else null
    const FaceField<D, double>& velocity;
    const std::vector<Placement<D>>& places;  ///< of the bodies
};

template <int D>
[[nodiscard]] FrameView<D> view_of(const World<D>& world, const std::vector<Placement<D>>& places) {
    return {world.clock.time,
            world.has_smoke() ? &world.smoke().density : nullptr,
            world.has_smoke() ? &world.smoke().temperature : nullptr,
            world.has_liquid() ? &world.liquid().phi : nullptr,
            world.velocity(),
            places};
}

/// full: as `tidelock render` draws them; draft: smaller and with fewer rays, as a run draws them as it goes.
enum class PictureLook { full, draft };

/// Holds what all pictures of a run share.
template <int D>
class Painter {
  public:
    /// `bodies` as they are at the start.
    Painter(const scene::Scene& scene, const std::vector<RigidBody<D>>& bodies, const Grid<D>& grid, PictureLook look);
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    [[nodiscard]] Image draw(const FrameView<D>& view) const;
    /// Writes a PNG, atomically. Throws FileError.
    void paint(const FrameView<D>& view, const std::filesystem::path& file) const;

  private:
    struct Parts;
    [[nodiscard]] Surface<D> liquid_surface(const FrameView<D>& view) const;

    std::unique_ptr<Parts> parts_;
};

}  // namespace tidelock
