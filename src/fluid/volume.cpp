#include "fluid/volume.h"

#include "base/error.h"
#include "base/math.h"
#include "base/scratch.h"
#include "geometry/fractions.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

constexpr double least_open = 0.1;  ///< share of a cell below which missing particles say nothing

/// Whether phi can have its surface in the cell.
template <int D>
bool cut(const Grid<D>& grid, double phi) {
    return std::abs(phi) < std::sqrt(double{D}) * grid.dx;
}

/// Linear weights of the cell centres around a particle, summed over the cells of one brick.
template <int D>
struct BrickWeights {
    double v[Brick<D>::cells];
};
template <int D>
void spread(const Grid<D>& grid, const Vec<D>& world, const Coord<D>& first, BrickWeights<D>& out) {
    Coord<D> low;
    Vec<D> fraction;
    for (int a = 0; a < D; ++a) {
        const double s = std::clamp(grid.to_cells(world)[a] - 0.5, 0.0, grid.cells[a] - 1.0);
        low[a] = std::min(static_cast<int>(s), std::max(grid.cells[a] - 2, 0));
        fraction[a] = s - low[a];
    }
    for (int n = 0; n < (1 << D); ++n) {
        Coord<D> local = low - first;
        double w = 1;
        bool own = true;
        for (int a = 0; a < D; ++a) {
            local[a] += n >> a & 1;
            own = own && local[a] >= 0 && local[a] < Brick<D>::size[a];
            w *= (n >> a & 1) != 0 ? fraction[a] : 1 - fraction[a];
        }
        if (own) out.v[local_index<D>(local)] += w;
    }
}

/// Whether a neighbour across a face holds air.
template <int D>
bool beside_air(const Grid<D>& grid, const Field<D, double>& phi, const Coord<D>& cell) {
    for (int a = 0; a < D; ++a)
        for (const int side : {-1, 1}) {
            Coord<D> next = cell;
            next[a] += side;
            if (grid.contains(next) && phi.at(next) >= 0) return true;
        }
    return false;
}

}  // namespace

template <int D>
double liquid_share(const Grid<D>& grid, Sampler<D, double>& phi, const Coord<D>& cell, double value) {
    if (!cut(grid, value)) return value < 0 ? 1 : 0;
    return cell_fraction<D>([&](const Vec<D>& x) { return phi.linear(x); }, Vec<D>(cell.template cast<double>()), 1.0);
}

template <int D>
double liquid_volume(const Grid<D>& grid, const Field<D, double>& phi, const Field<D, double>* open) {
    TIDELOCK_ASSERT(open == nullptr || open->set() == phi.set(), "{} cells", phi.set().cells());
    const auto cells = ordered_sum<double>("liquid volume", phi.set().count(), 0.0, [&](std::ptrdiff_t b) {
        Sampler<D, double> sampler(phi, Centring<D>::cell(), grid);
        double sum = 0;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
            if (!grid.contains(cell)) continue;
            sum += liquid_share<D>(grid, sampler, cell, phi.brick(b)[i]) * (open != nullptr ? open->brick(b)[i] : 1.0);
        }
        return sum;
    });
    return cells * power(grid.dx, D);
}

template <int D>
Field<D, double> crowding(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                          const Field<D, double>& phi, const Field<D, double>* open) {
    const auto& set = cells.set();
    TIDELOCK_ASSERT(phi.set() == set, "{} bricks, particles on {}", phi.set().count(), set.count());
    Field<D, double> out(cells.set_ptr(), 0.0);
    parallel_for("crowding", set.count(), [&](std::ptrdiff_t b) {
        auto& weights = thread_scratch<BrickWeights<D>>();
        std::fill_n(weights.v, Brick<D>::cells, 0.0);
        const Coord<D> first = first_cell<D>(set.brick(b));
        Coord<D> beyond;
        for (int a = 0; a < D; ++a) beyond[a] = Brick<D>::size[a];
        cells.for_each_run(b, Coord<D>::Constant(-1), beyond, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (auto p = begin; p < end; ++p)
                spread<D>(grid, particles.position[static_cast<std::size_t>(p)], first, weights);
        });
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first + local_coord<D>(i);
            if (!grid.contains(cell) || !(phi.brick(b)[i] < 0)) continue;
            const double room = open != nullptr ? open->brick(b)[i] : 1.0;
            const double excess = weights.v[i] / (particles_per_cell<D> * std::max(room, least_open)) - 1;
            const bool one_sided = room < least_open || beside_air<D>(grid, phi, cell);
            out.brick(b)[i] = one_sided ? std::max(excess, 0.0) : excess;
        }
    });
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                                                         \
    template double liquid_volume<D>(const Grid<D>&, const Field<D, double>&, const Field<D, double>*); \
    template double liquid_share<D>(const Grid<D>&, Sampler<D, double>&, const Coord<D>&, double);      \
    template Field<D, double> crowding<D>(const Grid<D>&, const Particles<D>&, const ParticleCells<D>&, \
                                          const Field<D, double>&, const Field<D, double>*)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
