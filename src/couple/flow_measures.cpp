#include "couple/flow_measures.h"

#include <cmath>

#include "base/math.h"
#include "couple/cell_lookup.h"
#include "couple/flow_system.h"
#include "grid/divergence.h"

namespace tidelock {

namespace {

/// A brick's part in FlowMeasures, in units of dual cells.
template <int D>
struct FlowSums {
    std::ptrdiff_t cells = 0;
    Vec<D> velocity = Vec<D>::Zero();
    double squares = 0, max_speed = 0, max_divergence = 0;

    FlowSums& operator+=(const FlowSums& other) {
        cells += other.cells;
        velocity += other.velocity;
        squares += other.squares;
        max_speed = greatest(max_speed, other.max_speed);
        max_divergence = greatest(max_divergence, other.max_divergence);
        return *this;
    }
    void add(int axis, double mass, double u) {
        velocity[axis] += mass * u;
        squares += mass * u * u;
    }
    /// A NaN must not get lost in a maximum.
    static double greatest(double most, double value) { return value <= most ? most : value; }
};

constexpr auto fluid = static_cast<MaskValue>(CellContent::liquid);

template <int D>
void sum_cells(const MaskValue* content, const UnknownCells& unknown, const double* outflow, double asked,
               FlowSums<D>& sums) {
    for (int i = 0; i < Brick<D>::cells; ++i)
        if (unknown[i] != 0 && content[i] == fluid) {
            ++sums.cells;
            sums.max_divergence = FlowSums<D>::greatest(sums.max_divergence, std::abs(outflow[i] - asked));
        }
}

/// An axis of a brick: from a cell to the next one, and the number of the last one.
struct BrickAxis {
    int axis, stride, last;
};

/// The free faces of a brick along an axis; `before`: what the brick below it holds.
template <int D>
void sum_faces(const BrickAxis& along, const MaskValue* kind, const MaskValue* content, const MaskValue* before,
               const double* u, FlowSums<D>& sums) {
    const auto [axis, stride, last] = along;
    const int wrap = stride * last;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        if (kind[i] != 0) continue;
        const bool edge = (i / stride & last) == 0;
        const MaskValue below = edge ? before[i + wrap] : content[i - stride];
        // The half of a dual cell on a side with fluid.
        const double mass = (content[i] == fluid ? 0.5 : 0.0) + (below == fluid ? 0.5 : 0.0);
        if (mass == 0) continue;
        sums.add(axis, mass, u[i]);
        sums.max_speed = FlowSums<D>::greatest(sums.max_speed, std::abs(u[i]));
    }
}

}  // namespace

template <int D>
FlowMeasures<D> FlowSystem<D>::measure(const FaceField<D, double>& velocity, const Eigen::VectorXd& v) const {
    const double dx = flow_.medium.grid.dx;
    Field<D, double> outflow(velocity.set_ptr(), 0.0);
    divergence<D, double, float>(velocity, nullptr, dx, outflow);
    for_each_excess_flux(
        velocity, v, [&](std::int32_t slot, int local, double excess) { outflow.brick(slot)[local] -= excess / dx; });
    const double volume = power(dx, D);
    for (const FlowSource& source : flow_.sources)  // what is wanted is no error
        for (std::size_t i = 0; i < source.cells.size(); ++i)
            outflow.brick(source.cells[i].slot)[source.cells[i].local] -= source.flux_of(i) / volume;
    const Mask<D>& contents = flow_.contents.mask;
    FlowSums<D> sums = ordered_sum("measure flow", set_.count(), FlowSums<D>{}, [&](std::ptrdiff_t b) {
        FlowSums<D> part;
        sum_cells<D>(contents.brick(b), op_.unknown(b), outflow.brick(b), flow_.divergence, part);
        for (int a = 0; a < D; ++a) {
            const BrickAxis along{a, local_stride<D>(a), Brick<D>::size[a] - 1};
            sum_faces<D>(along, interface_.kind[a].brick(b), contents.brick(b),
                         contents.brick(lower_neighbour<D>(set_, b, a)), velocity[a].brick(b), part);
        }
        return part;
    });
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const FlowFace& flow = flow_.faces[n];
        const double u = velocity[face.axis].brick(face.slot)[face.local];
        sums.add(face.axis, 0.5 * flow.fluids() * flow.open + flow.mass / flow_.medium.dual_mass(), u);
        // What passes less than half of a face is not the velocity at its centre (stage/liquid_extent.cpp).
        if (face.kind == FaceKind::cut && face.open >= 0.5 && flow.fluids() > 0)
            sums.max_speed = FlowSums<D>::greatest(sums.max_speed, std::abs(u));
    }
    const double dual_mass = flow_.medium.dual_mass();
    FlowMeasures<D> out;
    out.cells = sums.cells;
    out.volume = volume * static_cast<double>(sums.cells);
    out.momentum = dual_mass * sums.velocity;
    out.kinetic_energy = 0.5 * dual_mass * sums.squares;
    out.max_speed = sums.max_speed;
    out.max_divergence = sums.max_divergence;
    return out;
}

template <int D>
Vec<D> FlowSystem<D>::pushed_momentum(const FaceField<D, double>& velocity, const Eigen::VectorXd& v) const {
    Vec<D> sum = measure(velocity, v).momentum;
    for (const SurfaceLink& link : flow_.links) {
        if (link.end == LinkEnd::side) continue;
        const auto [slot, local] = link.step < 0 ? std::pair<std::int32_t, int>(link.slot, link.local)
                                                 : neighbour_cell<D>(set_, link.slot, link.local, link.axis, 1);
        if (slot == set_.void_slot()) continue;
        const double share = link.open * (link.theta - 0.5);  // beyond the half that measure() counts
        sum[link.axis] += flow_.medium.dual_mass() * share * velocity[link.axis].brick(slot)[local];
    }
    return sum;
}

template <int D>
Vec<D> FlowSystem<D>::side_impulse(double dt, const Field<D, double>& pressure) const {
    const Medium<D>& medium = flow_.medium;
    const double area = power(medium.grid.dx, D - 1);
    Vec<D> sum = Vec<D>::Zero();
    for (int a = 0; a < D; ++a)
        sum[a] = ordered_sum("side impulse", set_.count(), 0.0, [&](std::ptrdiff_t b) {
            const Coord<D> corner = first_cell<D>(set_.brick(b));
            double part = 0;
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = corner + local_coord<D>(i);
                if (!medium.grid.contains(cell) || op_.unknown(b)[i] == 0) continue;
                const double p = pressure.brick(b)[i];
                for (int side = 0; side < 2; ++side)
                    if (cell[a] == (side == 0 ? 0 : medium.grid.cells[a] - 1))
                        part += (side == 0 ? 1 : -1) *
                                (medium.sides.is_open(a, side) ? 0.5 * (p + flow_.pressure_beyond(a, side, cell)) : p);
            }
            return part;
        });
    return dt * area * sum;
}

#define TIDELOCK_INSTANTIATE(D)                                                                                 \
    template FlowMeasures<D> FlowSystem<D>::measure(const FaceField<D, double>&, const Eigen::VectorXd&) const; \
    template Vec<D> FlowSystem<D>::pushed_momentum(const FaceField<D, double>&, const Eigen::VectorXd&) const;  \
    template Vec<D> FlowSystem<D>::side_impulse(double, const Field<D, double>&) const;
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
