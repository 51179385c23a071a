/// Which bricks a simulation needs: around shapes, around values of a field, and again when the fluid has moved.
///
/// Cost     shapes: a descent through blocks of bricks that ends where a block is too far away, so about the number of
///          bricks near the surface and inside. reactivate: the active bricks only; the lattice is never walked.
/// Promise  sets depend on the arguments alone, never on the number of threads.
#pragma once

#include <functional>
#include <utility>

#include "grid/domain.h"

namespace tidelock {

/// Signed distance to a shape at a world point [m], negative inside. Must be 1-Lipschitz: |f(x) - f(y)| <= |x - y|
/// (true distances and the usual bounds by min, max and rounding are).
template <int D>
using DistanceFunction = std::function<double(const Vec<D>& world)>;

/// Whether a world point belongs to something.
template <int D>
using PointTest = std::function<bool(const Vec<D>& world)>;

/// Every brick that may touch {f <= margin}: distance at its centre <= half its diagonal + margin [m].
template <int D>
BrickSetPtr<D> activate_shape(const Grid<D>& grid, const DistanceFunction<D>& shape, double margin);

/// For each active brick, the smallest box of its cells for which `wanted(value)` is true: first and last local
/// coordinates; first > last where there is none.
template <int D>
struct CellBox {
    Coord<D> first, last;
    [[nodiscard]] bool empty() const { return first[0] > last[0]; }
};
template <int D, class T, class F>
CellBox<D> wanted_box(const T* values, F&& wanted);

/// `old`, or the set of every brick within `band` cells (along each axis) of one of the boxes, which belong to the
/// bricks of `old`. The same pointer comes back when nothing changes.
template <int D>
BrickSetPtr<D> activate_around(const BrickSetPtr<D>& old, const std::vector<CellBox<D>>& boxes, int band);

/// The bricks needed after the values in `phi` have moved: those within `band` cells of a cell where `wanted(phi)`
/// holds (to brick-wise boxes of such cells). Returns `old` itself when nothing changed. `phi` lives on `old`; values
/// beyond it do not exist, so `band` must cover what a step can move plus the stencils, and be renewed every step.
template <int D, class T, class F>
BrickSetPtr<D> reactivate_where(const BrickSetPtr<D>& old, const Field<D, T>& phi, int band, F&& wanted) {
    std::vector<CellBox<D>> boxes(static_cast<std::size_t>(old->count()));
    parallel_for("reactivate: boxes", old->count(),
                 [&](std::ptrdiff_t b) { boxes[static_cast<std::size_t>(b)] = wanted_box<D>(phi.brick(b), wanted); });
    return activate_around<D>(old, boxes, band);
}

/// The usual case: liquid is where phi < 0.
template <int D, class T>
BrickSetPtr<D> reactivate(const BrickSetPtr<D>& old, const Field<D, T>& phi, int band) {
    return reactivate_where<D>(old, phi, band, [](T value) { return value < 0; });
}

/// Moves fields to another set; fields that are on it already are left alone.
template <int D, class... Fields>
void remap_all(const BrickSetPtr<D>& target, Fields&... fields) {
    ((fields.set_ptr() == target ? void() : void(fields = fields.remapped(target))), ...);
}

template <int D, class T, class F>
CellBox<D> wanted_box(const T* values, F&& wanted) {
    CellBox<D> box;
    for (int a = 0; a < D; ++a) box.first[a] = Brick<D>::size[a], box.last[a] = -1;
    for (int row = 0; row < Brick<D>::cells; row += Brick<D>::size[0]) {
        int first = 0, last = Brick<D>::size[0] - 1;
        while (first <= last && !wanted(values[row + first])) ++first;
        if (first > last) continue;
        while (!wanted(values[row + last])) --last;
        const Coord<D> c = local_coord<D>(row);
        box.first[0] = std::min(box.first[0], first);
        box.last[0] = std::max(box.last[0], last);
        for (int a = 1; a < D; ++a) {
            box.first[a] = std::min(box.first[a], c[a]);
            box.last[a] = std::max(box.last[a], c[a]);
        }
    }
    return box;
}

}  // namespace tidelock
