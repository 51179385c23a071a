#include "render/surface_pass.h"

#include <cmath>

#include "render/pattern.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;

/// Whether two pixels lie on one smooth surface; `tolerance` [m] off each other's plane.
bool same_surface(const SurfacePoint& a, const SurfacePoint& b, float tolerance) {
    if (a.kind != b.kind) return false;
    if (a.kind < 0) return true;
    return a.normal.dot(b.normal) > 0.9f && std::abs((b.position - a.position).dot(a.normal)) < tolerance;
}

Lighting sample_light(const Studio& studio, const SurfacePoint& point, int x, int y, int first, int last) {
    Lighting sum{0, 0};
    const float u = gradient_noise(x, y), v = gradient_noise(x + 113, y + 71);
    const bool sky = studio.near_solids(point) || point.kind >= 0;
    for (int n = first; n < last; ++n) {
        const Eigen::Vector2f p = even_point(n, u, v), q = even_point(n, v, u);
        sum.key += studio.key_sample(point, p[0], p[1]);
        sum.sky += sky ? studio.sky_sample(point, q[0], q[1]) : 1.0f;
    }
    return sum;
}

constexpr int few = 4;  ///< samples where light is even

/// The stages of a pass; each reads what the ones before it left.
class Passage {
  public:
    Passage(const Studio& studio, const Raster& raster)
        : studio_(studio), raster_(raster), clear_(raster.count(), 0), uneven_(raster.count(), 0) {
        pass_.points.resize(raster.count());
        pass_.light.resize(raster.count());
        pass_.edge.assign(raster.count(), 0);
    }

    void see() {
        const bool any_clear = studio_.solids->any_clear();
        raster_.for_each("see surfaces", [&](int x, int y, std::size_t i) {
            const Vec3f direction = raster_.view.direction(x + 0.5, y + 0.5).cast<float>();
            SurfacePoint& point = pass_.points[i];
            point = studio_.trace(direction);
            if (any_clear) clear_[i] = studio_.solids->clear_hit(studio_.eye, direction, 0, point.t).solid >= 0;
        });
    }

    void light_with_few() {
        const bool any_solid = !studio_.solids->empty();
        raster_.for_each("find edges, few rays", [&](int x, int y, std::size_t i) {
            const SurfacePoint& point = pass_.points[i];
            bool edge = false;
            raster_.around(x, y, 1, [&](std::size_t n) {
                edge = edge || clear_[n] != 0 || !same_surface(point, pass_.points[n], tolerance(point));
            });
            pass_.edge[i] = edge ? 1 : 0;
            if (point.kind < SurfacePoint::ground) return;
            Lighting sum{static_cast<float>(few), static_cast<float>(few)};
            if (any_solid) sum = sample_light(studio_, point, x, y, 0, few);
            pass_.light[i] = {sum.key, sum.sky};
        });
    }

    void light_where_it_varies() {
        const bool any_solid = !studio_.solids->empty();
        const std::vector<Lighting> coarse = pass_.light;
        raster_.for_each("light surfaces", [&](int x, int y, std::size_t i) {
            const SurfacePoint& point = pass_.points[i];
            if (point.kind < SurfacePoint::ground) return;
            bool varies = false;
            raster_.around(x, y, 2, [&](std::size_t n) {
                varies = varies || (pass_.points[n].kind == point.kind &&
                                    (coarse[n].key != coarse[i].key || coarse[n].sky != coarse[i].sky));
            });
            uneven_[i] = varies ? 1 : 0;
            int count = few;
            if (varies && any_solid && pass_.edge[i] == 0) {
                const Lighting more = sample_light(studio_, point, x, y, few, raster_.samples);
                pass_.light[i].key += more.key;
                pass_.light[i].sky += more.sky;
                count = raster_.samples;
            }
            const auto share = 1 / static_cast<float>(count);
            pass_.light[i].key *= share * studio_.smoke_shadow(point, gradient_noise(x, y));
            pass_.light[i].sky *= share;
        });
    }

    /// Over 5x5 pixels that are `gap` apart.
    void smooth(int gap) {
        const bool smooth_all = studio_.smoke != nullptr;
        const std::vector<Lighting> before = pass_.light;
        raster_.for_each("smooth light", [&](int x, int y, std::size_t i) {
            const SurfacePoint& point = pass_.points[i];
            if (point.kind < SurfacePoint::ground || (uneven_[i] == 0 && !smooth_all)) return;
            float weight = 0, key = 0, sky = 0;
            for (int dy = -2; dy <= 2; ++dy)
                for (int dx = -2; dx <= 2; ++dx) {
                    const int px = x + gap * dx, py = y + gap * dy;
                    if (px < 0 || py < 0 || px >= raster_.width || py >= raster_.height) continue;
                    const std::size_t n = raster_.at(px, py);
                    if (!same_surface(point, pass_.points[n], tolerance(point))) continue;
                    constexpr float kernel[] = {1.0f, 0.66f, 0.19f};
                    const float w = kernel[std::abs(dx)] * kernel[std::abs(dy)];
                    weight += w, key += w * before[n].key, sky += w * before[n].sky;
                }
            pass_.light[i] = {key / weight, sky / weight};
        });
    }

    SurfacePass result() { return std::move(pass_); }

  private:
    /// [m] off each other's plane: three pixels.
    [[nodiscard]] float tolerance(const SurfacePoint& point) const {
        return 3 * (static_cast<float>(raster_.view.pixel_angle()) * point.t);
    }

    const Studio& studio_;
    const Raster& raster_;
    SurfacePass pass_;
    std::vector<char> clear_, uneven_;  ///< pixels that see a clear solid, and those whose neighbours' light differs
};

}  // namespace

SurfacePass surface_pass(const Studio& studio, const Raster& raster) {
    Passage passage(studio, raster);
    passage.see();
    passage.light_with_few();
    passage.light_where_it_varies();
    for (const int gap : {1, 2}) passage.smooth(gap);  // a soft kernel about 13 pixels wide
    return passage.result();
}

}  // namespace tidelock
