#include "render/studio.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "render/liquid_optics.h"
#include "render/pattern.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;

float smooth_step(float low, float high, float x) {
    const float s = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return s * s * (3 - 2 * s);
}

float fresnel(float cosine) { return 0.04f + 0.96f * std::pow(1 - std::clamp(cosine, 0.0f, 1.0f), 5.0f); }

/// Even in the unit disc, from even in the unit square.
Eigen::Vector2f in_disc(float u, float v) {
    const float r = std::sqrt(u), angle = 2 * std::numbers::pi_v<float> * v;
    return {r * std::cos(angle), r * std::sin(angle)};
}

}  // namespace

Studio::Studio(const Picture3d& picture, const View& view, const SolidScene& scene)
    : look(&picture.look), solids(&scene), show_ground(picture.show_ground) {
    const Vec3 middle = picture.domain.centre(), size = picture.domain.size();
    const Vec3 vertical = picture.up.normalized();
    eye = (view.position() - middle).cast<float>();
    up = vertical.cast<float>();
    to_middle = (-eye).normalized();
    to_key = picture.look.to_light.normalized().cast<float>();
    key_side = to_key.unitOrthogonal();
    key_front = to_key.cross(key_side);
    key_spread = static_cast<float>(std::tan(picture.look.light_radius));
    pixel_angle = static_cast<float>(view.pixel_angle());
    scale = static_cast<float>(size.norm());
    reach = 0.35f * static_cast<float>(size.minCoeff());
    const double half_height = 0.5 * size.dot(vertical.cwiseAbs());
    const double half_width = 0.5 * (size - size.cwiseProduct(vertical.cwiseAbs())).norm();
    ground_height = static_cast<float>(-half_height);
    const double extent = std::max(half_width, 0.35 * half_height);
    fade_begin = static_cast<float>(0.5 * extent);
    fade_end = static_cast<float>(4.6 * extent);
    ground_light = look->ground.cwiseProduct(look->light * std::max(0.0f, to_key.dot(up)) + look->sky);
}

Rgb Studio::backdrop(const Vec3f& direction) const {
    // A wall that is lit from below behind the scene and darkens upwards and to the sides.
    const float aside = std::acos(std::clamp(direction.dot(to_middle), -1.0f, 1.0f));
    const float glow = 0.62f + 0.6f * std::exp(-(aside * aside) / (0.32f * 0.32f));
    const float height = std::max(0.0f, direction.dot(up) + 0.04f);
    return look->background * (glow * (0.50f + 0.95f * std::exp(-height / 0.11f)));
}

Rgb Studio::surroundings(const Vec3f& direction) const {
    const float height = direction.dot(up);
    const Rgb wall = backdrop(direction);
    // Brighter towards the light's side, as skies are.
    const float side = 0.75f + 0.35f * direction.dot(to_key);
    const Rgb dome = (1.35f * side) * look->sky + Rgb::Constant(0.10f);
    const Rgb sky = wall + smooth_step(0.02f, 0.55f, height) * (dome - wall);
    if (height < -0.02f) return sky + smooth_step(0.02f, 0.3f, -height) * (0.6f * ground_light - sky);
    const float aside = std::acos(std::clamp(direction.dot(to_key), -1.0f, 1.0f)), radius = std::atan(key_spread);
    // As bright as glints need; the true disc is brighter and would only leave speckles.
    return sky + (12 * (1 - smooth_step(radius, 1.5f * radius + 0.01f, aside))) * look->light;
}

SurfacePoint Studio::trace(const Vec3f& direction) const {
    return meet(eye, direction,
                solids->has_liquid() ? solids->any_hit(eye, direction, 0, std::numeric_limits<float>::infinity())
                                     : solids->opaque_hit(eye, direction));
}

SurfacePoint Studio::meet(const Vec3f& from, const Vec3f& direction, const SurfaceHit& hit) const {
    SurfacePoint point;
    float ground_t = std::numeric_limits<float>::infinity();
    const float down = -direction.dot(up), above = from.dot(up) - ground_height;
    if (show_ground && down > 1e-5f && above > 0) ground_t = above / down;
    // The underside of a liquid that stands on the ground is the ground.
    const bool underside = hit.solid == SurfaceHit::liquid && hit.leaving && ground_t < hit.t + 1e-3f * scale;
    if (hit.solid != SurfaceHit::nothing && hit.t < ground_t && !underside) {
        point.kind = hit.solid == SurfaceHit::liquid ? SurfacePoint::liquid : hit.solid;
        point.t = hit.t;
        point.normal = hit.normal;
        point.face = hit.face;
    } else if (ground_t < std::numeric_limits<float>::infinity()) {
        point.kind = SurfacePoint::ground;
        point.t = ground_t;
        point.normal = point.face = up;
    } else {
        point.t = 1e3f * scale;
    }
    point.position = from + point.t * direction;
    return point;
}

Vec3f Studio::key_direction(float u, float v) const {
    const Eigen::Vector2f d = key_spread * in_disc(u, v);
    return (to_key + d[0] * key_side + d[1] * key_front).normalized();
}

Rgb Studio::ground_colour(const Vec3f& x) const {
    if (!(look->ground_tiles > 0)) return look->ground;
    const auto tile = static_cast<float>(look->ground_tiles);
    const Vec3f side = up.unitOrthogonal(), front = up.cross(side), view = x - eye;
    const float slant = std::max(0.15f, std::abs(view.dot(up)) / view.norm());
    const float blur = std::max(1e-4f, 1.2f * pixel_angle * view.norm() / (slant * tile));  // [tiles]
    // A square wave of +-1 that changes over the width `blur`, and fades once it is finer than that.
    const auto wave = [&](float s) {
        const float distance = std::abs(2 * fraction(0.5f * s) - 1) - 0.5f;  // to the next edge, half a tile: 1/2
        return std::clamp(2 * distance / blur, -1.0f, 1.0f) * std::clamp(1.5f - blur, 0.0f, 1.0f);
    };
    const float pattern = wave(x.dot(side) / tile) * wave(x.dot(front) / tile);
    return look->ground * (1 + look->tile_contrast * pattern);
}

