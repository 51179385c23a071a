/// The preview picture of a frame, with the camera and the colours of its scene.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "scene/scene.h"
#include "solid/rigid_body.h"

#include "grid/domain.h"

namespace tidelock::app {

/// What a picture shows of a moment; everything is only looked at.
template <int D>
struct Moment {
    double time = 0;  ///< [s]
    const Field<D, double>& density;
    const Field<D, double>& temperature;
    const FaceField<D, double>& velocity;
    const std::vector<Placement<D>>& places;  ///< of the bodies
};

/// Holds what all pictures of a run share.
template <int D>
class Painter {
  public:
    /// `bodies` as they are at the start.
    Painter(const scene::Scene& scene, const std::vector<RigidBody<D>>& bodies, const Grid<D>& grid);
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    /// Writes a PNG, atomically. Throws FileError.
    void paint(const Moment<D>& moment, const std::filesystem::path& file) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace tidelock::app
