#include "scene/fit_cells.h"

#include <cmath>

namespace tidelock::scene {

namespace {

constexpr double cube_tolerance = 1e-6;  // the rounding of sizes that people type
constexpr int most_cells = 16384;        // per axis, as in keys.cpp

}  // namespace

int longest_axis(const Vector& size, int dimension) {
    std::size_t longest = 0;
    for (std::size_t a = 1; a < static_cast<std::size_t>(dimension); ++a)
        if (size[a] > size[longest]) longest = a;
    return static_cast<int>(longest);
}

bool are_cubes(const Vector& size, int dimension, const std::array<int, 3>& cells) {
    const double edge = size[0] / cells[0];
    for (std::size_t a = 1; a < static_cast<std::size_t>(dimension); ++a)
        if (!(std::abs(size[a] / cells[a] - edge) <= cube_tolerance * edge)) return false;
    return true;
}

std::optional<std::array<int, 3>> cells_for_longest(const Vector& size, int dimension, int longest) {
    if (longest < 1 || longest > most_cells) return {};
    const double edge = size[static_cast<std::size_t>(longest_axis(size, dimension))] / longest;
    std::array<int, 3> cells{1, 1, 1};
    for (std::size_t a = 0; a < static_cast<std::size_t>(dimension); ++a) {
        const double count = std::round(size[a] / edge);
        if (!(count >= 1 && count <= most_cells)) return {};
        cells[a] = static_cast<int>(count);
    }
    if (!are_cubes(size, dimension, cells)) return {};
    return cells;
}

std::optional<std::array<int, 3>> nearest_cells(const Vector& size, int dimension, int longest) {
    for (int away = 0; away <= longest; ++away) {
        if (const auto cells = cells_for_longest(size, dimension, longest - away)) return cells;
        if (const auto cells = cells_for_longest(size, dimension, longest + away)) return cells;
    }
    return {};
}

}  // namespace tidelock::scene
