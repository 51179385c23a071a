/// Which bricks of a lattice are active, in which order they are stored, and who their neighbours are.
///
/// Active bricks are stored compactly, along a Z-shaped curve (morton_code), so that what a loop over the slots reads
/// of the neighbours is still in cache; a brick is named by its slot in [0, count()). Slot count() is the void brick:
/// every array carries it behind the active ones, filled with the array's background value, and a neighbour that is not
/// active points there. Kernels therefore read all neighbours without a test.
///
/// A set never changes once built; fields share it. When the fluid moves, build a new set and remap the fields
/// (grid/field.h). Memory: one row of 3^D slots per active brick, and one 32-bit word per lattice brick.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "grid/brick.h"

namespace tidelock {

template <int D>
class BrickSet {
  public:
    using Neighbours = std::array<std::int32_t, Brick<D>::neighbours>;

    /// `bricks` may come in any order and with repeats; those outside [0, lattice) are an error.
    BrickSet(const Coord<D>& lattice, std::vector<Coord<D>> bricks);

    [[nodiscard]] std::ptrdiff_t count() const { return static_cast<std::ptrdiff_t>(bricks_.size()); }
    /// Cells that take memory: active bricks times cells of a brick.
    [[nodiscard]] std::ptrdiff_t cells() const { return count() * Brick<D>::cells; }
    [[nodiscard]] const Coord<D>& lattice() const { return lattice_; }
    [[nodiscard]] const std::vector<Coord<D>>& bricks() const { return bricks_; }
    [[nodiscard]] const Coord<D>& brick(std::ptrdiff_t slot) const { return bricks_[static_cast<std::size_t>(slot)]; }
    [[nodiscard]] const Neighbours& neighbours(std::ptrdiff_t slot) const {
        return neighbours_[static_cast<std::size_t>(slot)];
    }
    /// All of them, by slot.
    [[nodiscard]] const Neighbours* neighbour_rows() const { return neighbours_.data(); }
    [[nodiscard]] std::int32_t void_slot() const { return static_cast<std::int32_t>(bricks_.size()); }
    [[nodiscard]] bool inside(const Coord<D>& brick) const {
        return (brick.array() >= 0).all() && (brick.array() < lattice_.array()).all();
    }

    /// Slot of a brick, or void_slot() if it is not active or not in the lattice.
    [[nodiscard]] std::int32_t find(const Coord<D>& brick) const {
        return inside(brick) ? slots_[linear(brick)] : void_slot();
    }

    /// The row of slots around any brick, active or not, inside the lattice or not.
    [[nodiscard]] Neighbours neighbours_of(const Coord<D>& brick) const;

    [[nodiscard]] std::size_t bytes() const;

    bool operator==(const BrickSet& other) const { return lattice_ == other.lattice_ && bricks_ == other.bricks_; }

  private:
    [[nodiscard]] std::size_t linear(const Coord<D>& b) const {
        std::size_t index = 0;
        for (int a = D - 1; a >= 0; --a)
            index = index * static_cast<std::size_t>(lattice_[a]) + static_cast<std::size_t>(b[a]);
        return index;
    }

    Coord<D> lattice_;
    std::vector<Coord<D>> bricks_;
    std::vector<Neighbours> neighbours_;
    std::vector<std::int32_t> slots_;
};

template <int D>
using BrickSetPtr = std::shared_ptr<const BrickSet<D>>;

/// Bricks needed along each axis to hold `cells` cells.
template <int D>
Coord<D> lattice_for(const Coord<D>& cells);

/// Every brick of the lattice.
template <int D>
BrickSetPtr<D> make_dense(const Coord<D>& lattice);

/// The bricks for which `wanted` holds. It is called once per lattice brick, in parallel.
template <int D>
BrickSetPtr<D> make_where(const Coord<D>& lattice, const std::function<bool(const Coord<D>& brick)>& wanted);

/// Bricks that are in either set; both have the same lattice.
template <int D>
BrickSetPtr<D> unite(const BrickSet<D>& a, const BrickSet<D>& b);

/// The 2:1 coarser set: a coarse brick is active if any of its 2^D children is.
template <int D>
BrickSetPtr<D> coarsen(const BrickSet<D>& set);

}  // namespace tidelock
