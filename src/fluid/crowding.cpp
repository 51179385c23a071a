#include "fluid/crowding.h"

#include <cmath>

#include "base/error.h"
#include "fluid/volume.h"
#include "grid/uniform.h"

namespace tidelock {
namespace {

/// Adds a particle at x [cells of the brick's frame] to the centres of the brick's own cells.
template <int D>
void count_particle(const Vec<D>& x, double worth, double* density) {
    Coord<D> low;
    Vec<D> f;
    for (int a = 0; a < D; ++a) {
        const double s = x[a] - 0.5, whole = std::floor(s);
        low[a] = static_cast<int>(whole);
        f[a] = s - whole;
    }
    for (int n = 0; n < (1 << D); ++n) {
        double w = worth;
        Coord<D> cell = low;
        bool inside = true;
        for (int a = 0; a < D; ++a) {
            const bool up = (n >> a & 1) != 0;
            cell[a] += up ? 1 : 0;
            w *= up ? f[a] : 1 - f[a];
            inside = inside && cell[a] >= 0 && cell[a] < Brick<D>::size[a];
        }
        if (inside) density[local_index<D>(cell)] += w;
    }
}

/// Takes off what a cell would get if all that is wet around it were full. The linear weight of a cell's own length is
/// 3/4, of the nearer half of the next one 1/8.
template <int D>
void take_full(const Grid<D>& grid, const Field<D, double>& wet, std::ptrdiff_t b, double* density) {
    constexpr double beside = 0.125, here = 0.75;
    HaloBuffer<D, 1, double> share;
    share.load(wet.data(), wet.set().neighbours(b).data());
    if (holds_only(share, 0.0)) return;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const Coord<D> local = local_coord<D>(i), cell = first_cell<D>(wet.set().brick(b)) + local;
        const int place = HaloBuffer<D, 1, double>::at(local[0], local[1], D == 3 ? local[D - 1] : 0);
        for (int n = 0; n < power(3, D); ++n) {
            double w = 1;
            int at = place;
            for (int a = 0, rest = n; a < D; ++a, rest /= 3) {
                const int step = rest % 3 - 1, there = cell[a] + step;
                at += step * HaloBuffer<D, 1, double>::stride(a);
                w *= there < 0 || there >= grid.cells[a] ? 0 : step == 0 ? here : beside;
            }
            density[i] -= w * share.v[at];
        }
    }
}

}  // namespace

template <int D>
Field<D, double> wet_share(const Grid<D>& grid, const Field<D, double>& phi) {
    Field<D, double> wet(phi.set_ptr(), 0.0);
    parallel_for("wet share of cells", phi.set().count(), [&](std::ptrdiff_t b) {
        Sampler<D, double> sampler(phi, Centring<D>::cell(), grid);
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
            if (grid.contains(cell)) wet.brick(b)[i] = liquid_share<D>(grid, sampler, cell, phi.brick(b)[i]);
        }
    });
    return wet;
}

template <int D>
Field<D, double> crowding(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                          double weight, const Field<D, double>& wet) {
    const auto& set = cells.set();
    TIDELOCK_ASSERT(wet.set() == set, "{} bricks, particles have {}", wet.set().count(), set.count());
    const double worth = weight / particles_per_cell<D>;
    Field<D, double> density(cells.set_ptr(), 0.0);
    parallel_for("crowding of particles", set.count(), [&](std::ptrdiff_t b) {
        Coord<D> high;
        for (int a = 0; a < D; ++a) high[a] = Brick<D>::size[a];
        const Vec<D> first = first_cell<D>(set.brick(b)).template cast<double>();
        double* out = density.brick(b);
        cells.for_each_run(b, Coord<D>::Constant(-1), high, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (auto p = begin; p < end; ++p)
                count_particle<D>(grid.to_cells(particles.position[static_cast<std::size_t>(p)]) - first, worth, out);
        });
        take_full<D>(grid, wet, b, out);
    });
    return density;
}

#define TIDELOCK_INSTANTIATE(D)                                                                              \
    template Field<D, double> wet_share(const Grid<D>&, const Field<D, double>&);                            \
    template Field<D, double> crowding(const Grid<D>&, const Particles<D>&, const ParticleCells<D>&, double, \
                                       const Field<D, double>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
