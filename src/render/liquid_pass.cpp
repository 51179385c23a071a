// Samples a liquid's pixels (liquid_tracer.h).

#include <cmath>

#include "render/liquid_tracer.h"
#include "render/pattern.h"

namespace tidelock {

namespace {

constexpr int few_samples = 4, most_samples = 12;  ///< samples a pixel, and where neighbours differ
constexpr float contrast = 0.07f;                  ///< of neighbours, in brightness as seen: a difference

}  // namespace

std::vector<Rgb> liquid_pass(const LiquidTracer& tracer, const Studio& studio, const Raster& raster,
                             const SurfacePass& surfaces) {
    const auto wanted = [&](std::size_t i) {
        return surfaces.points[i].kind == SurfacePoint::liquid && surfaces.edge[i] == 0;
    };
    const auto sum_samples = [&](int x, int y, int first, int last) {
        Rgb sum = Rgb::Zero();
        const float u = gradient_noise(x, y), v = gradient_noise(x + 113, y + 71);
        for (int n = first; n < last; ++n) {
            const Eigen::Vector2f at = even_point(n, 0.5f, 0.5f), light = even_point(n, u, v);
            const Eigen::Vector3f direction = raster.view.direction(x + double(at[0]), y + double(at[1])).cast<float>();
            sum += tracer.radiance(studio.eye, direction, light[0], light[1]);
        }
        return sum;
    };
    std::vector<Rgb> colour(raster.count(), Rgb::Zero());
    raster.for_each("see liquid", [&](int x, int y, std::size_t i) {
        if (wanted(i)) colour[i] = sum_samples(x, y, 0, few_samples) / float{few_samples};
    });
    if (raster.samples <= few_samples) return colour;
    // As bright as seen: differences in the dark count, those above white do not.
    std::vector<float> seen(colour.size());
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = srgb_encode(std::min(1.0f, luminance(colour[i])));
    const int more = std::min(raster.samples, most_samples);
    raster.for_each("see liquid again", [&](int x, int y, std::size_t i) {
        if (!wanted(i)) return;
        float low = seen[i], high = seen[i];
        raster.around(x, y, 1, [&](std::size_t n) {
            if (!wanted(n)) return;
            low = std::min(low, seen[n]);
            high = std::max(high, seen[n]);
        });
        if (high - low > contrast)
            colour[i] =
                (float{few_samples} * colour[i] + sum_samples(x, y, few_samples, more)) / static_cast<float>(more);
    });
    return colour;
}

}  // namespace tidelock
