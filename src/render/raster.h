/// The pixels of a picture, and how they see the scene.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/parallel.h"
#include "render/camera.h"

namespace tidelock {

struct Raster {
    const View& view;
    int width, height;
    int samples;  ///< a pixel, where few are not enough

    [[nodiscard]] std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    [[nodiscard]] std::size_t count() const { return at(0, height); }
    /// Calls f(x, y, index) for all pixels, rows on all threads.
    template <class F>
    void for_each(const char* label, const F& f) const {
        parallel_for(label, height, [&](std::ptrdiff_t row) {
            const int y = static_cast<int>(row);
            for (int x = 0; x < width; ++x) f(x, y, at(x, y));
        });
    }
    /// Calls f(index) for the pixels within `reach` of (x, y) that are in the picture.
    template <class F>
    void around(int x, int y, int reach, F&& f) const {
        for (int j = std::max(0, y - reach); j <= std::min(height - 1, y + reach); ++j)
            for (int i = std::max(0, x - reach); i <= std::min(width - 1, x + reach); ++i) f(at(i, j));
    }
};

}  // namespace tidelock
