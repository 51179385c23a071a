/// Signed distances of one solid on the half-spaced lattice of a brick.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "couple/solid_surfaces.h"
#include "grid/domain.h"

namespace tidelock {

/// Index 2 i + 1 is the centre of cell i, even indices are faces and corners; from the centre of cell -1 to the upper
/// corner. Those of the brick's cells are measured at once, the others when they are asked for.
template <int D>
class HalfLattice {
  public:
    HalfLattice(const Grid<D>& grid, const Coord<D>& first, const SolidSurfaces<D>& surfaces, std::size_t part)
        : grid_(grid), first_(first), surfaces_(surfaces), part_(part) {
        values_.assign(static_cast<std::size_t>(total), std::numeric_limits<double>::quiet_NaN());
        std::vector<Vec<D>> centres;
        std::array<double, Brick<D>::cells> distances;
        for (int i = 0; i < Brick<D>::cells; ++i) centres.push_back(position(centre_of(local_coord<D>(i))));
        surfaces.distances(part, centres, distances);
        for (int i = 0; i < Brick<D>::cells; ++i)
            values_[place_of(centre_of(local_coord<D>(i)))] = distances[static_cast<std::size_t>(i)];
    }

    [[nodiscard]] int part() const { return static_cast<int>(part_); }
    static Coord<D> centre_of(const Coord<D>& cell) { return 2 * cell + Coord<D>::Ones(); }

    /// Indices count from -1.
    double operator()(const Coord<D>& half) {
        double& v = values_[place_of(half)];
        if (std::isnan(v)) v = surfaces_.distance(part_, Moment::end, position(half));
        return v;
    }
    [[nodiscard]] Vec<D> position(const Coord<D>& half) const {
        return grid_.to_world(first_.template cast<double>() + 0.5 * half.template cast<double>());
    }
    /// At the centre of any cell, stored or not.
    [[nodiscard]] double at_centre(const Coord<D>& cell) const {
        return surfaces_.distance(part_, Moment::end, position(centre_of(cell)));
    }
    /// Whether the solid lies between two points.
    [[nodiscard]] bool blocks(const Coord<D>& from, const Coord<D>& to, double touch) const {
        return surfaces_.hit(part_, Moment::end, position(from), position(to), touch).has_value();
    }

  private:
    static constexpr int total_of() {
        int n = 1;
        for (int a = 0; a < D; ++a) n *= 2 * Brick<D>::size[a] + 2;
        return n;
    }
    static constexpr int total = total_of();
    static std::size_t place_of(const Coord<D>& half) {
        std::size_t place = 0;
        for (int a = D - 1; a >= 0; --a)
            place = place * static_cast<std::size_t>(2 * Brick<D>::size[a] + 2) + static_cast<std::size_t>(half[a] + 1);
        return place;
    }

    const Grid<D>& grid_;
    Coord<D> first_;
    const SolidSurfaces<D>& surfaces_;
    std::size_t part_;
    std::vector<double> values_;
};

}  // namespace tidelock
