/// What is seen in and through a liquid.
///
/// At the liquid's surface a ray splits into a reflected and a refracted one, by Snell and Fresnel, until a part
/// carries too little to be seen; its share then goes to the other part, so that no light is lost. Inside, light is
/// absorbed along the way. Solids that touch the surface from the far side are seen without air between.
#pragma once

#include "render/studio.h"
#include "render/surface_pass.h"

namespace tidelock {

class LiquidTracer {
  public:
    LiquidTracer(const Studio& studio, const LiquidLook& liquid);

    /// Radiance along a unit direction from a point in air. `u`, `v` in [0, 1) choose points of the lights.
    [[nodiscard]] Rgb radiance(const Eigen::Vector3f& from, const Eigen::Vector3f& direction, float u, float v) const;

  private:
    struct Ray;
    struct Rays;
    /// Where a ray ends, shaded; the light comes through the liquid there if `inside`.
    [[nodiscard]] Rgb seen(const SurfacePoint& point, const Ray& ray, bool inside, float u, float v) const;
    /// Clear solids on the way: adds what they show, and takes it from the ray's weight.
    void pass_clear(Ray& ray, float far, float u, float v, Rgb& sum) const;
    void split(const Ray& ray, const SurfaceHit& hit, Rays& rays) const;

    const Studio* studio_;
    float index_;
    float contact_;  // [m]
    float step_;     // off surfaces, against meeting them twice [m]
    Rgb deep_;
};

/// Colours of the pixels whose middle sees the liquid and that are no edges; others are black. Four samples a pixel,
/// more where neighbours differ.
[[nodiscard]] std::vector<Rgb> liquid_pass(const LiquidTracer& tracer, const Studio& studio, const Raster& raster,
                                           const SurfacePass& surfaces);

/// What is absorbed if the liquid does not say, for a domain of this size [1/m].
[[nodiscard]] Rgb default_absorption(const Vec3& size);

}  // namespace tidelock
