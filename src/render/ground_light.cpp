#include "render/ground_light.h"

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "render/liquid_optics.h"
#include "render/pattern.h"

namespace tidelock {
namespace {

using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;

constexpr float infinity = std::numeric_limits<float>::infinity();

template <class F>
void for_corners(const Eigen::AlignedBox3f& box, F&& f) {
    for (int c = 0; c < 8; ++c) f(Vec3f(box.corner(static_cast<Eigen::AlignedBox3f::CornerType>(c))));
}

/// One pass of the weights 1 2 1 along both axes.
template <class T>
void blur(std::vector<T>& map, int width, int height, const T& zero) {
    const auto at = [width](int i, int j) { return static_cast<std::size_t>(j) * width + static_cast<std::size_t>(i); };
    for (int axis = 0; axis < 2; ++axis) {
        const std::vector<T> before = map;
        for (int j = 0; j < height; ++j)
            for (int i = 0; i < width; ++i) {
                const bool low = axis == 0 ? i > 0 : j > 0, high = axis == 0 ? i + 1 < width : j + 1 < height;
                const int di = axis == 0 ? 1 : 0, dj = 1 - di;
                map[at(i, j)] = 0.5f * before[at(i, j)] + 0.25f * (low ? before[at(i - di, j - dj)] : zero) +
                                0.25f * (high ? before[at(i + di, j + dj)] : zero);
            }
    }
}

}  // namespace

struct GroundLight::Arrival {
    bool arrived = false;
    Vec3f place = Vec3f::Zero();
    Rgb weight = Rgb::Zero();
};

GroundLight::GroundLight(const SolidScene& scene, const GroundLightSetting& setting) : scene_(&scene), set_(setting) {
    lay_out();
    send_rays();
    find_depths();
}

Vec2f GroundLight::on_map(const Vec3f& x) const { return (Vec2f(x.dot(side_), x.dot(front_)) - low_) / texel_; }

/// The map covers what lies below the liquid's box, and its shadow.
void GroundLight::lay_out() {
    side_ = set_.up.unitOrthogonal();
    front_ = set_.up.cross(side_);
    Eigen::AlignedBox2f box;
    // A light near the horizon throws shadows without end: the map stops after a few heights.
    const float slope = std::max(0.15f, set_.to_key.dot(set_.up));
    for_corners(scene_->liquid_box(), [&](const Vec3f& x) {
        const float above = std::max(0.0f, x.dot(set_.up) - set_.ground_height);
        const Vec3f shadow = x - above / slope * set_.to_key;
        box.extend(Vec2f(x.dot(side_), x.dot(front_)));
        box.extend(Vec2f(shadow.dot(side_), shadow.dot(front_)));
    });
    const float margin = 0.04f * box.sizes().maxCoeff();
    low_ = box.min().array() - margin;
    const Vec2f size = box.sizes().array() + 2 * margin;
    texel_ = size.maxCoeff() / static_cast<float>(set_.texels);
    width_ = std::max(1, static_cast<int>(std::ceil(size[0] / texel_)));
    height_ = std::max(1, static_cast<int>(std::ceil(size[1] / texel_)));
}

GroundLight::Arrival GroundLight::follow(Vec3f from, Vec3f direction) const {
    Arrival out;
    Rgb weight = Rgb::Ones();
    const float step = 2e-5f * set_.scale;
    bool inside = false;
    constexpr int most_surfaces = 10;
    for (int n = 0; n < most_surfaces; ++n) {
        const SurfaceHit hit = scene_->any_hit(from, direction, step, infinity);
        const float down = -direction.dot(set_.up), above = from.dot(set_.up) - set_.ground_height;
        const float ground = down > 1e-5f ? above / down : infinity;
        // The liquid's underside may lie on the ground.
        const float slack = hit.solid == SurfaceHit::liquid && hit.leaving ? 1e-3f * set_.scale : 0;
        if (hit.solid == SurfaceHit::nothing || ground <= hit.t + slack) {
            if (n == 0 || !(ground < infinity)) return out;  // without liquid: direct light
            if (inside) weight = weight.cwiseProduct(transmittance(set_.absorption, ground));
            return {true, from + ground * direction, weight};
        }
        if (hit.solid != SurfaceHit::liquid) return out;
        if (hit.leaving) weight = weight.cwiseProduct(transmittance(set_.absorption, hit.t));
        const Refraction bent = refract(direction, hit.normal, hit.leaving ? set_.refraction : 1 / set_.refraction);
        from += hit.t * direction;
        const bool total = bent.reflectance >= 1;
        weight *= total ? 1.0f : 1 - bent.reflectance;
        direction = total ? bent.reflected : bent.refracted;
        inside = total ? hit.leaving : !hit.leaving;
    }
    return out;
}

void GroundLight::send_rays() {
    light_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), Rgb::Zero());
    if (set_.to_key.dot(set_.up) < 0.02f) return;
    const Vec3f u = set_.to_key.unitOrthogonal(), v = set_.to_key.cross(u);
    Eigen::AlignedBox3f seen;  // the liquid as the light sees it
    for_corners(scene_->liquid_box(),
                [&](const Vec3f& x) { seen.extend(Vec3f(x.dot(u), x.dot(v), x.dot(set_.to_key))); });
    // Light from the rim of the key's disc starts a little outside.
    const float grow = 2 * set_.key_spread * seen.sizes()[2] + 1e-3f * set_.scale;
    const Vec2f low = seen.min().head<2>().array() - grow, size = seen.sizes().head<2>().array() + 2 * grow;
    const int rays = set_.rays;
    const Vec2f cell = size / static_cast<float>(rays);
    std::vector<Arrival> arrivals(static_cast<std::size_t>(rays) * static_cast<std::size_t>(rays));
    parallel_for("light through liquid", rays, [&](std::ptrdiff_t row) {
        const int j = static_cast<int>(row);
        for (int i = 0; i < rays; ++i) {
            const auto n = static_cast<std::size_t>(j) * static_cast<std::size_t>(rays) + static_cast<std::size_t>(i);
            const Vec2f at = low + cell.cwiseProduct(Vec2f(static_cast<float>(i) + 0.5f, static_cast<float>(j) + 0.5f));
            // Any 4 x 4 rays hold the same 16 points of the light: what is uneven is finer than a texel.
            const Vec2f disc = even_point((i & 3) + 4 * (j & 3), 0.5f, 0.5f);
            const float r = set_.key_spread * std::sqrt(disc[0]), angle = 6.2831853f * disc[1];
            const Vec3f direction = -(set_.to_key + r * std::cos(angle) * u + r * std::sin(angle) * v).normalized();
            // All rays of a cell cross its middle at half the liquid's depth, so that the raster stays even there.
            const float back = (0.5f * seen.sizes()[2] + grow) / -direction.dot(set_.to_key);
            const Vec3f middle = at[0] * u + at[1] * v + seen.center()[2] * set_.to_key;
            arrivals[n] = follow(middle - back * direction, direction);
        }
    });
    const float share = cell.prod() / (texel_ * texel_);
    for (const Arrival& a : arrivals) {
        if (!a.arrived) continue;
        const Vec2f x = on_map(a.place).array() - 0.5f;
        const Vec2f base = x.array().floor(), f = x - base;
        for (int c = 0; c < 4; ++c) {
            const int i = static_cast<int>(base[0]) + (c & 1), j = static_cast<int>(base[1]) + (c >> 1);
            if (i < 0 || j < 0 || i >= width_ || j >= height_) continue;
            const float w = ((c & 1) != 0 ? f[0] : 1 - f[0]) * ((c >> 1) != 0 ? f[1] : 1 - f[1]);
            light_[static_cast<std::size_t>(j) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(i)] +=
                share * w * a.weight;
        }
    }
    for (int n = 0; n < 2; ++n) blur<Rgb>(light_, width_, height_, Rgb::Zero());
}

