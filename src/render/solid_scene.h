/// The solids of a picture, ready for rays (Embree).
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "geometry/triangle_mesh.h"
#include "render/image.h"

namespace tidelock {

/// A solid as a picture shows it.
struct SolidLook {
    std::shared_ptr<const TriangleMesh> mesh;                ///< in the solid's own frame [m]
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< own frame to world
    Rgb colour = Rgb(0.55f, 0.17f, 0.05f);                   ///< reflectance
    float opacity = 1;  ///< [-] in (0, 1]; below 1 the far side shows through, as for shells
};

/// What a ray meets.
struct SurfaceHit {
    float t = 0;                                       ///< distance along the ray [m]
    int solid = -1;                                    ///< -1: nothing
    Eigen::Vector3f normal = Eigen::Vector3f::Zero();  ///< for shading, unit, towards the ray's origin
    Eigen::Vector3f face = Eigen::Vector3f::Zero();    ///< of the triangle, unit, towards the ray's origin
};

/// Rays start at metres from `frame_origin`, in float. All members may be called from any thread.
class SolidScene {
  public:
    /// Throws InputError for a solid without a mesh, with indices out of range, or with values that are not finite.
    SolidScene(const std::vector<SolidLook>& solids, const Vec3& frame_origin);
    ~SolidScene();
    SolidScene(const SolidScene&) = delete;
    SolidScene& operator=(const SolidScene&) = delete;

    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool any_clear() const;  ///< whether a solid has opacity < 1
    /// Of all solids, in the rays' frame.
    [[nodiscard]] const Eigen::AlignedBox3f& box() const;
    /// First opaque surface beyond t = 0.
    [[nodiscard]] SurfaceHit opaque_hit(const Eigen::Vector3f& from, const Eigen::Vector3f& direction) const;
    /// First surface of a solid with opacity < 1 in (near, far).
    [[nodiscard]] SurfaceHit clear_hit(const Eigen::Vector3f& from, const Eigen::Vector3f& direction, float near,
                                       float far) const;
    /// Share of light that comes through to `from` along the direction from within `far`: 0 behind an opaque surface,
    /// less by the opacity of each clear one.
    [[nodiscard]] float visibility(const Eigen::Vector3f& from, const Eigen::Vector3f& direction, float far) const;
    [[nodiscard]] const SolidLook& look(int solid) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tidelock
