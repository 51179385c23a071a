#include "fluid/forces.h"

#include <Eigen/Geometry>

#include <cmath>

#include "base/math.h"

namespace tidelock {

namespace {

/// Calls f(cell, place) for each sample of a brick whose index is at most `last`.
template <int D, class F>
void for_each_inside(const BrickSet<D>& set, std::ptrdiff_t slot, const Coord<D>& last, F&& f) {
    const Coord<D> corner = first_cell<D>(set.brick(slot));
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const Coord<D> cell = corner + local_coord<D>(i);
        if ((cell.array() <= last.array()).all()) f(cell, i);
    }
}

template <int D>
using CellVector = std::conditional_t<D == 2, Eigen::Matrix<double, 1, 1>, Vec3>;

/// Curl at a cell centre from velocities averaged to the centres of its neighbours, zero beside the domain's sides.
template <int D>
CellVector<D> curl(const Grid<D>& grid, const FaceField<D, double>& u, const Coord<D>& cell) {
    for (int a = 0; a < D; ++a)
        if (cell[a] == 0 || cell[a] == grid.cells[a] - 1) return CellVector<D>::Zero();
    const auto centred = [&](int component, int along, int step) {
        Coord<D> c = cell;
        c[along] += step;
        Coord<D> upper = c;
        upper[component] += 1;
        return 0.5 * (u[component].at(c) + u[component].at(upper));
    };
    const auto slope = [&](int component, int along) {
        return (centred(component, along, 1) - centred(component, along, -1)) / (2 * grid.dx);
    };
    if constexpr (D == 2)
        return CellVector<2>(slope(1, 0) - slope(0, 1));
    else
        return {slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)};
}

}  // namespace

template <int D>
void add_weight(const GasForces<D>& forces, const Smoke<D>& smoke, FaceField<D, double>& velocity) {
    const Grid<D>& grid = forces.grid;
    const Vec<D>& gravity = forces.gravity;
    const SmokeParameters<D>& p = forces.gas;
    const Mask<D>& solid = forces.solid;
    const double dt = forces.dt;
    const auto& set = *smoke.set();
    const double ambient = p.ambient_temperature;
    for (int a = 0; a < D; ++a) {
        if (gravity[a] == 0) continue;
        const Coord<D> last = grid.last_index(Centring<D>::face(a));
        parallel_for("weight", set.count(), [&](std::ptrdiff_t b) {
            const auto& row = set.neighbours(b);
            const std::int32_t before = row[static_cast<std::size_t>(neighbour_slot<D>(Coord<D>(-Coord<D>::Unit(a))))];
            double* u = velocity[a].brick(b);
            for_each_inside<D>(set, b, last, [&](const Coord<D>& cell, int i) {
                Coord<D> low = cell;
                low[a] -= 1;
                // The cell below the face: in this brick, or in the one before it.
                const std::int32_t low_slot = brick_of<D>(low) == set.brick(b) ? static_cast<std::int32_t>(b) : before;
                const int j = local_index<D>(low);
                double smoke_here = 0, heat = 0;
                int cells = 0;
                if (cell[a] < grid.cells[a] && solid.brick(b)[i] == 0) {
                    smoke_here += smoke.density.brick(b)[i];
                    heat += smoke.temperature.brick(b)[i] - ambient;
                    ++cells;
                }
                if (cell[a] > 0 && solid.brick(low_slot)[j] == 0) {
                    smoke_here += smoke.density.brick(low_slot)[j];
                    heat += smoke.temperature.brick(low_slot)[j] - ambient;
                    ++cells;
                }
                const double mean = cells == 2 ? 0.5 : 1.0;
                u[i] += dt * gravity[a] * (1 + mean * (p.weight_of_smoke * smoke_here - p.lift_per_kelvin * heat));
            });
        });
    }
}

