#include "couple/flow_system.h"

#include <cmath>

#include "base/math.h"
#include "couple/cell_lookup.h"
#include "grid/divergence.h"

namespace tidelock {

namespace {

/// Place of a cell in a vector of bricks.
template <int D>
std::ptrdiff_t index_of(std::ptrdiff_t slot, int local) {
    return slot * Brick<D>::cells + local;
}
template <int D>
std::ptrdiff_t index_of(const CellPlace& at) {
    return index_of<D>(at.slot, at.local);
}

constexpr int uncovered_layers = 8;  ///< that a solid leaves behind in a step, at most

}  // namespace

template <int D>
void close_sides(const Grid<D>& grid, const Sides<D>& sides, FaceField<D, double>& velocity) {
    const auto& set = velocity.set();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (sides.is_open(a, side)) continue;
            for_each_side_cell<D>(grid, set, a, side, [&](std::ptrdiff_t b, int i, const Coord<D>&) {
                if (side == 0) {
                    velocity[a].brick(b)[i] = 0;
                    return;
                }
                const auto [slot, j] = neighbour_cell<D>(set, b, i, a, 1);
                if (slot != set.void_slot()) velocity[a].brick(slot)[j] = 0;
            });
        }
}

template <int D>
void FlowSystem<D>::set_solid_faces(const Eigen::VectorXd& v, FaceField<D, double>& velocity) const {
    parallel_for("velocity of solids", static_cast<std::ptrdiff_t>(interface_.faces.size()), [&](std::ptrdiff_t n) {
        const BodyFace& face = interface_.faces[static_cast<std::size_t>(n)];
        if (face.kind == FaceKind::cut) return;
        // u_c = J v + k, the closure W (u - J v) = 0 of [A18] section 4.3; [RMSG08] eq. (15), lower case.
        velocity[face.axis].brick(face.slot)[face.local] = rows_.velocity(static_cast<std::size_t>(n), v);
    });
    for (const SideFace<D>& face : rows_.side_faces())
        velocity[face.axis].brick(face.slot)[face.local] = rows_.velocity(face, v);
}

template <int D>
void FlowSystem<D>::right_hand_side(double dt, const FaceField<D, double>& velocity, const Eigen::VectorXd& v,
                                    BigArray<double>& b) const {
    const Grid<D>& grid = flow_.medium.grid;
    const double volume = power(grid.dx, D), c = power(grid.dx, D - 2) / flow_.medium.density;
    Field<D, double> outflow(velocity.set_ptr(), 0.0);
    divergence<D, double, float>(velocity, nullptr, grid.dx, outflow);
    parallel_for("right-hand side", set_.count() + 1, [&](std::ptrdiff_t s) {
        double* out = b.data() + s * Brick<D>::cells;
        if (s == set_.count()) {
            std::fill_n(out, Brick<D>::cells, 0.0);
            return;
        }
        const auto unknown = op_.unknown(s);
        const double* d = outflow.brick(s);
        // G^T u*, the upper right-hand side of [A18] eq. (17); closed faces hold J v_bar + k.
        for (int i = 0; i < Brick<D>::cells; ++i) out[i] = unknown[i] != 0 ? -volume * d[i] : 0.0;
        if (flow_.divergence == 0) return;
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (flow_.contents.at(s, i) == CellContent::liquid && unknown[i] != 0) out[i] += volume * flow_.divergence;
    });
    add_sources(b);
    const double area = volume / grid.dx;
    for_each_excess_flux(velocity, v, [&](std::int32_t slot, int local, double excess) {
        if (op_.unknown(slot)[local] != 0) b.data()[index_of<D>(slot, local)] += area * excess;
    });
    for (const SurfaceLink& link : flow_.links)
        if (link.end == LinkEnd::side)
            b.data()[index_of<D>(link.slot, link.local)] += c / link.theta * dt * link.pressure;
}

/// The flux out of a source, where [A18] eq. (18) has 0. A bubble's cells share one unknown: there only the sum counts.
template <int D>
void FlowSystem<D>::add_sources(BigArray<double>& b) const {
    for (const FlowSource& source : flow_.sources)
        for (std::size_t i = 0; i < source.cells.size(); ++i) {
            const CellPlace& at = source.cells[i];
            if (op_.unknown(at.slot)[at.local] != 0) b.data()[index_of<D>(at)] += source.flux_of(i);
        }
}

template <int D>
void FlowSystem<D>::push(double dt, const double* p, FaceField<D, double>& velocity) const {
    push_between_cells(p, velocity);
    push_links(dt, p, velocity);
}

template <int D>
void FlowSystem<D>::push_between_cells(const double* p, FaceField<D, double>& velocity) const {
    // u_f = u*_f - beta_f^-1 G_f p: [A18] eq. (13), [RMSG08] eq. (9).
    const double scale = push_of_free_face();
    parallel_for("pressure gradient", set_.count(), [&](std::ptrdiff_t b) {
        const double* here = p + b * Brick<D>::cells;
        for (int a = 0; a < D; ++a) {
            const std::uint8_t* open = op_.flags(b);
            double* u = velocity[a].brick(b);
            const int stride = local_stride<D>(a), wrap = stride * (Brick<D>::size[a] - 1);
            const double* before = p + lower_neighbour<D>(set_, b, a) * Brick<D>::cells;
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const bool edge = (i / stride & (Brick<D>::size[a] - 1)) == 0;
                const double low = edge ? before[i + wrap] : here[i - stride];
                u[i] -= (open[i] & lower_open(a)) != 0 ? scale * (here[i] - low) : 0.0;
            }
        }
    });
}

