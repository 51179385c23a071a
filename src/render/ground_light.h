/// Key light that reaches the ground through a liquid: its shadow, and the bright lines (caustics) in it.
///
/// Rays from the light, on an even raster over the liquid's box, are refracted through the liquid to the ground; what
/// arrives is collected in a map. Reflected light is left out. Solids stop rays. Deterministic.
#pragma once

#include <vector>

#include "render/liquid_look.h"
#include "render/solid_scene.h"

namespace tidelock {

struct GroundLightSetting {
    Eigen::Vector3f up, to_key;
    float ground_height = 0;  ///< along up
    float key_spread = 0;     ///< tangent of the light's radius
    float refraction = 1.333f;
    Rgb absorption = Rgb::Zero();  ///< [1/m]
    float scale = 1;               ///< diagonal of the domain [m]
    int rays = 768;                ///< along each edge of the raster
    int texels = 224;              ///< along the map's longer edge; about 4 rays each way a texel, else stripes show
};

class GroundLight {
  public:
    /// Frame of positions: that of the scene's rays. The scene must have a liquid.
    GroundLight(const SolidScene& scene, const GroundLightSetting& setting);

    /// Irradiance at a place on the ground, of that of a surface turned to the unshadowed light.
    [[nodiscard]] Rgb light(const Eigen::Vector3f& x) const;
    /// Liquid above a place on the ground [m].
    [[nodiscard]] float depth(const Eigen::Vector3f& x) const;
    /// All light that arrived, times area [m^2].
    [[nodiscard]] Rgb total() const;

  private:
    struct Arrival;
    [[nodiscard]] Eigen::Vector2f on_map(const Eigen::Vector3f& x) const;
    void lay_out();
    void send_rays();
    void find_depths();
    [[nodiscard]] Arrival follow(Eigen::Vector3f from, Eigen::Vector3f direction) const;
    template <class T>
    [[nodiscard]] T sample(const std::vector<T>& map, const Eigen::Vector3f& x, const T& zero) const;

    const SolidScene* scene_;
    GroundLightSetting set_;
    Eigen::Vector3f side_, front_;  // along the map's edges
    Eigen::Vector2f low_;           // of the map [m]
    float texel_ = 0;               // edge [m]
    int width_ = 0, height_ = 0;
    std::vector<Rgb> light_;
    std::vector<float> depth_;
};

}  // namespace tidelock
