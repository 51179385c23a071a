/// Particles that carry a liquid: where they are, how fast, and the velocity's gradient around them; kept sorted by
/// cell.
///
/// Order    Bricks along their curve (morton_code), cells by their place in the brick, particles of a cell in the order
///          they had before. So the order depends on the particles alone, not on threads nor on which other bricks are
///          active, and the particles of a row of cells lie side by side.
/// Contract Particles lie inside the domain (fluid/particle_motion.h keeps them there); one on an upper wall counts to
///          the last cell, a coordinate that is not a number to the first.
/// Mass     All particles weigh the same: what a cell full of liquid weighs over 2^D.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "grid/activation.h"

namespace tidelock {

/// Particles in a cell full of liquid (numerics/particles 3).
template <int D>
inline constexpr int particles_per_cell = 1 << D;

template <int D>
struct Particles {
    std::vector<Vec<D>> position;  ///< [m]
    std::vector<Vec<D>> velocity;  ///< [m/s]
    std::vector<Mat<D>> affine;    ///< row a: gradient of component a of the velocity [1/s]; empty unless with_affine
    bool with_affine = false;      ///< only the apic transfer needs the rows (fluid/particle_transfer.h)

    [[nodiscard]] std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(position.size()); }
    /// At rest.
    void add(const Vec<D>& where);
    /// Behind those that are here; both with affine rows or both without.
    void append(const Particles& others);
};

/// Where the particles of each cell of a set of bricks begin and end.
template <int D>
class ParticleCells {
  public:
    ParticleCells() = default;
    /// `first`: of each cell of the bricks, and one value more, the number of particles.
    ParticleCells(BrickSetPtr<D> set, std::vector<std::ptrdiff_t> first)
        : set_(std::move(set)), first_(std::move(first)) {}

    [[nodiscard]] const BrickSet<D>& set() const { return *set_; }
    [[nodiscard]] const BrickSetPtr<D>& set_ptr() const { return set_; }
    [[nodiscard]] std::ptrdiff_t first(std::ptrdiff_t slot, int local) const {
        return first_[static_cast<std::size_t>(slot * Brick<D>::cells + local)];
    }
    [[nodiscard]] std::ptrdiff_t end(std::ptrdiff_t slot, int local) const {
        return first_[static_cast<std::size_t>(slot * Brick<D>::cells + local) + 1];
    }
    [[nodiscard]] std::ptrdiff_t count(std::ptrdiff_t slot, int local) const {
        return end(slot, local) - first(slot, local);
    }
    [[nodiscard]] bool empty(std::ptrdiff_t slot) const { return first(slot, 0) == end(slot, Brick<D>::cells - 1); }

    /// Calls f(first, end) for the particles of the cells from `low` to `high`, in coordinates of the brick that may
    /// reach one brick beyond it: row by row along x, the lowest first.
    template <class F>
    void for_each_run(std::ptrdiff_t slot, const Coord<D>& low, const Coord<D>& high, F&& f) const {
        const auto& neighbours = set_->neighbours(slot);
        for (int z = D == 3 ? low[D - 1] : 0; z <= (D == 3 ? high[D - 1] : 0); ++z)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int x = low[0]; x <= high[0];) {
                    Coord<D> cell;
                    cell[0] = x, cell[1] = y;
                    if constexpr (D == 3) cell[2] = z;
                    const Coord<D> side = brick_of<D>(cell);
                    const int last = std::min(high[0], ((side[0] + 1) << Brick<D>::bits[0]) - 1);
                    const auto there = neighbours[static_cast<std::size_t>(neighbour_slot<D>(side))];
                    if (there != set_->void_slot()) {
                        const int local = local_index<D>(cell);
                        const auto begin = first(there, local), stop = end(there, local + last - x);
                        if (begin < stop) f(begin, stop);
                    }
                    x = last + 1;
                }
    }

  private:
    BrickSetPtr<D> set_;
    std::vector<std::ptrdiff_t> first_;
};

/// The cell of the domain that a particle counts to.
template <int D>
Coord<D> particle_cell(const Grid<D>& grid, const Vec<D>& world) {
    const Vec<D> x = grid.to_cells(world);
    Coord<D> cell;
    for (int a = 0; a < D; ++a) cell[a] = x[a] > 0 ? static_cast<int>(std::min(x[a], grid.cells[a] - 0.5)) : 0;
    return cell;
}

/// The bricks within `rim` cells of a particle (to brick-wise boxes), in the lattice that holds the upper walls.
/// Cost follows the particles; the lattice is never walked.
template <int D>
BrickSetPtr<D> bricks_of_particles(const Grid<D>& grid, const std::vector<Vec<D>>& positions, int rim);

/// Sorts the particles; every one must lie in a brick of the set.
template <int D>
ParticleCells<D> sort_particles(const Grid<D>& grid, const BrickSetPtr<D>& set, Particles<D>& particles);

/// Removes those for which `gone` holds another value than 0; the others keep their order.
template <int D>
void remove_particles(Particles<D>& particles, const std::vector<char>& gone);

}  // namespace tidelock
