/// RigidCoupling's constraints, for reference solvers.
#include <cmath>

#include "base/error.h"
#include "base/math.h"
#include "couple/cell_lookup.h"
#include "couple/rigid_coupling.h"

namespace tidelock {

namespace {

/// The layer of cells beyond open sides.
template <int D>
void hold_open_sides(const Medium<D>& medium, const BrickSet<D>& set, std::vector<Coord<D>>& held) {
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!medium.sides.is_open(a, side)) continue;
            for (std::ptrdiff_t b = 0; b < set.count(); ++b)
                for_each_side_cell_in_brick<D>(medium.grid, set, a, side, b, [&](auto, int, const Coord<D>& cell) {
                    held.push_back(cell + (side == 0 ? -1 : 1) * Coord<D>::Unit(a));
                });
        }
}

}  // namespace

template <int D>
Constraints<D> RigidCoupling<D>::constraints() const {
    TIDELOCK_ASSERT(interface_.scheme == InterfaceScheme::constraint, "faces that are cut are no constraints");
    Constraints<D> out;
    if (rows_.layout().count() > 0) out.bodies = terms_of({}, mass(false));
    for (std::size_t n = 0; n < interface_.faces.size(); ++n)
        if (interface_.faces[n].kind == FaceKind::bound && flow_.faces[n].pressures() > 0) add_constraints(n, out);
    hold_open_sides<D>(flow_.medium, interface_.solid.set(), out.held);
    return out;
}

template <int D>
void RigidCoupling<D>::add_constraints(std::size_t n, Constraints<D>& out) const {
    const BodyFace& face = interface_.faces[n];
    const FlowFace& flow = flow_.faces[n];
    const auto& set = interface_.solid.set();
    const double area = power(flow_.medium.grid.dx, D - 1);
    const auto first = static_cast<std::int32_t>(out.parts.size());
    for (const auto& [place, row] : rows_.row(n)) {
        ConstraintPart<D> part;
        part.body = place;
        for (int d = 0; d < dof; ++d) part.row[static_cast<std::size_t>(d)] = area * row[d];
        out.parts.push_back(part);
    }
    const auto count = static_cast<std::int32_t>(out.parts.size()) - first;
    if (count == 0) return;
    // W beta^-1 W^T of [A18] eq. (17), times the area twice: each side has its own share of the fluid.
    const double stiffness = flow.pressures() * area * area / flow.mass;
    const auto below = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
    const Coord<D> cell = first_cell<D>(set.brick(face.slot)) + local_coord<D>(face.local);
    if (flow.high_pressure) {
        out.list.push_back({face.slot, face.local, 1, stiffness, first, count});
        out.held.push_back(cell - Coord<D>::Unit(face.axis));
    }
    if (flow.low_pressure) {
        out.list.push_back({below.first, below.second, -1, stiffness, first, count});
        out.held.push_back(cell);
    }
}

template Constraints<2> RigidCoupling<2>::constraints() const;
template Constraints<3> RigidCoupling<3>::constraints() const;

}  // namespace tidelock