bool Studio::box_between(const Vec3f& x) const {
    const Eigen::AlignedBox3f& box = solids->box();
    if (solids->empty()) return false;
    // The cone to the light meets the box only if its axis meets the box grown by the cone's width there.
    const float grow = key_spread * ((box.center() - x).norm() + box.diagonal().norm()) + 1e-3f * scale;
    float enter = 0, leave = std::numeric_limits<float>::max();
    for (int a = 0; a < 3; ++a) {
        const float low = box.min()[a] - grow - x[a], high = box.max()[a] + grow - x[a];
        if (to_key[a] == 0) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        enter = std::max(enter, std::min(low / to_key[a], high / to_key[a]));
        leave = std::min(leave, std::max(low / to_key[a], high / to_key[a]));
    }
    return enter <= leave;
}

bool Studio::near_solids(const SurfacePoint& point) const {
    return !solids->empty() && solids->box().squaredExteriorDistance(point.position) < reach * reach;
}

float Studio::key_sample(const SurfacePoint& point, float u, float v) const {
    const Vec3f direction = key_direction(u, v);
    if (point.face.dot(direction) <= 0) return 0;
    if (!box_between(point.position)) return 1;
    // The bias hides the facets of a smoothly shaded mesh from its own shadow.
    const float bias = point.kind >= 0 ? 1e-3f * scale : 1e-5f * scale;
    const Vec3f from = point.position + bias * point.face;
    if (solids->has_liquid()) {
        // What comes to the ground through the liquid is in the map.
        if (point.kind == SurfacePoint::ground && !solids->open_air(from, direction)) return 0;
        if (point.kind >= 0) {
            const LiquidWay way = solids->liquid_along(from, direction);
            if (way.blocked) return 0;
            if (way.length > 0) return 0.95f;  // what is absorbed has a colour: the tracer's part
        }
    }
    return solids->visibility(from, direction, std::numeric_limits<float>::infinity());
}

float Studio::sky_sample(const SurfacePoint& point, float u, float v) const {
    const Eigen::Vector2f d = in_disc(u, v);
    const Vec3f side = point.normal.unitOrthogonal(), front = point.normal.cross(side);
    const Vec3f direction = d[0] * side + d[1] * front + std::sqrt(std::max(0.0f, 1 - d.squaredNorm())) * point.normal;
    const float bias = point.kind >= 0 ? 5e-4f * scale : 1e-5f * scale;
    const Vec3f from = point.position + bias * point.face;
    float open = solids->visibility(from, direction, reach);
    if (point.kind >= 0 && show_ground && direction.dot(up) < 0) {
        const float distance = (from.dot(up) - ground_height) / -direction.dot(up);
        if (distance < reach) open *= 1 - 0.7f * (1 - std::max(0.0f, distance / reach));
    }
    return open;
}

float Studio::smoke_shadow(const SurfacePoint& point, float jitter) const {
    if (smoke == nullptr || point.kind == SurfacePoint::background) return 1;
    const float tau = smoke->optical_depth(point.position, to_key, jitter);
    // Light scattered forwards still arrives: the shadow of smoke is paler than exp(-tau).
    return 0.72f * std::exp(-tau) + 0.28f * std::exp(-0.2f * tau);
}

Rgb Studio::shade(const SurfacePoint& point, const Vec3f& direction, const Lighting& light) const {
    if (point.kind == SurfacePoint::background) return backdrop(direction);
    const float facing = std::max(0.0f, point.normal.dot(to_key));
    const float tilt = 0.5f + 0.5f * point.normal.dot(up);
    Rgb ambient = (tilt * look->sky + (1 - tilt) * 0.6f * ground_light) * light.sky;
    if (point.kind == SurfacePoint::ground) {
        Rgb key = look->light * (facing * light.key);
        if (light_map != nullptr) {
            key += look->light.cwiseProduct(light_map->light(point.position));
            ambient = ambient.cwiseProduct(transmittance(absorption, light_map->depth(point.position)));
        }
        const Rgb lit = ground_colour(point.position).cwiseProduct(key + ambient);
        const Vec3f flat = point.position - point.position.dot(up) * up;
        const float fade = smooth_step(fade_begin, fade_end, flat.norm());
        return lit + fade * (backdrop(direction) - lit);
    }
    Rgb diffuse = solids->look(point.kind).colour.cwiseProduct(look->light * (facing * light.key) + ambient);
    if (light.immersed) return diffuse;
    // A thin varnish: the light's highlight (Blinn-Phong, as wide as the light) and the mirrored room.
    const Vec3f half = (to_key - direction).normalized();
    constexpr float shine = 90;
    const float highlight = (shine + 8) / 8 * std::pow(std::max(0.0f, half.dot(point.normal)), shine) * facing;
    const Vec3f mirrored = direction - 2 * direction.dot(point.normal) * point.normal;
    const float high = smooth_step(-0.15f, 0.7f, mirrored.dot(up));
    const Rgb room = 0.5f * ground_light + high * (look->sky - 0.5f * ground_light);
    return diffuse + fresnel(half.dot(to_key)) * highlight * light.key * look->light +
           fresnel(-direction.dot(point.normal)) * light.sky * room;
}

}  // namespace tidelock
