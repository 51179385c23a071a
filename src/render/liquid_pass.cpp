// Samples a liquid's pixels (liquid_tracer.h).

#include <cmath>

#include "base/parallel.h"
#include "render/liquid_tracer.h"
#include "render/pattern.h"

namespace tidelock {

std::vector<Rgb> liquid_pass(const LiquidTracer& tracer, const Studio& studio, const View& view, int width, int height,
                             int samples, const std::vector<SurfacePoint>& points, const std::vector<char>& skip) {
    const auto index = [width](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    };
    const auto wanted = [&](std::size_t i) { return points[i].kind == SurfacePoint::liquid && skip[i] == 0; };
    const auto sum_samples = [&](int x, int y, int first, int last) {
        Rgb sum = Rgb::Zero();
        const float u = gradient_noise(x, y), v = gradient_noise(x + 113, y + 71);
        for (int n = first; n < last; ++n) {
            const Eigen::Vector2f at = even_point(n, 0.5f, 0.5f), light = even_point(n, u, v);
            const Eigen::Vector3f direction = view.direction(x + double(at[0]), y + double(at[1])).cast<float>();
            sum += tracer.radiance(studio.eye, direction, light[0], light[1]);
        }
        return sum;
    };
    constexpr int few = 4;
    std::vector<Rgb> colour(points.size(), Rgb::Zero());
    parallel_for("see liquid", height, [&](std::ptrdiff_t row) {
        for (int x = 0; x < width; ++x) {
            const int y = static_cast<int>(row);
            if (wanted(index(x, y))) colour[index(x, y)] = sum_samples(x, y, 0, few) / float{few};
        }
    });
    if (samples <= few) return colour;
    // As bright as seen: differences in the dark count, those above white do not.
    std::vector<float> seen(points.size());
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = srgb_encode(std::min(1.0f, luminance(colour[i])));
    const int more = std::min(samples, 12);
    parallel_for("see liquid again", height, [&](std::ptrdiff_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) {
            const std::size_t i = index(x, y);
            if (!wanted(i)) continue;
            float low = seen[i], high = seen[i];
            for (int j = std::max(0, y - 1); j <= std::min(height - 1, y + 1); ++j)
                for (int k = std::max(0, x - 1); k <= std::min(width - 1, x + 1); ++k) {
                    if (!wanted(index(k, j))) continue;
                    low = std::min(low, seen[index(k, j)]);
                    high = std::max(high, seen[index(k, j)]);
                }
            constexpr float contrast = 0.07f;
            if (high - low > contrast)
                colour[i] = (float{few} * colour[i] + sum_samples(x, y, few, more)) / static_cast<float>(more);
        }
    });
    return colour;
}

}  // namespace tidelock
