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

#define TIDELOCK_INSTANTIATE(D)                              \
    template Coord<D> lattice_for_faces<D>(const Coord<D>&); \
    template void check_grid<D>(const Grid<D>&, const std::string&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
