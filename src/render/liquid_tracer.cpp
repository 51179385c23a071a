#include "render/liquid_tracer.h"

#include <array>
#include <cmath>
#include <limits>

#include "render/liquid_optics.h"
#include "render/pattern.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;

constexpr float far_away = std::numeric_limits<float>::infinity();
constexpr int most_surfaces = 10;
constexpr float least_weight = 0.025f;  // parts of a ray below this are not followed

double mean_edge(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) return 0;
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) sum += (mesh.points[b] - mesh.points[a]).norm();
    return sum / static_cast<double>(mesh.triangles.size());
}

}  // namespace

Rgb default_absorption(const Vec3& size) {
    // Of clear water, but for a width of some 3 m instead of the domain's.
    return Rgb(0.95f, 0.23f, 0.15f) / static_cast<float>(size.minCoeff());
}

struct LiquidTracer::Ray {
    Vec3f from, direction;
    Rgb weight;
    bool inside;
    int surfaces;  // met so far
};

/// Rays still to be followed; what does not fit is dropped, the faintest parts being the last to come.
struct LiquidTracer::Rays {
    std::array<Ray, 12> list;
    std::size_t count = 0;
    void push(const Ray& ray) {
        if (count < list.size()) list[count++] = ray;
    }
};

LiquidTracer::LiquidTracer(const Studio& studio, const LiquidLook& liquid)
    : studio_(&studio),
      index_(liquid.refraction),
      contact_(static_cast<float>(liquid.contact.value_or(mean_edge(*liquid.mesh)))),
      step_(2e-5f * studio.scale),
      deep_(liquid.deep) {}

Rgb LiquidTracer::seen(const SurfacePoint& point, const Ray& ray, bool inside, float u, float v) const {
    if (point.kind == SurfacePoint::background) return studio_->surroundings(ray.direction);
    Lighting light;
    light.immersed = inside;
    light.key = 0;
    // Penumbras take a few rays, against grain. Under the liquid the ground's light is all in the map.
    const int rays = point.kind >= 0 ? 2 : inside ? 0 : 3;
    for (int n = 0; n < rays; ++n) {
        const Eigen::Vector2f at = even_point(5 * n, u, v);
        light.key += studio_->key_sample(point, at[0], at[1]) / static_cast<float>(rays);
    }
    light.sky = point.kind >= 0 || studio_->near_solids(point) ? studio_->sky_sample(point, v, u) : 1.0f;
    Rgb colour = studio_->shade(point, ray.direction, light);
    if (inside && point.kind >= 0) {
        // Both lights come through about as much liquid as lies above; aside where the solid itself is above.
        const Vec3f from = point.position + 1e-3f * studio_->scale * point.face;
        const Vec3f open = (studio_->up + 1.05f * point.face).normalized();
        colour =
            colour.cwiseProduct(transmittance(studio_->absorption, studio_->solids->liquid_along(from, open).length));
    }
    return colour;
}

void LiquidTracer::pass_clear(Ray& ray, float far, float u, float v, Rgb& sum) const {
    const SolidScene& scene = *studio_->solids;
    float near = step_;
    constexpr int most_layers = 6;
    for (int n = 0; n < most_layers; ++n) {
        const SurfaceHit hit = scene.clear_hit(ray.from, ray.direction, near, far);
        if (hit.solid < 0) return;
        const SurfacePoint point = studio_->meet(ray.from, ray.direction, hit);
        const float opacity = scene.look(hit.solid).opacity;
        sum += opacity * ray.weight.cwiseProduct(seen(point, ray, ray.inside, u, v));
        ray.weight *= 1 - opacity;
        near = hit.t * 1.0001f + step_;
    }
}

void LiquidTracer::split(const Ray& ray, const SurfaceHit& hit, Rays& rays) const {
    const bool front = hit.normal.dot(ray.direction) < -1e-3f;  // smooth normals may turn away from the ray
    const Refraction bent = refract(ray.direction, front ? hit.normal : hit.face, hit.leaving ? index_ : 1 / index_);
    const Vec3f at = ray.from + hit.t * ray.direction;
    float back = bent.reflectance, through = 1 - bent.reflectance;
    // A smooth normal can send rays to the wrong side of a triangle at the rim of a wave; the other part takes all.
    const bool back_lost =
        bent.reflected.dot(hit.face) <= 0 || (ray.surfaces > 0 && back * ray.weight.maxCoeff() < least_weight);
    const bool through_lost =
        through <= 0 || bent.refracted.dot(hit.face) >= 0 || through * ray.weight.maxCoeff() < least_weight;
    if (through_lost) back = 1, through = 0;
    if (back_lost && !through_lost) through = 1, back = 0;
    // The stronger part is followed first, so that if anything is dropped it is the faintest.
    const Ray mirrored{at, bent.reflected, back * ray.weight, hit.leaving, ray.surfaces + 1};
    const Ray refracted{at, bent.refracted, through * ray.weight, !hit.leaving, ray.surfaces + 1};
    if (back > 0 && back <= through) rays.push(mirrored);
    if (through > 0) rays.push(refracted);
    if (back > 0 && back > through) rays.push(mirrored);
}

Rgb LiquidTracer::radiance(const Vec3f& from, const Vec3f& direction, float u, float v) const {
    const SolidScene& scene = *studio_->solids;
    Rays rays;
    rays.push({from, direction, Rgb::Ones(), false, 0});
    Rgb sum = Rgb::Zero();
    while (rays.count > 0) {
        Ray ray = rays.list[--rays.count];
        const float near = ray.surfaces == 0 ? 0 : step_;
        const SurfaceHit hit = scene.any_hit(ray.from, ray.direction, near, far_away);
        SurfacePoint point = studio_->meet(ray.from, ray.direction, hit);
        const bool surface = point.kind == SurfacePoint::liquid;
        bool inside = surface ? hit.leaving : ray.inside;
        if (scene.any_clear()) pass_clear(ray, point.t, u, v, sum);
        bool wet = false;
        if (surface && hit.leaving) {
            // A solid right behind the surface is wet.
            const float reach = contact_ / std::max(0.3f, -hit.face.dot(ray.direction));
            const SurfaceHit behind = scene.any_hit(ray.from, ray.direction, hit.t + step_, hit.t + reach);
            wet = behind.solid >= 0;
            if (wet) point = studio_->meet(ray.from, ray.direction, behind);
        }
        if (inside) {
            const Rgb left = transmittance(studio_->absorption, point.t);
            sum += ray.weight.cwiseProduct(deep_.cwiseProduct(Rgb::Ones() - left));
            ray.weight = ray.weight.cwiseProduct(left);
        }
        if (!surface || wet)
            sum += ray.weight.cwiseProduct(seen(point, ray, inside, u, v));
        else if (ray.surfaces < most_surfaces && ray.weight.maxCoeff() > 0.2f * least_weight)
            split(ray, hit, rays);
        else
            sum += ray.weight.cwiseProduct(studio_->surroundings(ray.direction));
    }
    // What is brighter than this is white in any case, and would outweigh the pixel's other samples.
    return sum.cwiseMin(5.0f);
}

}  // namespace tidelock
