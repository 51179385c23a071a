/// Cubic cells in a box.
#pragma once

#include <array>
#include <optional>

#include "scene/scene.h"

namespace tidelock::scene {

/// Cells along each axis if the longest has `longest`; empty unless the cells are cubes to 1e-6 of their edge.
[[nodiscard]] std::optional<std::array<int, 3>> cells_for_longest(const Vector& size, int dimension, int longest);
/// The numbers nearest to `longest` along the longest axis that give cubes; empty if none up to twice that do.
[[nodiscard]] std::optional<std::array<int, 3>> nearest_cells(const Vector& size, int dimension, int longest);
/// Whether size / cells is the same along all axes, to 1e-6.
[[nodiscard]] bool are_cubes(const Vector& size, int dimension, const std::array<int, 3>& cells);
/// The first of the longest axes.
[[nodiscard]] int longest_axis(const Vector& size, int dimension);

}  // namespace tidelock::scene
