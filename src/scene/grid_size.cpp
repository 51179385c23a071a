#include "scene/grid_size.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "grid/domain.h"

namespace tidelock::scene {

namespace {

/// Volume of a shape in a domain [m^D]; infinite where it cannot be told without reading a mesh.
double volume_of(const ShapeSpec& s, int dimension) {
    constexpr double pi = std::numbers::pi;
    switch (s.kind) {
        case ShapeKind::sphere:
            return dimension == 2 ? pi * s.radius * s.radius : 4.0 / 3 * pi * s.radius * s.radius * s.radius;
        case ShapeKind::box:
            return s.size[0] * s.size[1] * (dimension == 2 ? 1 : s.size[2]);
        case ShapeKind::cylinder:
        case ShapeKind::capsule:
            return pi * s.radius * s.radius * (s.height + 2 * s.radius);
        case ShapeKind::torus:
            return 2 * pi * pi * s.radius * s.tube * s.tube;
        default:
            return std::numeric_limits<double>::infinity();
    }
}

/// Share of the domain whose bricks a liquid needs: those of what is there at the start, and as much again around it
/// and for what moves. All of it if there are sources, or bubbles.
double liquid_share(const Scene& scene) {
    const Fluid& fluid = scene.fluid;
    const bool bubbles = fluid.liquid.bubbles == Bubbles::constraint;
    if (fluid.kind == FluidKind::smoke || bubbles || !fluid.sources.empty()) return 1;
    double domain = 1, liquid = 0;
    for (std::size_t a = 0; a < static_cast<std::size_t>(scene.dimension); ++a) domain *= scene.domain.size[a];
    for (const InitialFluid& part : fluid.initial)
        if (!part.air) liquid += volume_of(part.shape, scene.dimension);
    constexpr double around = 3;
    return std::min(1.0, around * liquid / domain);
}

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
    size.bytes = size.bricks * Brick<D>::cells * bytes_per_cell * liquid_share(scene);
    return size;
}

}  // namespace

GridSize grid_size(const Scene& scene, double bytes_per_cell) {
    return scene.dimension == 2 ? size_of<2>(scene, bytes_per_cell) : size_of<3>(scene, bytes_per_cell);
}

}  // namespace tidelock::scene
