#include "render/image.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "render/pattern.h"

namespace tidelock {

float srgb_encode(float linear) {
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

float srgb_decode(float encoded) {
    return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

Rgb from_hex(std::uint32_t rrggbb) {
    const auto channel = [&](int shift) { return srgb_decode(static_cast<float>((rrggbb >> shift) & 255u) / 255.0f); };
    return {channel(16), channel(8), channel(0)};
}

Rgb filmic(const Rgb& radiance, float exposure) {
    // f(0.18 s) = 0.18 for s below; the fit tends to 2.51 / 2.43.
    constexpr float s = 0.743f, top = 2.51f / 2.43f;
    Rgb out;
    for (int a = 0; a < 3; ++a) {
        const float x = std::max(0.0f, radiance[a] * exposure * s);
        const float y = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
        out[a] = std::min(1.0f, std::isfinite(y) ? y / top : 1.0f);
    }
    return out;
}

Image quantise(const FloatImage& image) {
    Image out{image.width, image.height, std::vector<std::uint8_t>(3 * image.pixels.size())};
    parallel_for("quantise picture", image.height, [&](std::ptrdiff_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < image.width; ++x) {
            const std::size_t i = image.index(x, y);
            for (int a = 0; a < 3; ++a) {
                const float v = image.pixels[i][a];
                const float linear = std::isfinite(v) ? std::clamp(v, 0.0f, 1.0f) : 0.0f;
                // Strictly inside (0, 1), with room for rounding: pure black and white stay pure.
                const float pattern = 0.0005f + 0.999f * gradient_noise(x + 37 * a, y + 17 * a);
                const float level = std::clamp(255.0f * srgb_encode(linear) + pattern, 0.0f, 255.0f);
                out.rgb[3 * i + static_cast<std::size_t>(a)] = static_cast<std::uint8_t>(level);
            }
        }
    });
    return out;
}

}  // namespace tidelock
