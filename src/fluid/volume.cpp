#include "fluid/volume.h"

#include "base/math.h"
#include "geometry/fractions.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

/// Whether phi can have its surface in the cell.
template <int D>
bool cut(const Grid<D>& grid, double phi) {
    return std::abs(phi) < std::sqrt(double{D}) * grid.dx;
}

}  // namespace

template <int D>
double liquid_share(const Grid<D>& grid, Sampler<D, double>& phi, const Coord<D>& cell, double value) {
    if (!cut(grid, value)) return value < 0 ? 1 : 0;
    return cell_fraction<D>([&](const Vec<D>& x) { return phi.linear(x); }, Vec<D>(cell.template cast<double>()), 1.0);
}

template <int D>
double liquid_volume(const Grid<D>& grid, const Field<D, double>& phi) {
    const auto cells = ordered_sum<double>("liquid volume", phi.set().count(), 0.0, [&](std::ptrdiff_t b) {
        Sampler<D, double> sampler(phi, Centring<D>::cell(), grid);
        double sum = 0;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
            if (!grid.contains(cell)) continue;
            sum += liquid_share<D>(grid, sampler, cell, phi.brick(b)[i]);
        }
        return sum;
    });
    return cells * power(grid.dx, D);
}

#define TIDELOCK_INSTANTIATE(D)                                                \
    template double liquid_volume<D>(const Grid<D>&, const Field<D, double>&); \
    template double liquid_share<D>(const Grid<D>&, Sampler<D, double>&, const Coord<D>&, double)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
