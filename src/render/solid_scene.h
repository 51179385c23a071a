/// The solids of a picture, and its liquid, ready for rays (Embree).
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
    enum : int { liquid = -2, nothing = -1 };
    float t = 0;                                       ///< distance along the ray [m]
    int solid = nothing;                               ///< number of a solid, or one of the above
    bool leaving = false;                              ///< of a liquid's surface: the ray was in the liquid before
    Eigen::Vector3f normal = Eigen::Vector3f::Zero();  ///< for shading, unit, towards the ray's origin
    Eigen::Vector3f face = Eigen::Vector3f::Zero();    ///< of the triangle, unit, towards the ray's origin
};

/// How much of a way lies in the liquid.
struct LiquidWay {
    float length = 0;      ///< [m]
    bool blocked = false;  ///< the way ends at an opaque solid
};

/// Rays start at metres from `frame_origin`, in float. All members may be called from any thread.
class SolidScene {
  public:
    /// `liquid`: the surface of a liquid, if there is one; closed, turned outwards. Throws InputError for a solid
    /// without a mesh, with indices out of range, or with values that are not finite.
    SolidScene(const std::vector<SolidLook>& solids, const Vec3& frame_origin, const TriangleMesh* liquid = nullptr);
    ~SolidScene();
    SolidScene(const SolidScene&) = delete;
    SolidScene& operator=(const SolidScene&) = delete;

    [[nodiscard]] bool empty() const;      ///< neither solids nor liquid
    [[nodiscard]] bool any_clear() const;  ///< whether a solid has opacity < 1
    /// Of all solids and the liquid, in the rays' frame.
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

    [[nodiscard]] bool has_liquid() const;
    [[nodiscard]] const Eigen::AlignedBox3f& liquid_box() const;
    /// First surface of the liquid or of an opaque solid in (near, far).
    [[nodiscard]] SurfaceHit any_hit(const Eigen::Vector3f& from, const Eigen::Vector3f& direction, float near,
                                     float far) const;
    /// Whether neither the liquid nor an opaque solid is met.
    [[nodiscard]] bool open_air(const Eigen::Vector3f& from, const Eigen::Vector3f& direction) const;
    /// A straight way up to the first opaque solid.
    [[nodiscard]] LiquidWay liquid_along(const Eigen::Vector3f& from, const Eigen::Vector3f& direction) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tidelock