void GroundLight::find_depths() {
    depth_.assign(light_.size(), 0);
    parallel_for("depth of liquid", height_, [&](std::ptrdiff_t row) {
        for (int i = 0; i < width_; ++i) {
            const Vec2f at = low_ + texel_ * Vec2f(static_cast<float>(i) + 0.5f, static_cast<float>(row) + 0.5f);
            const Vec3f from = at[0] * side_ + at[1] * front_ + (set_.ground_height + 1e-4f * set_.scale) * set_.up;
            depth_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(i)] =
                scene_->liquid_along(from, set_.up).length;
        }
    });
    blur<float>(depth_, width_, height_, 0.0f);
}

template <class T>
T GroundLight::sample(const std::vector<T>& map, const Vec3f& x, const T& zero) const {
    const Vec2f at = on_map(x).array() - 0.5f;
    if (!(at[0] > -1 && at[1] > -1 && at[0] < static_cast<float>(width_) && at[1] < static_cast<float>(height_)))
        return zero;
    const Vec2f base = at.array().floor(), f = at - base;
    T sum = zero;
    for (int c = 0; c < 4; ++c) {
        const int i = static_cast<int>(base[0]) + (c & 1), j = static_cast<int>(base[1]) + (c >> 1);
        if (i < 0 || j < 0 || i >= width_ || j >= height_) continue;
        const float w = ((c & 1) != 0 ? f[0] : 1 - f[0]) * ((c >> 1) != 0 ? f[1] : 1 - f[1]);
        sum += w * map[static_cast<std::size_t>(j) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(i)];
    }
    return sum;
}

Rgb GroundLight::light(const Vec3f& x) const { return sample<Rgb>(light_, x, Rgb::Zero()); }
float GroundLight::depth(const Vec3f& x) const { return sample<float>(depth_, x, 0.0f); }

Rgb GroundLight::total() const {
    Rgb sum = Rgb::Zero();
    for (const Rgb& c : light_) sum += texel_ * texel_ * c;
    return sum;
}

}  // namespace tidelock
