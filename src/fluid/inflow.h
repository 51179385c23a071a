/// Gas that a source brings along: as much as comes through its shape at its velocity, speed times the area that is seen
/// along it.
///
/// A shape in which gas only moves takes it in at its back and gives it away in front. One that blows has its gas from
/// nowhere: it wells up at its back, in the cells where the motion begins, and what flows in front is then the motion itself.
#pragma once

#include <array>
#include <vector>

#include "fluid/smoke.h"
#include "grid/extrapolate.h"

namespace tidelock {

/// Of the shape's shadow in a direction [m^(D-1)], within a thousandth. The shape is bounded, the direction any length.
template <int D>
[[nodiscard]] double seen_area(const Shape<D>& shape, const Pose<D>& pose, const Vec<D>& direction);

/// Gas that wells up in a cell.
struct InflowCell {
    std::int32_t slot = 0;  ///< of its brick
    int local = 0;
    double flux = 0;  ///< [m^D/s]
};

/// A source that blows, on a grid.
template <int D>
class Inflow {
  public:
    /// The source has a velocity and a bounded shape.
    Inflow(const Grid<D>& grid, const SmokeSource<D>& source);

    /// Where its gas wells up as solids stand now. What lies beyond the domain or in a solid blows nothing; of a shape
    /// that stands free the sum is `rate`.
    [[nodiscard]] std::vector<InflowCell> cells(const Mask<D>& solid) const;
    [[nodiscard]] double rate() const { return rate_; }  ///< speed times seen area [m^D/s]

  private:
    /// A cell that the shape touches, with the shares of its faces, lower and upper ones in turn.
    struct Cell {
        Coord<D> place;
        std::array<float, 2 * D> covered;
    };
    [[nodiscard]] double begins_in(const Cell& cell, const Mask<D>* solid) const;

    Grid<D> grid_;
    Vec<D> velocity_;
    std::vector<Cell> cells_;
    double rate_ = 0, gain_ = 0;
};

}  // namespace tidelock
