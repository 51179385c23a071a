/// Distance fields: a level set made a signed distance again, and the distance to marked cells.
///
/// Source   numerics/surface 3. Interface cells (a neighbour along an axis has the other sign) are fixed first, the
///          rest follows from the eikonal equation |grad d| = 1 by its first-order upwind form,
///          sum_a max(d - d_a, 0)^2 = dx^2.
/// Deviates The crossing at theta_a along an axis gives the slope |phi| / (theta_a dx) there; an axis without a
///          crossing adds its smaller one-sided slope instead of nothing, so that the fixed distance |phi| / |slopes|
///          is exact for planes in any direction. (With crossings alone it is up to sqrt(D) too large.) Interface cells
///          whose slope lies inside [least_slope, greatest_slope] keep their value to the bit: repeated use does not
///          move the interface.
/// Order    Each brick lowers its cells in its halo buffer with a queue of those that may fall ([JW08],
///          the fast iterative method) until it rests, from its neighbours' values of the round before; bricks beside a
///          change go again. Rounds are whole and the queue is in a fixed order, so threads do not matter.
/// Ways     Where cells beside each other are not of one space (a wall stands between them), neither is a change of
///          sign an interface nor does a distance go on from one to the other.
/// Limits   The sign of a cell never changes; 0 counts as positive. Inactive bricks and cells outside the domain are
///          not across an interface from anything: their sign is unknown.
#pragma once

#include "grid/domain.h"
#include "grid/extrapolate.h"

namespace tidelock {

struct DistanceOptions {
    double band = 5;            ///< [cells] distances are found up to here; beyond, +-band * dx
    double least_slope = 0.5;   ///< [-] |grad phi| of an interface cell below which it is fitted again
    double greatest_slope = 2;  ///< [-] and above which
};

/// Counts; it has no way to fail.
struct DistanceReport {
    int rounds = 0;                      ///< passes over bricks until nothing changed
    std::ptrdiff_t interface_cells = 0;  ///< cells beside a change of sign
    std::ptrdiff_t refitted = 0;         ///< of those, how many had a slope out of range
};

/// Makes `phi` a signed distance [m] near its zero set. T is float or double. `ways`, on the same bricks: bit 2 axis +
/// side of a cell is set where its neighbour there is of the same space; null: all are.
template <int D, class T>
DistanceReport redistance(Field<D, T>& phi, const Grid<D>& grid, const DistanceOptions& options = {},
                          const Mask<D>* ways = nullptr);

/// Distance [m] from each cell centre to the nearest centre of a marked cell (a value other than 0), through active
/// cells; at most band * dx.
template <int D, class T>
Field<D, T> distance_to_marked(const Mask<D>& marked, double dx, double band);

/// The smallest d >= min(a) with sum_a max(d - a_a, 0)^2 = h^2.
template <int D>
TIDELOCK_HD double eikonal_update(std::array<double, D> a, double h) {
    for (std::size_t i = 1; i < D; ++i)
        for (std::size_t j = i; j > 0 && a[j] < a[j - 1]; --j) std::swap(a[j], a[j - 1]);
    double d = a[0] + h, sum = a[0], squares = a[0] * a[0];
    for (std::size_t n = 1; n < D && d > a[n]; ++n) {
        sum += a[n];
        squares += a[n] * a[n];
        const auto count = static_cast<double>(n + 1);
        d = (sum + std::sqrt(std::max(0.0, sum * sum - count * (squares - h * h)))) / count;
    }
    return d;
}

}  // namespace tidelock
