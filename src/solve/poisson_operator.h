/// The face-coefficient Poisson operator on a sparse set of bricks, in double: G^T beta^-1 G of [A18] eq. (17).
///
///   (A x)_i = e_i x_i + sum_f c_f (x_i - x_j),   j the cell across face f
///
/// c_f >= 0 is the conductance of a face between two unknowns (open fraction, density and theta are already in it:
/// numerics/multigrid 1), e_i >= 0 the sum of the conductances to cells of known value zero (free surface, open side).
/// A is symmetric and an M-matrix; a region with no e_i > 0 carries a constant null vector (solve/regions.h).
///
/// Nothing is stored for a brick in which every cell is an unknown, no e_i is set and every face, the upper ones
/// included, has the one conductance `uniform`. A masked brick, whose faces have that conductance or none, keeps a
/// byte per cell; any other keeps D doubles more. Where some e_i is set there is one more double for each cell.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/big_array.h"
#include "grid/brick_set.h"
#include "solve/brick_view.h"

namespace tidelock {

/// The coefficients of one brick, as its author fills them in; all zero on entry.
template <int D>
struct PoissonBrick {
    double conductance[D][Brick<D>::cells];  ///< of each cell's lower faces; zero unless both cells are unknowns
    double excess[Brick<D>::cells];          ///< e_i; zero where there is no unknown
    std::uint8_t unknown[Brick<D>::cells];   ///< 1: the cell holds an unknown. Ones with an empty row are dropped.
};

/// Beside them: the cell holds an unknown.
inline constexpr int unknown_bit = 64;

/// Which cells of a brick hold an unknown: 1 or 0.
struct UnknownCells {
    const std::uint8_t* flags;
    [[nodiscard]] int operator[](int i) const { return (flags[i] & unknown_bit) != 0; }
};

/// Conductances of a brick's lower faces along one axis, from where they are stored or from which faces are open.
template <class T>
struct FaceLinks {
    const T* stored;  ///< null: faces are open or closed
    const std::uint8_t* open;
    int bit;
    T uniform;

    [[nodiscard]] T operator[](int i) const {
        return stored != nullptr ? stored[i] : (open[i] & bit) != 0 ? uniform : T{0};
    }
    /// All of them as an array of `cells`; `room` is written if they are not stored as one.
    [[nodiscard]] const T* values(T* room, int cells) const {
        if (stored != nullptr) return stored;
        for (int i = 0; i < cells; ++i) room[i] = (open[i] & bit) != 0 ? uniform : T{0};
        return room;
    }
};

/// A cell by its brick and its place in it.
struct CellPlace {
    std::int32_t slot, local;
    auto operator<=>(const CellPlace&) const = default;  // NOLINT(modernize-use-nullptr): the compiler's own zero
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
    [[nodiscard]] bool is_uniform(std::ptrdiff_t slot) const { return place(slot).row == uniform_place; }
    /// Faces of the brick, the upper ones included, are open or closed; uniform bricks are masked too.
    [[nodiscard]] bool is_masked(std::ptrdiff_t slot) const { return masked_[static_cast<std::size_t>(slot)] != 0; }
    /// Bricks that are not uniform.
    [[nodiscard]] std::ptrdiff_t stored_bricks() const { return stored_; }
    /// What apply() reads of the coefficients.
    [[nodiscard]] double coefficient_bytes() const;
    [[nodiscard]] std::size_t bytes() const;

    /// y = A x on all bricks. Values of x at cells that hold no unknown must be zero; y is zero there.
    void apply(const double* x, double* y) const;
    /// The same for one brick: x are all bricks, y is this one's.
    void apply_brick(std::ptrdiff_t slot, const double* x, double* y) const;
    /// What kernels read.
    [[nodiscard]] PoissonView<D> view() const;

    /// Coefficients of a brick for set-up code; those of uniform and void bricks are shared.
    [[nodiscard]] FaceLinks<double> conductance(int axis, std::ptrdiff_t slot) const {
        const auto link = place(slot).link;
        return {.stored = link != void_place ? conductance_[axis].data() + offset(link) : nullptr,
                .open = flags(slot),
                .bit = lower_open(axis),
                .uniform = uniform_};
    }
    [[nodiscard]] const double* excess(std::ptrdiff_t slot) const {
        return excess_.data() + offset(place(slot).excess);
    }
    /// Nothing of the brick is next to a known value: excess() is zero.
    [[nodiscard]] bool has_no_excess(std::ptrdiff_t slot) const { return place(slot).excess == void_place; }
    [[nodiscard]] UnknownCells unknown(std::ptrdiff_t slot) const { return {flags(slot)}; }
    /// Per cell which faces have a conductance, and whether there is an unknown: the bits above.
    [[nodiscard]] const std::uint8_t* flags(std::ptrdiff_t slot) const {
        return flags_.data() + offset(place(slot).row);
    }
    /// Conductance of the upper face of a cell, wherever it is stored.
    [[nodiscard]] double upper_conductance(int axis, std::ptrdiff_t slot, int local) const;

  private:
    using Place = typename PoissonView<D>::Place;
    static constexpr std::int32_t void_place = PoissonView<D>::void_place,
                                  uniform_place = PoissonView<D>::uniform_place,
                                  first_stored = PoissonView<D>::first_stored;
    [[nodiscard]] const Place& place(std::ptrdiff_t slot) const { return places_[static_cast<std::size_t>(slot)]; }
    [[nodiscard]] static std::ptrdiff_t offset(std::int32_t place) { return PoissonView<D>::offset(place); }
    void classify(const Author& author);
    void allocate();
    void store(const Author& author);
    void find_open_faces(const BigArray<std::uint8_t>& lower);
    void drop_empty_rows();

    BrickSetPtr<D> set_;
    double uniform_;
    std::ptrdiff_t stored_ = 0, linked_ = 0, exceeding_ = 0;  ///< bricks with rows, conductances, excess of their own
    std::ptrdiff_t unknowns_ = 0;
    std::vector<CellPlace> pockets_;
    std::vector<Place> places_;         ///< per brick; the void brick's is last
    std::vector<std::uint8_t> masked_;  ///< per brick
    BigArray<double> conductance_[D];
    BigArray<double> excess_;
    BigArray<std::uint8_t> flags_;
};

}  // namespace tidelock
