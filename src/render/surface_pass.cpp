#include "render/surface_pass.h"

#include <cmath>

#include "base/parallel.h"
#include "render/pattern.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;

struct Frame {
    int width, height;
    [[nodiscard]] std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    /// Calls f(index) for the pixels within `reach` of (x, y) that are in the picture.
    template <class F>
    void around(int x, int y, int reach, F&& f) const {
        for (int j = std::max(0, y - reach); j <= std::min(height - 1, y + reach); ++j)
            for (int i = std::max(0, x - reach); i <= std::min(width - 1, x + reach); ++i) f(at(i, j), i - x, j - y);
    }
};

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

}  // namespace

SurfacePass surface_pass(const Studio& studio, const View& view, int width, int height, int samples) {
    const Frame frame{width, height};
    const std::size_t pixels = frame.at(0, height);
    SurfacePass pass;
    pass.points.resize(pixels);
    pass.light.resize(pixels);
    pass.edge.assign(pixels, 0);
    std::vector<char> clear(pixels, 0), uneven(pixels, 0);
    const bool any_clear = studio.solids->any_clear(), any_solid = !studio.solids->empty();
    const int few = 4;

    parallel_for("see surfaces", height, [&](std::ptrdiff_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) {
            const Vec3f direction = view.direction(x + 0.5, y + 0.5).cast<float>();
            SurfacePoint& point = pass.points[frame.at(x, y)];
            point = studio.trace(direction);
            if (any_clear)
                clear[frame.at(x, y)] = studio.solids->clear_hit(studio.eye, direction, 0, point.t).solid >= 0;
        }
    });
    const auto pixel_size = [&](const SurfacePoint& p) { return static_cast<float>(view.pixel_angle()) * p.t; };
    parallel_for("find edges, few rays", height, [&](std::ptrdiff_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) {
            const std::size_t i = frame.at(x, y);
            const SurfacePoint& point = pass.points[i];
            bool edge = false;
            frame.around(x, y, 1, [&](std::size_t n, int, int) {
                edge = edge || clear[n] != 0 || !same_surface(point, pass.points[n], 3 * pixel_size(point));
            });
            pass.edge[i] = edge ? 1 : 0;
            if (point.kind < SurfacePoint::ground) continue;
            Lighting sum{static_cast<float>(few), static_cast<float>(few)};
            if (any_solid) sum = sample_light(studio, point, x, y, 0, few);
            pass.light[i] = {sum.key, sum.sky};
        }
    });
    const std::vector<Lighting> coarse = pass.light;
    parallel_for("light surfaces", height, [&](std::ptrdiff_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) {
            const std::size_t i = frame.at(x, y);
            const SurfacePoint& point = pass.points[i];
            if (point.kind < SurfacePoint::ground) continue;
            bool varies = false;
            frame.around(x, y, 2, [&](std::size_t n, int, int) {
                varies = varies || (pass.points[n].kind == point.kind &&
                                    (coarse[n].key != coarse[i].key || coarse[n].sky != coarse[i].sky));
            });
            uneven[i] = varies ? 1 : 0;
            int count = few;
            if (varies && any_solid && pass.edge[i] == 0) {
                const Lighting more = sample_light(studio, point, x, y, few, samples);
                pass.light[i].key += more.key;
                pass.light[i].sky += more.sky;
                count = samples;
            }
            const auto share = 1 / static_cast<float>(count);
            pass.light[i].key *= share * studio.smoke_shadow(point, gradient_noise(x, y));
            pass.light[i].sky *= share;
        }
    });
    // Twice over 5x5 pixels, the second time with gaps: a soft kernel about 13 pixels wide.
    const bool smooth_all = studio.smoke != nullptr;
    for (const int gap : {1, 2}) {
        const std::vector<Lighting> before = pass.light;
        parallel_for("smooth light", height, [&](std::ptrdiff_t row) {
            const int y = static_cast<int>(row);
            for (int x = 0; x < width; ++x) {
                const std::size_t i = frame.at(x, y);
                const SurfacePoint& point = pass.points[i];
                if (point.kind < SurfacePoint::ground || (uneven[i] == 0 && !smooth_all)) continue;
                const float tolerance = 3 * pixel_size(point);
                float weight = 0, key = 0, sky = 0;
                for (int dy = -2; dy <= 2; ++dy)
                    for (int dx = -2; dx <= 2; ++dx) {
                        const int px = x + gap * dx, py = y + gap * dy;
                        if (px < 0 || py < 0 || px >= width || py >= height) continue;
                        const std::size_t n = frame.at(px, py);
                        if (!same_surface(point, pass.points[n], tolerance)) continue;
                        constexpr float kernel[] = {1.0f, 0.66f, 0.19f};
                        const float w = kernel[std::abs(dx)] * kernel[std::abs(dy)];
                        weight += w, key += w * before[n].key, sky += w * before[n].sky;
                    }
                pass.light[i] = {key / weight, sky / weight};
            }
        });
    }
    return pass;
}

}  // namespace tidelock
