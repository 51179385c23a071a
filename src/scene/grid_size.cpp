#include "scene/grid_size.h"

#include "grid/domain.h"

namespace tidelock::scene {

namespace {

template <int D>
GridSize size_of(const Scene& scene, double bytes_per_cell) {
    Coord<D> cells;
    GridSize size{1, 1, 0};
    for (int a = 0; a < D; ++a) cells[a] = scene.domain.cells[static_cast<std::size_t>(a)];
    const Coord<D> bricks = lattice_for_faces<D>(cells);
    for (int a = 0; a < D; ++a) {
        size.cells *= cells[a];
        size.bricks *= bricks[a];
    }
    size.bytes = size.bricks * Brick<D>::cells * bytes_per_cell;
    return size;
}

}  // namespace

GridSize grid_size(const Scene& scene, double bytes_per_cell) {
    return scene.dimension == 2 ? size_of<2>(scene, bytes_per_cell) : size_of<3>(scene, bytes_per_cell);
}

}  // namespace tidelock::scene
