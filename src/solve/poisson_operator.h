/// The face-coefficient Poisson operator on a sparse set of bricks, in double.
///
///   (A x)_i = e_i x_i + sum_f c_f (x_i - x_j),   j the cell across face f
///
/// c_f >= 0 is the conductance of a face between two unknowns (open fraction, density and theta are already in it:
/// METHODS 1.9), e_i >= 0 the sum of the conductances to cells of known value zero (free surface, open side). A is
/// symmetric and an M-matrix; a region with no e_i > 0 carries a constant null vector (solve/regions.h).
///
/// Nothing is stored for a brick in which every cell is an unknown, no e_i is set and every face, the upper ones
/// included, has the one conductance `uniform`; all others keep D + 1 doubles and a byte per cell.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/big_array.h"
#include "grid/brick_set.h"

namespace tidelock {

/// The coefficients of one brick, as its author fills them in; all zero on entry.
template <int D>
struct PoissonBrick {
    double conductance[D][Brick<D>::cells];  ///< of each cell's lower faces; zero unless both cells are unknowns
    double excess[Brick<D>::cells];          ///< e_i; zero where there is no unknown
    std::uint8_t unknown[Brick<D>::cells];   ///< 1: the cell holds an unknown. Ones with an empty row are dropped.
};

/// A cell by its brick and its place in it.
struct CellPlace {
    std::int32_t slot, local;
    auto operator<=>(const CellPlace&) const = default;
};

template <int D>
class PoissonOperator {
  public:
    using Author = std::function<void(std::ptrdiff_t slot, PoissonBrick<D>& out)>;

    /// Calls `author` in parallel, up to twice per brick; it must give the same answer both times.
    PoissonOperator(BrickSetPtr<D> set, double uniform, const Author& author);

    [[nodiscard]] const BrickSet<D>& set() const { return *set_; }
    [[nodiscard]] const BrickSetPtr<D>& set_ptr() const { return set_; }
    [[nodiscard]] double uniform() const { return uniform_; }
    /// Length of a vector that apply() takes: all cells of the active bricks and the void brick behind them, which must
    /// be zero.
    [[nodiscard]] std::ptrdiff_t size() const { return set_->cells() + Brick<D>::cells; }
    [[nodiscard]] std::ptrdiff_t unknowns() const { return unknowns_; }
    /// Pockets: cells that the author called unknowns although none of their faces is open. They were dropped, because
    /// nothing here determines them. Sorted.
    [[nodiscard]] const std::vector<CellPlace>& pockets() const { return pockets_; }
    /// Makes a pocket an unknown again, with an empty row: for a caller who adds something that determines it.
    void keep_pocket(const CellPlace& cell);
    [[nodiscard]] bool is_uniform(std::ptrdiff_t slot) const { return coefficient_slot(slot) == uniform_slot; }
    [[nodiscard]] std::ptrdiff_t stored_bricks() const { return stored_; }
    [[nodiscard]] std::size_t bytes() const;

    /// y = A x on all bricks. Values of x at cells that hold no unknown must be zero; y is zero there.
    void apply(const double* x, double* y) const;
    /// The same for one brick: x are all bricks, y is this one's.
    void apply_brick(std::ptrdiff_t slot, const double* x, double* y) const;

    /// Coefficients of a brick for set-up code; uniform and void bricks have shared storage.
    [[nodiscard]] const double* conductance(int axis, std::ptrdiff_t slot) const {
        return conductance_[axis].data() + offset(slot);
    }
    [[nodiscard]] const double* excess(std::ptrdiff_t slot) const { return excess_.data() + offset(slot); }
    [[nodiscard]] const std::uint8_t* unknown(std::ptrdiff_t slot) const { return unknown_.data() + offset(slot); }
    /// Conductance of the upper face of a cell, wherever it is stored.
    [[nodiscard]] double upper_conductance(int axis, std::ptrdiff_t slot, int local) const;

  private:
    static constexpr std::int32_t void_coefficients = 0, uniform_slot = 1, first_stored = 2;
    [[nodiscard]] std::int32_t coefficient_slot(std::ptrdiff_t slot) const {
        return slots_[static_cast<std::size_t>(slot)];
    }
    [[nodiscard]] std::ptrdiff_t offset(std::ptrdiff_t slot) const {
        return std::ptrdiff_t{coefficient_slot(slot)} * Brick<D>::cells;
    }
    void classify(const Author& author);
    void store(const Author& author);
    void drop_empty_rows();

    BrickSetPtr<D> set_;
    double uniform_;
    std::ptrdiff_t stored_ = 0;
    std::ptrdiff_t unknowns_ = 0;
    std::vector<CellPlace> pockets_;
    std::vector<std::int32_t> slots_;  ///< brick slot -> coefficient slot; the void brick's is last
    BigArray<double> conductance_[D];
    BigArray<double> excess_;
    BigArray<std::uint8_t> unknown_;
};

}  // namespace tidelock
