/// The box that a simulation fills: how many cells, how large, where; and the way between metres and cells.
///
/// Three frames, all with the same axes: world [m]; cell units, x_cell = (x_world - origin) / dx, in which cell i spans
/// [i, i + 1); and indices, where sample i of a field sits at i + centring.offset in cell units. The cells are cubes.
/// The upper walls are faces with index cells[a] along axis a, so a lattice that stores them must also hold cell index
/// cells[a]: lattice_for_faces.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include "grid/field.h"

namespace tidelock {

template <int D>
struct Grid {
    Coord<D> cells = Coord<D>::Constant(1);  ///< cells along each axis [-], at least 1
    double dx = 1;                           ///< edge of a cell [m], > 0
    Vec<D> origin = Vec<D>::Zero();          ///< lower corner of cell 0 [m]

    [[nodiscard]] Vec<D> to_cells(const Vec<D>& world) const { return (world - origin) / dx; }
    [[nodiscard]] Vec<D> to_world(const Vec<D>& cell_units) const { return origin + dx * cell_units; }
    /// Position of sample `index` of a field with this centring [m].
    [[nodiscard]] Vec<D> position(const Coord<D>& index, const Centring<D>& centring) const {
        return to_world(index.template cast<double>() + centring.offset);
    }
    [[nodiscard]] Vec<D> cell_centre(const Coord<D>& cell) const { return position(cell, Centring<D>::cell()); }
    /// The cell that holds a point; may lie outside the domain.
    [[nodiscard]] Coord<D> cell_of(const Vec<D>& world) const {
        return to_cells(world).array().floor().template cast<int>();
    }
    [[nodiscard]] bool contains(const Coord<D>& cell) const {
        return (cell.array() >= 0).all() && (cell.array() < cells.array()).all();
    }
    /// Last index of a field with this centring inside the domain; the first is 0. Samples on walls count.
    [[nodiscard]] Coord<D> last_index(const Centring<D>& centring) const {
        Coord<D> last;
        for (int a = 0; a < D; ++a) last[a] = centring.offset[a] > 0 ? cells[a] - 1 : cells[a];
        return last;
    }
    [[nodiscard]] Vec<D> upper() const { return to_world(cells.template cast<double>()); }
    /// Centre of a brick and half of its diagonal [m].
    [[nodiscard]] Vec<D> brick_centre(const Coord<D>& brick) const {
        Vec<D> c = first_cell<D>(brick).template cast<double>();
        for (int a = 0; a < D; ++a) c[a] += 0.5 * Brick<D>::size[a];
        return to_world(c);
    }
    [[nodiscard]] double brick_half_diagonal() const {
        double sum = 0;
        for (int a = 0; a < D; ++a) sum += Brick<D>::size[a] * Brick<D>::size[a];
        return 0.5 * dx * std::sqrt(sum);
    }

    bool operator==(const Grid&) const = default;
};

/// The bricks that hold every sample of every centring, the upper walls included: lattice_for(cells + 1).
template <int D>
Coord<D> lattice_for_faces(const Coord<D>& cells);

/// Throws InputError at `place` unless the grid can be used: at least one cell per axis, finite positive dx, finite
/// origin, and a lattice whose bricks and table fit 32-bit slots.
template <int D>
void check_grid(const Grid<D>& grid, const std::string& place);

}  // namespace tidelock