template <int D>
void FlowSystem<D>::push_links(double dt, const double* p, FaceField<D, double>& velocity) const {
    const double scale = push_of_free_face();
    // A face has one side with fluid only, so that no two links write the same one.
    const auto push = [&](const SurfaceLink& link) {
        const bool bubble = link.end == LinkEnd::bubble;
        const auto [there, local] = neighbour_cell<D>(set_, link.slot, link.local, link.axis, link.step);
        if (link.step > 0 && there == set_.void_slot()) return;
        const double inside = p[index_of<D>(link.slot, link.local)];
        const double outside = bubble ? p[index_of<D>(there, local)] : dt * link.pressure;
        // Between two unknowns the plain difference has been taken already.
        const double factor = bubble ? 1 / link.theta - 1 : 1 / link.theta;
        double& u =
            link.step < 0 ? velocity[link.axis].brick(link.slot)[link.local] : velocity[link.axis].brick(there)[local];
        u -= scale * factor * link.step * (outside - inside);
    };
    parallel_for("pressure gradient at the surface", static_cast<std::ptrdiff_t>(flow_.links.size()),
                 [&](std::ptrdiff_t n) { push(flow_.links[static_cast<std::size_t>(n)]); });
}

template <int D>
void FlowSystem<D>::first_guess(double dt, const Field<D, double>& pressure, double* p) const {
    std::vector<std::vector<int>> bare(static_cast<std::size_t>(set_.count()));
    parallel_for("first guess", set_.count() + 1, [&](std::ptrdiff_t s) {
        double* x = p + s * Brick<D>::cells;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            x[i] = s < set_.count() && op_.unknown(s)[i] != 0 ? dt * pressure.brick(s)[i] : 0.0;
            if (x[i] == 0 && s < set_.count() && op_.unknown(s)[i] != 0) bare[static_cast<std::size_t>(s)].push_back(i);
        }
    });
    // Cells that a body has just left know no pressure, and next to that of a fluid at rest nothing is a bad guess.
    std::vector<CellPlace> uncovered;
    for (std::ptrdiff_t s = 0; s < set_.count(); ++s)
        for (const int i : bare[static_cast<std::size_t>(s)]) uncovered.push_back({static_cast<std::int32_t>(s), i});
    if (2 * static_cast<std::ptrdiff_t>(uncovered.size()) <= op_.unknowns()) fill_uncovered(std::move(uncovered), p);
}

template <int D>
void FlowSystem<D>::fill_uncovered(std::vector<CellPlace> uncovered, double* p) const {
    for (int layer = 0; layer < uncovered_layers && !uncovered.empty(); ++layer) {
        std::vector<std::pair<CellPlace, double>> filled;
        for (const CellPlace& cell : uncovered) {
            double sum = 0;
            int count = 0;
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    const auto [slot, local] = neighbour_cell<D>(set_, cell.slot, cell.local, a, step);
                    const double there = p[index_of<D>(slot, local)];
                    if (there != 0) sum += there, ++count;
                }
            if (count > 0) filled.emplace_back(cell, sum / count);
        }
        if (filled.empty()) break;
        for (const auto& [cell, value] : filled) p[index_of<D>(cell)] = value;
        std::erase_if(uncovered, [&](const CellPlace& cell) { return p[index_of<D>(cell)] != 0; });
    }
}

template <int D>
void fill_solids(const Grid<D>& grid, const Interface<D>& interface, const std::vector<RigidBody<D>>& bodies,
                 FaceField<D, double>& velocity) {
    const auto& full = interface.full;
    parallel_for("velocity of solids", static_cast<std::ptrdiff_t>(full.size()), [&](std::ptrdiff_t n) {
        const auto& [slot, index] = full[static_cast<std::size_t>(n)];
        const auto& body = bodies[static_cast<std::size_t>(index)];
        const Twist<D> twist = body.twist();
        const Coord<D> corner = first_cell<D>(velocity.set().brick(slot));
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Vec<D> x = grid.position(Coord<D>(corner + local_coord<D>(i)), Centring<D>::face(a));
                velocity[a].brick(slot)[i] = velocity_at<D>(twist, x - body.position)[a];
            }
    });
}

template <int D>
void keep_pressure(double dt, const double* p, Field<D, double>& pressure) {
    parallel_for("pressure", pressure.set().count(), [&](std::ptrdiff_t s) {
        for (int i = 0; i < Brick<D>::cells; ++i) pressure.brick(s)[i] = p[s * Brick<D>::cells + i] / dt;
    });
}

template class FlowSystem<2>;
template class FlowSystem<3>;
template void close_sides(const Grid<2>&, const Sides<2>&, FaceField<2, double>&);
template void close_sides(const Grid<3>&, const Sides<3>&, FaceField<3, double>&);
template void fill_solids(const Grid<2>&, const Interface<2>&, const std::vector<RigidBody<2>>&, FaceField<2, double>&);
template void fill_solids(const Grid<3>&, const Interface<3>&, const std::vector<RigidBody<3>>&, FaceField<3, double>&);
template void keep_pressure(double, const double*, Field<2, double>&);
template void keep_pressure(double, const double*, Field<3, double>&);

}  // namespace tidelock
