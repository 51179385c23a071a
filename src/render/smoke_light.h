/// How much light reaches the smoke: optical depths towards the key light and the sky, once a picture, on a coarse
/// grid.
///
/// The optical depth tau towards a distant light obeys tau(x) = tau(x + d) + (depth of the step d). Planes of voxels
/// are swept from the light's side, each reading the one before by bilinear interpolation: one pass a direction,
/// whatever the size of the smoke. The interpolation blurs far shadows, as a light with an extent would.
///
/// Light that is scattered many times goes deeper than exp(-tau) and forgets its direction. It is approximated by a sum
/// of exponentials, each with less extinction and less forward scattering than the one before.
/// Source   [WKL13].
#pragma once

#include <functional>

#include "render/smoke_volume.h"

namespace tidelock {

/// Radiance scattered towards the camera per unit of the key light's and of the sky's radiance.
struct SmokeLight {
    Coord3 cells = Coord3::Zero();
    Eigen::Vector3f origin = Eigen::Vector3f::Zero();  ///< lower corner [m], in the frame of the caller's rays
    float inverse_voxel = 1;                           ///< [1/m]
    std::vector<Eigen::Vector2f> values;               ///< (key, sky), x fastest

    [[nodiscard]] Eigen::Vector2f sample(const Eigen::Vector3f& x) const;
};

/// Where the light comes from, in unit vectors.
struct SmokeLightSetting {
    Vec3 to_key = Vec3::UnitY();
    Vec3 up = Vec3::UnitY();
    Vec3 camera = Vec3::Zero();        ///< position [m]
    double extinction = 1;             ///< per unit of density [1/m]
    Vec3 frame_origin = Vec3::Zero();  ///< of the rays' coordinates [m]
    /// Share of the key light that solids let through to a point [m]; empty: all.
    std::function<float(const Vec3& x, int voxel)> key_visibility;
};

[[nodiscard]] SmokeLight light_smoke(const SmokeVolume& volume, const SmokeLightSetting& setting);

}  // namespace tidelock
