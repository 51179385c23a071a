/// Pictures in memory: linear light in float while they are made, 8-bit sRGB once they are finished.
///
/// Pixel (x, y) of either kind is at index y * width + x; row 0 is the top. Colours are linear Rec. 709 (the primaries
/// of sRGB); 1 is the display's white.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vec.h"

namespace tidelock {

/// Linear light, or a reflectance in [0, 1].
using Rgb = Eigen::Vector3f;

struct FloatImage {
    int width = 0, height = 0;
    std::vector<Rgb> pixels;

    FloatImage() = default;
    FloatImage(int w, int h, const Rgb& colour = Rgb::Zero())
        : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), colour) {}
    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    [[nodiscard]] Rgb& at(int x, int y) { return pixels[index(x, y)]; }
    [[nodiscard]] const Rgb& at(int x, int y) const { return pixels[index(x, y)]; }
};

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  ///< sRGB, three bytes a pixel

    [[nodiscard]] const std::uint8_t* at(int x, int y) const {
        return rgb.data() +
               3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
    bool operator==(const Image&) const = default;
};

/// The sRGB transfer curve (IEC 61966-2-1) and its inverse, for values in [0, 1].
[[nodiscard]] float srgb_encode(float linear);
[[nodiscard]] float srgb_decode(float encoded);
/// A colour as web pages write it, 0xRRGGBB, in linear light.
[[nodiscard]] Rgb from_hex(std::uint32_t rrggbb);
/// Relative luminance, the Y of CIE XYZ.
[[nodiscard]] inline float luminance(const Rgb& c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; }

/// Filmic curve, exposure included: black stays black, highlights roll off towards 1 instead of clipping.
/// Source   [Nar16]: a rational fit, here scaled so that 0.18 keeps its
///          value and large values end at 1.
[[nodiscard]] Rgb filmic(const Rgb& radiance, float exposure);

/// Rounds to 8-bit sRGB. A fixed pattern of less than one step is added before rounding, so that slow gradients show
/// no bands. Values that are not numbers become black.
[[nodiscard]] Image quantise(const FloatImage& image);

}  // namespace tidelock
