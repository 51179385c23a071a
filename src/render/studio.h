/// The room that a picture is taken in: its lights, its ground and background, and how surfaces answer to light.
#pragma once

#include "render/ground_light.h"
#include "render/picture.h"
#include "render/smoke_march.h"

namespace tidelock {

/// A point that a ray from the eye sees.
struct SurfacePoint {
    enum Kind : int { liquid = -3, background = -2, ground = -1 };  ///< or the number of a solid
    int kind = background;
    float t = 0;  ///< [m]
    Eigen::Vector3f position = Eigen::Vector3f::Zero();
    Eigen::Vector3f normal = Eigen::Vector3f::Zero(), face = Eigen::Vector3f::Zero();
};

/// Light that reaches a point: shares of what would without anything in the way.
struct Lighting {
    float key = 1, sky = 1;
    bool immersed = false;  ///< under water nothing shines: the surface mirrors no more than what is around it
};

/// Everything that rays need, in metres from the domain's middle, in float.
struct Studio {
    Studio(const Picture3d& picture, const View& view, const SolidScene& scene);

    [[nodiscard]] Rgb backdrop(const Eigen::Vector3f& direction) const;
    /// What is mirrored or seen through a liquid where there is no surface: the backdrop, above it a sky and the key
    /// light's disc.
    [[nodiscard]] Rgb surroundings(const Eigen::Vector3f& direction) const;
    /// Nearest opaque surface, or the liquid's, along a unit direction from the eye.
    [[nodiscard]] SurfacePoint trace(const Eigen::Vector3f& direction) const;
    /// What a ray meets: the ground, or what the scene's hit says.
    [[nodiscard]] SurfacePoint meet(const Eigen::Vector3f& from, const Eigen::Vector3f& direction,
                                    const SurfaceHit& hit) const;
    /// One ray towards a point (u, v) of the key light, smoke not included.
    [[nodiscard]] float key_sample(const SurfacePoint& point, float u, float v) const;
    /// One ray into the sky above the surface, by the cosine of the angle; short: only what is near hides the sky.
    [[nodiscard]] float sky_sample(const SurfacePoint& point, float u, float v) const;
    /// Share of the key light that the smoke lets through to a point.
    [[nodiscard]] float smoke_shadow(const SurfacePoint& point, float jitter) const;
    /// Whether the solids' box lies between a point and the key light.
    [[nodiscard]] bool box_between(const Eigen::Vector3f& x) const;
    /// Whether solids may hide the sky from this point at all.
    [[nodiscard]] bool near_solids(const SurfacePoint& point) const;
    /// Radiance towards the eye.
    [[nodiscard]] Rgb shade(const SurfacePoint& point, const Eigen::Vector3f& direction, const Lighting& light) const;
    [[nodiscard]] Eigen::Vector3f key_direction(float u, float v) const;
    /// The ground's reflectance, its tiles included; tiles too small for a pixel are seen as their mean.
    [[nodiscard]] Rgb ground_colour(const Eigen::Vector3f& x) const;

    const Look* look;
    const SolidScene* solids;
    const SmokeMarcher* smoke = nullptr;     ///< set once the smoke is lit
    const GroundLight* light_map = nullptr;  ///< set if there is a liquid: light through it on the ground
    Rgb absorption = Rgb::Zero();            ///< of the liquid [1/m]
    Eigen::Vector3f eye, up, to_key, key_side, key_front, to_middle;
    Rgb ground_light;            ///< radiance of the unshadowed ground
    float scale;                 ///< diagonal of the domain [m]
    float reach;                 ///< of what hides the sky [m]
    float ground_height;         ///< along up
    float fade_begin, fade_end;  ///< where the ground becomes background [m from the middle]
    float key_spread;            ///< tangent of the light's radius
    float pixel_angle;           ///< [rad]
    bool show_ground;
};

}  // namespace tidelock