template <int D>
Field<D, double> vorticity_magnitude(const Grid<D>& grid, const FaceField<D, double>& velocity) {
    Field<D, double> out(velocity.set_ptr(), 0.0);
    const Coord<D> last = grid.last_index(Centring<D>::cell());
    parallel_for("vorticity", out.set().count(), [&](std::ptrdiff_t b) {
        for_each_inside<D>(out.set(), b, last, [&](const Coord<D>& cell, int i) {
            const auto w = curl<D>(grid, velocity, cell);
            out.brick(b)[i] = D == 2 ? w[0] : w.norm();
        });
    });
    return out;
}

template <int D>
void confine_vorticity(const GasForces<D>& forces, const FaceField<D, double>& from, FaceField<D, double>& velocity) {
    const Grid<D>& grid = forces.grid;
    const Mask<D>& solid = forces.solid;
    const double epsilon = forces.gas.vorticity_confinement;
    if (epsilon == 0) return;
    const auto& set = from.set();
    const Coord<D> last = grid.last_index(Centring<D>::cell());
    Field<D, double> strength = vorticity_magnitude<D>(grid, from);
    FaceField<D, double> push(from.set_ptr(), 0.0);  // at cell centres, one component each
    parallel_for("confinement", set.count(), [&](std::ptrdiff_t b) {
        for_each_inside<D>(set, b, last, [&](const Coord<D>& cell, int i) {
            Vec<D> towards;
            for (int a = 0; a < D; ++a) {
                if (cell[a] < 2 || cell[a] > grid.cells[a] - 3) return;
                Coord<D> low = cell, high = cell;
                low[a] -= 1;
                high[a] += 1;
                if (solid.at(low) != 0 || solid.at(high) != 0) return;
                towards[a] = std::abs(strength.at(high)) - std::abs(strength.at(low));
            }
            const double length = towards.norm();
            if (solid.brick(b)[i] != 0 || !(length > 0)) return;
            const Vec<D> n = towards / length;
            const auto w = curl<D>(grid, from, cell);
            Vec<D> f;
            if constexpr (D == 2)
                f = {n[1] * w[0], -n[0] * w[0]};
            else
                f = n.cross(w);
            for (int a = 0; a < D; ++a) push[a].brick(b)[i] = epsilon * grid.dx * f[a];
        });
    });
    for (int a = 0; a < D; ++a)
        parallel_for("confinement", set.count(), [&](std::ptrdiff_t b) {
            for_each_inside<D>(set, b, last, [&](const Coord<D>& cell, int i) {
                Coord<D> low = cell;
                low[a] -= 1;
                velocity[a].brick(b)[i] += 0.5 * forces.dt * (push[a].brick(b)[i] + push[a].at(low));
            });
        });
}

template <int D>
void fade(const SmokeParameters<D>& gas, double dt, Smoke<D>& smoke) {
    const double keep_smoke = exponential(-gas.dissipation * dt), keep_heat = exponential(-gas.cooling * dt);
    if (keep_smoke != 1)
        parallel_for("fade", smoke.set()->count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i) smoke.density.brick(b)[i] *= keep_smoke;
        });
    if (keep_heat != 1)
        parallel_for("fade", smoke.set()->count(), [&](std::ptrdiff_t b) {
            double* t = smoke.temperature.brick(b);
            for (int i = 0; i < Brick<D>::cells; ++i)
                t[i] = gas.ambient_temperature + keep_heat * (t[i] - gas.ambient_temperature);
        });
}

#define TIDELOCK_INSTANTIATE(D)                                                                               \
    template void add_weight(const GasForces<D>&, const Smoke<D>&, FaceField<D, double>&);                    \
    template void confine_vorticity(const GasForces<D>&, const FaceField<D, double>&, FaceField<D, double>&); \
    template void fade(const SmokeParameters<D>&, double, Smoke<D>&);                                         \
    template Field<D, double> vorticity_magnitude(const Grid<D>&, const FaceField<D, double>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
