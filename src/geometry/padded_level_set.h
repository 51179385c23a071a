/// A level set read beyond the sides of its domain, so that what encloses the liquid there is closed as well.
///
/// In cells: the outermost samples are repeated once, one sample beyond the walls; farther out all is outside. The
/// surface then runs straight through the walls and is closed half a cell to one and a half behind them. Moving what
/// lies beyond back onto the walls gives a flat cap whose rim is where the surface meets the wall.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "grid/domain.h"

namespace tidelock {

template <int D>
class PaddedLevelSet {
  public:
    static constexpr int first = -2;      ///< first sample that is looked at, along each axis; the last is cells + 1
    static constexpr double far = 3;      ///< [cells] distances beyond are not told apart
    static constexpr double near = 1e-3;  ///< [cells] the surface keeps this far from samples: no slivers

    PaddedLevelSet(const Grid<D>& grid, const Field<D, double>& phi) : grid_(grid), phi_(phi) {}

    /// Distance in cells at any sample; < 0 inside. NaN stays NaN.
    [[nodiscard]] double operator()(const Coord<D>& i) const {
        Coord<D> inner;
        for (int a = 0; a < D; ++a) {
            if (i[a] < -1 || i[a] > grid_.cells[a]) return far;
            inner[a] = std::clamp(i[a], 0, grid_.cells[a] - 1);
        }
        return phi_.active(inner) ? in_cells(phi_.at(inner)) : far;
    }
    [[nodiscard]] double in_cells(double metres) const {
        const double d = std::clamp(metres / grid_.dx, -far, far);
        return std::abs(d) < near ? (d < 0 ? -near : near) : d;
    }
    /// Throws InputError for a distance that is not a number.
    void check() const {
        for (std::ptrdiff_t slot = 0; slot < phi_.set().count(); ++slot) {
            for (int k = 0; k < Brick<D>::cells; ++k) {
                if (!std::isnan(phi_.brick(slot)[k])) continue;
                const Coord<D> cell = first_cell<D>(phi_.set().brick(slot)) + local_coord<D>(k);
                if (!grid_.contains(cell)) continue;
                throw InputError("level set", "is not a number in cell ({}, {}{})", cell[0], cell[1],
                                 D == 3 ? fmt::format(", {}", cell[D - 1]) : "");
            }
        }
    }
    [[nodiscard]] const Grid<D>& grid() const { return grid_; }
    [[nodiscard]] const Field<D, double>& field() const { return phi_; }
    /// From sample coordinates to metres, what lies beyond the walls moved onto them.
    [[nodiscard]] Vec<D> place(const Vec<D>& sample) const {
        Vec<D> x;
        for (int a = 0; a < D; ++a) x[a] = std::clamp(sample[a] + 0.5, 0.0, static_cast<double>(grid_.cells[a]));
        return grid_.to_world(x);
    }

  private:
    const Grid<D>& grid_;
    const Field<D, double>& phi_;
};

}  // namespace tidelock
