#include "fluid/liquid_potential.h"

#include "base/error.h"
#include "grid/halo.h"
#include "solve/pressure_solver.h"

namespace tidelock {
namespace {

/// The cells of a brick and those across its faces.
template <int D>
class Surroundings {
  public:
    Surroundings(const LiquidRegion<D>& region, std::ptrdiff_t slot)
        : grid_(region.grid), sides_(region.sides), corner_(first_cell<D>(region.phi.set().brick(slot))) {
        const auto* neighbours = region.phi.set().neighbours(slot).data();
        phi_.load_diamond(region.phi.data(), neighbours);
        with_solids_ = region.open != nullptr;
        for (int a = 0; with_solids_ && a < D; ++a) open_[a].load_diamond((*region.open)[a].data(), neighbours);
    }

    [[nodiscard]] Coord<D> cell(int i) const { return corner_ + local_coord<D>(i); }
    [[nodiscard]] bool is_liquid(const Coord<D>& cell) const { return grid_.contains(cell) && phi(cell) < 0; }
    /// Of the lower face of a cell [-].
    [[nodiscard]] double open(int axis, const Coord<D>& cell) const {
        return with_solids_ ? open_[axis].v[place(cell)] : 1.0;
    }
    /// The way from a liquid cell to where q is 0 on the way to its neighbour, which is no liquid [cells]; 0 if there
    /// is a wall.
    [[nodiscard]] double way_out(int axis, const Coord<D>& liquid, const Coord<D>& other) const {
        if (grid_.contains(other)) return surface_theta(phi(liquid), phi(other));
        return sides_.is_open(axis, other[axis] < 0 ? 0 : 1) ? 1 : 0;
    }

  private:
    using Buffer = HaloBuffer<D, 1, double>;
    [[nodiscard]] int place(const Coord<D>& cell) const {
        const Coord<D> c = cell - corner_;
        return Buffer::at(c[0], c[1], D == 3 ? c[D - 1] : 0);
    }
    [[nodiscard]] double phi(const Coord<D>& cell) const { return phi_.v[place(cell)]; }

    const Grid<D>& grid_;
    const Sides<D>& sides_;
    Coord<D> corner_;
    Buffer phi_, open_[D];
    bool with_solids_;
};

template <int D>
Coord<D> beside(Coord<D> cell, int axis, int step) {
    cell[axis] += step;
    return cell;
}

/// -div grad, in units of 1 / dx^2.
template <int D>
PoissonOperator<D> make_operator(const LiquidRegion<D>& region) {
    return PoissonOperator<D>(region.phi.set_ptr(), 1.0, [&](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        const Surroundings<D> around(region, slot);
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = around.cell(i);
            if (!around.is_liquid(cell)) continue;
            out.unknown[i] = 1;
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    const Coord<D> other = beside<D>(cell, a, step);
                    const double open = around.open(a, step < 0 ? cell : other);
                    if (around.is_liquid(other)) {
                        if (step < 0) out.conductance[a][i] = open;
                    } else if (const double way = around.way_out(a, cell, other); way > 0) {
                        out.excess[i] += open / way;
                    }
                }
        }
    });
}

/// u = -grad q on the lower faces of one brick's cells, and which of them bound liquid.
template <int D>
void set_faces(const LiquidRegion<D>& region, const double* q, std::ptrdiff_t slot, PotentialFlow<D>& flow) {
    using Buffer = HaloBuffer<D, 1, double>;
    const Surroundings<D> around(region, slot);
    Buffer potential;
    potential.load_diamond(q, region.phi.set().neighbours(slot).data());
    const double per_cell = 1 / region.grid.dx;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const Coord<D> cell = around.cell(i), c = local_coord<D>(i);
        const double* here = potential.v + Buffer::at(c[0], c[1], D == 3 ? c[D - 1] : 0);
        const bool liquid = around.is_liquid(cell);
        for (int a = 0; a < D; ++a) {
            const Coord<D> low = beside<D>(cell, a, -1);
            const bool low_liquid = around.is_liquid(low);
            if (!liquid && !low_liquid) continue;
            flow.known[a].brick(slot)[i] = 1;
            if (!(around.open(a, cell) > 0)) continue;
            const double q_low = here[-Buffer::stride(a)];
            double& u = flow.velocity[a].brick(slot)[i];
            if (liquid && low_liquid) {
                u = per_cell * (q_low - *here);
            } else {
                const double way = liquid ? around.way_out(a, cell, low) : around.way_out(a, low, cell);
                if (way > 0) u = per_cell / way * (liquid ? -*here : q_low);
            }
        }
    }
}

}  // namespace

template <int D>
PotentialFlow<D> flow_with_divergence(const LiquidRegion<D>& region, const Field<D, double>& divergence,
                                      const SolveOptions& options) {
    const auto& set = region.phi.set();
    TIDELOCK_ASSERT(divergence.set() == set, "{} bricks, phi has {}", divergence.set().count(), set.count());
    PressureSolver<D> solver(make_operator<D>(region));
    const auto& op = solver.op();
    const auto size = static_cast<std::size_t>(op.size());
    BigArray<double> b(size), q(size);
    std::fill(b.begin(), b.end(), 0.0);
    std::fill(q.begin(), q.end(), 0.0);
    const double scale = region.grid.dx * region.grid.dx;
    parallel_for("potential: divergence", set.count(), [&](std::ptrdiff_t slot) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (op.unknown(slot)[i] != 0) b.data()[slot * Brick<D>::cells + i] = scale * divergence.brick(slot)[i];
    });
    PotentialFlow<D> flow{FaceField<D, double>(region.phi.set_ptr(), 0.0), FaceMask<D>(region.phi.set_ptr()), {}};
    flow.report = solver.solve(b.data(), q.data(), options);
    parallel_for("potential: gradient", set.count(),
                 [&](std::ptrdiff_t slot) { set_faces<D>(region, q.data(), slot, flow); });
    return flow;
}

#define TIDELOCK_INSTANTIATE(D)                                                                        \
    template PotentialFlow<D> flow_with_divergence<D>(const LiquidRegion<D>&, const Field<D, double>&, \
                                                      const SolveOptions&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
