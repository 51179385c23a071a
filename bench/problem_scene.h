/// The geometry behind a benchmark problem (private to bench/): what each cell is.
#pragma once

#include <cstdint>
#include <vector>

#include "grid/field.h"
#include "poisson_problems.h"

namespace tidelock::bench {

/// What a cell is: wall, air, liquid, or first_body + b.
using Kind = std::int8_t;
inline constexpr Kind wall = -2, air = -1, liquid = 0, first_body = 1;

/// A tilted box; sizes in cells.
template <int D>
struct Box {
    Vec<D> centre, half;
    Mat<D> turn;  ///< columns are its axes
    double density = 1;
};

template <int D>
class Scene {
  public:
    Scene(const ProblemSpec& spec, const Coord<D>& cells);

    [[nodiscard]] const Coord<D>& cells() const { return cells_; }
    [[nodiscard]] const BrickSetPtr<D>& set() const { return kinds_.set_ptr(); }
    [[nodiscard]] const std::vector<Box<D>>& boxes() const { return boxes_; }

    /// Any cell, also outside the domain or the active bricks.
    [[nodiscard]] Kind kind(const Coord<D>& cell) const {
        const auto slot = set()->find(brick_of<D>(cell));
        return slot == set()->void_slot() ? decide(cell) : kinds_.brick(slot)[local_index<D>(cell)];
    }
    [[nodiscard]] bool is_fluid(Kind k) const { return k == liquid || (jump_ && k >= first_body); }
    [[nodiscard]] double density(Kind k) const { return k >= first_body ? 1000.0 : 1.0; }
    /// Conductance from a liquid cell to an air cell beside it.
    [[nodiscard]] double to_air(const Coord<D>& liquid_cell, const Coord<D>& air_cell) const;

  private:
    [[nodiscard]] Kind decide(const Coord<D>& cell) const;
    [[nodiscard]] double level(const Coord<D>& cell) const;
    void place_block();
    void place_eight();
    void float_as_raft(Box<D>& box, int i) const;

    ProblemSpec spec_;
    Coord<D> cells_;
    bool open_top_, surface_, jump_;
    double depth_, wave_;  ///< mean height of the liquid and its largest deviation
    std::vector<Box<D>> boxes_;
    Field<D, Kind> kinds_;
};

}  // namespace tidelock::bench
