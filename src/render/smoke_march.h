/// Light along a ray through smoke.
#pragma once

#include "render/smoke_light.h"

namespace tidelock {

/// What the smoke between the eye and some depth adds and lets through.
struct SmokeSoFar {
    Eigen::Vector2f scattered = Eigen::Vector2f::Zero();  ///< towards the eye: of the key light, of the sky
    float transmittance = 1;                              ///< of what lies behind
};

/// Marches rays through a volume; shared by all threads. Coordinates of rays are in metres from `frame_origin`, in
/// float, so that places far from zero keep their precision.
class SmokeMarcher {
  public:
    /// `step`: of the march, in voxels of the volume.
    SmokeMarcher(const SmokeVolume& volume, const SmokeLight& light, double extinction, const Vec3& frame_origin,
                 float step);

    /// Smoke from the eye to each depth [m]; `depths` ascend. The ray is cut into steps from where it enters the box;
    /// each takes one sample, at the fraction `jitter` of the step, as the density of the whole step, so that smoke of
    /// constant density is exact: transmittance = exp(-extinction * density * length).
    void march(const Eigen::Vector3f& from, const Eigen::Vector3f& direction, float jitter,
               std::span<const float> depths, SmokeSoFar* out) const;

    /// Optical depth of the whole ray from a point on, with wide steps: for shadows on surfaces.
    [[nodiscard]] float optical_depth(const Eigen::Vector3f& from, const Eigen::Vector3f& direction,
                                      float jitter) const;

  private:
    /// Where the ray is inside the volume's box: [enter, leave] in metres along it.
    [[nodiscard]] std::pair<float, float> clip(const Eigen::Vector3f& from, const Eigen::Vector3f& direction) const;
    /// Distance along the ray at which it leaves the brick that holds `s`.
    [[nodiscard]] static float leave_brick(const Coord3& brick, const Eigen::Vector3f& start,
                                           const Eigen::Vector3f& slope);

    const SmokeVolume* volume_;
    const SmokeLight* light_;
    float extinction_, step_, inverse_voxel_;
    Eigen::Vector3f low_, high_;
};

}  // namespace tidelock
