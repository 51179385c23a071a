/// PNG in memory: 8-bit RGB, tagged as sRGB. Writing files is for others (io/).
#pragma once

#include <span>
#include <vector>

#include "render/image.h"

namespace tidelock {

/// The bytes of a whole PNG file. Throws InputError for a picture without pixels or of inconsistent size.
[[nodiscard]] std::vector<unsigned char> encode_png(const Image& image);

/// Any PNG, converted to 8-bit RGB (transparency is laid over black). Throws InputError for damaged data.
[[nodiscard]] Image decode_png(std::span<const unsigned char> bytes);

}  // namespace tidelock
