#include "grid/domain.h"

#include <limits>

#include "base/error.h"

namespace tidelock {

template <int D>
Coord<D> lattice_for_faces(const Coord<D>& cells) {
    return lattice_for<D>(cells + Coord<D>::Ones());
}

template <int D>
void check_grid(const Grid<D>& grid, const std::string& place) {
    constexpr int most_cells = 1 << 24;  // cell + fraction keeps 29 bits of fraction in a double
    double bricks = 1;
    for (int a = 0; a < D; ++a) {
        if (grid.cells[a] < 1 || grid.cells[a] > most_cells)
            throw InputError(place, "cells along axis {} must be 1 to {}, got {}", a, most_cells, grid.cells[a]);
        if (!std::isfinite(grid.origin[a]))
            throw InputError(place, "origin along axis {} must be a finite number of metres, got {}", a,
                             grid.origin[a]);
        bricks *= lattice_for_faces<D>(grid.cells)[a];
    }
    if (!std::isfinite(grid.dx) || !(grid.dx > 0))
        throw InputError(place, "cell size must be a finite number of metres > 0, got {}", grid.dx);
    if (bricks >= std::numeric_limits<std::int32_t>::max())
        throw InputError(place,
                         "the domain has {:.3g} bricks of {} cells, at most 2^31 - 2 are allowed: use larger cells",
                         bricks, Brick<D>::cells);
}

template <int D>
Grid<D> make_grid(const std::string& place, const Coord<D>& cells, const Vec<D>& spacing, const Vec<D>& origin) {
    for (int a = 1; a < D; ++a)
        if (!(std::abs(spacing[a] - spacing[0]) <= 1e-6 * std::abs(spacing[0])))
            throw InputError(place, "cells must be cubes: spacing {} m along axis {} differs from {} m along axis 0",
                             spacing[a], a, spacing[0]);
    const Grid<D> grid{cells, spacing[0], origin};
    check_grid(grid, place);
    return grid;
}

template <int D>
Grid<D> make_grid_for_box(const std::string& place, const Vec<D>& lower, const Vec<D>& upper, double dx) {
    if (!std::isfinite(dx) || !(dx > 0))
        throw InputError(place, "cell size must be a finite number of metres > 0, got {}", dx);
    Grid<D> grid;
    grid.dx = dx;
    grid.origin = lower;
    for (int a = 0; a < D; ++a) {
        const double n = (upper[a] - lower[a]) / dx;
        if (!(n > 0) || !(n < 1e9))
            throw InputError(place, "the box must extend upwards along axis {}, got [{}, {}] m", a, lower[a], upper[a]);
        grid.cells[a] = static_cast<int>(std::lround(n));
        if (std::abs(n - grid.cells[a]) > 1e-6)
            throw InputError(place, "the box is {:.6g} cells of {} m long along axis {}; it must be a whole number", n,
                             dx, a);
    }
    check_grid(grid, place);
    return grid;
}

template <int D>
std::size_t field_bytes(std::size_t value_bytes, std::size_t bricks) {
    return value_bytes * (bricks + 1) * Brick<D>::cells;
}

#define TIDELOCK_INSTANTIATE(D)                                                                       \
    template Coord<D> lattice_for_faces<D>(const Coord<D>&);                                          \
    template void check_grid<D>(const Grid<D>&, const std::string&);                                  \
    template Grid<D> make_grid<D>(const std::string&, const Coord<D>&, const Vec<D>&, const Vec<D>&); \
    template Grid<D> make_grid_for_box<D>(const std::string&, const Vec<D>&, const Vec<D>&, double);  \
    template std::size_t field_bytes<D>(std::size_t, std::size_t)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
