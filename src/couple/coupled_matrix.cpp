#include "couple/coupled_matrix.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/math.h"
#include "couple/cell_lookup.h"

namespace tidelock {

template <int D>
CoupledMatrix<D>::CoupledMatrix(const FlowFaces<D>& flow, const Interface<D>& interface,
                                const std::vector<RigidBody<D>>& bodies, const std::vector<JointRow<D>>& joints)
    : flow_(flow), interface_(interface) {
    for (const auto& body : bodies) {
        centres_.push_back(body.position);
        unknown_of_.push_back(body.dynamic() ? dynamic_++ : -1);
    }
    const auto unknown = [&](int body) { return body >= 0 ? unknown_of_[static_cast<std::size_t>(body)] : -1; };
    for (const auto& joint : joints)
        if (unknown(joint.a) >= 0 || unknown(joint.b) >= 0)
            joints_.push_back({{unknown(joint.a), unknown(joint.b)}, {joint.row.a, joint.row.b}});
}

template <int D>
double CoupledMatrix<D>::added_mass(std::size_t body, int axis) const {
    return 0.5 * flow_.medium.density * flow_.wet_share[body] *
           std::max(0.0, interface_.uncounted[body][static_cast<std::size_t>(axis)]);
}

template <int D>
PoissonOperator<D> CoupledMatrix<D>::make_operator() const {
    // L_N: G^T beta^-1 G of [A18] eq. (17) without closed faces. c = A^2 / beta of a free face (docs/conventions.md).
    const Grid<D>& grid = flow_.medium.grid;
    const double c = power(grid.dx, D - 2) / flow_.medium.density;
    const auto& set = interface_.solid.set_ptr();
    return PoissonOperator<D>(set, c, [&](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        const auto s = static_cast<std::size_t>(slot);
        const Coord<D> corner = first_cell<D>(set->brick(slot));
        const MaskValue* content = flow_.contents.mask.brick(slot);
        bool plain = interface_.first_face[s] == interface_.first_face[s + 1] &&
                     flow_.first_link[s] == flow_.first_link[s + 1] &&
                     std::all_of(content, content + Brick<D>::cells,
                                 [](MaskValue v) { return v == static_cast<MaskValue>(CellContent::liquid); });
        for (int a = 0; a < D; ++a) plain = plain && corner[a] > 0 && corner[a] + Brick<D>::size[a] < grid.cells[a];
        if (plain) {  // wholly inside, and no cell or face touched by a solid or by air
            for (int a = 0; a < D; ++a) std::fill_n(out.conductance[a], Brick<D>::cells, c);
            std::fill_n(out.unknown, Brick<D>::cells, std::uint8_t{1});
        } else {
            fill_brick(slot, c, out);
        }
    });
}

template <int D>
void CoupledMatrix<D>::fill_brick(std::ptrdiff_t slot, double c, PoissonBrick<D>& out) const {
    const Coord<D> corner = first_cell<D>(interface_.solid.set().brick(slot));
    bool air = false;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const CellContent content = flow_.contents.at(slot, i);
        air = air || content == CellContent::air || content == CellContent::trapped;
        if (!flow_.contents.has_pressure(slot, i)) continue;
        const Coord<D> cell = corner + local_coord<D>(i);
        out.unknown[i] = 1;
        for (int a = 0; a < D; ++a)
            if (cell[a] > 0 && interface_.kind[a].brick(slot)[i] == 0) out.conductance[a][i] = c;
    }
    const auto s = static_cast<std::size_t>(slot);
    for (std::int32_t n = interface_.first_face[s]; n < interface_.first_face[s + 1]; ++n) {
        const BodyFace& face = interface_.faces[static_cast<std::size_t>(n)];
        if (face.kind == FaceKind::cut)
            out.conductance[face.axis][face.local] = c * flow_.faces[static_cast<std::size_t>(n)].open;
    }
    if (air || flow_.first_link[s] != flow_.first_link[s + 1]) add_links(slot, c, out);
}

/// Faces to air and open sides. The operator wants conductances only between unknowns.
template <int D>
void CoupledMatrix<D>::add_links(std::ptrdiff_t slot, double c, PoissonBrick<D>& out) const {
    const auto& set = interface_.solid.set();
    const auto s = static_cast<std::size_t>(slot);
    for (std::int32_t n = flow_.first_link[s]; n < flow_.first_link[s + 1]; ++n) {
        const SurfaceLink& link = flow_.links[static_cast<std::size_t>(n)];
        if (link.end != LinkEnd::bubble)
            out.excess[link.local] += c * link.open / link.theta;
        else if (link.step < 0)
            out.conductance[link.axis][link.local] = c * link.open / link.theta;
    }
    for (int i = 0; i < Brick<D>::cells; ++i)
        for (int a = 0; a < D; ++a) {
            if (out.conductance[a][i] == 0) continue;
            const auto [below, local] = neighbour_cell<D>(set, slot, i, a, -1);
            if (!flow_.contents.has_pressure(below, local) || !flow_.contents.has_pressure(slot, i))
                out.conductance[a][i] = 0;
            else if (flow_.contents.at(below, local) == CellContent::liquid &&
                     flow_.contents.at(slot, i) == CellContent::trapped)
                out.conductance[a][i] /= flow_.theta_above(below, local, a);
        }
}

template <int D>
Vec<D> CoupledMatrix<D>::arm(const BodyFace& face, int body) const {
    const auto i = static_cast<std::size_t>(body);
    const auto& set = interface_.solid.set();
    const Vec<D> position = flow_.medium.grid.position(
        Coord<D>(first_cell<D>(set.brick(face.slot)) + local_coord<D>(face.local)), Centring<D>::face(face.axis));
    return position - centres_[i] + interface_.arm_shift[i][static_cast<std::size_t>(face.axis)];
}

template <int D>
typename CoupledMatrix<D>::Mass CoupledMatrix<D>::mass(const std::vector<RigidBody<D>>& bodies, bool bound) const {
    // Mbar = M + J^T beta_c J: [RMSG08] eq. (13), about the body's own centre of mass in place of eq. (22) to (24).
    Mass out;
    out.blocks.resize(static_cast<std::size_t>(dynamic_));
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (unknown_of_[i] >= 0) {
            Block& block = out.blocks[static_cast<std::size_t>(unknown_of_[i])];
            block = bodies[i].mass_matrix();
            for (int a = 0; a < D; ++a) block(a, a) += added_mass(i, a);
        }
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const double beta = flow_.faces[n].mass;
        if (beta <= 0 || (!bound && face.kind != FaceKind::buried)) continue;
        for_each_row(face, [&](int i, const Twist<D>& row) {
            for_each_row(face, [&](int j, const Twist<D>& other) {
                if (i == j)
                    out.blocks[static_cast<std::size_t>(i)] += beta * row * row.transpose();
                else
                    out.pairs.push_back({i, j, beta * row * other.transpose()});
            });
        });
    }
    return out;
}

template <int D>
RigidTerms<D> CoupledMatrix<D>::terms(std::vector<RigidEntry<D>> entries, const Mass& mass) const {
    constexpr int dof = rigid_dof<D>;
    if (mass.pairs.empty()) return RigidTerms<D>(std::move(entries), mass.blocks, joints_);
    const auto bodies = static_cast<Eigen::Index>(mass.blocks.size());
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(dof * bodies, dof * bodies);
    for (Eigen::Index i = 0; i < bodies; ++i)
        dense.block<dof, dof>(dof * i, dof * i) = mass.blocks[static_cast<std::size_t>(i)];
    for (const auto& p : mass.pairs) dense.block<dof, dof>(dof * p.i, dof * p.j) += p.block;
    return RigidTerms<D>(std::move(entries), dense, joints_);
}

template <int D>
RigidTerms<D> CoupledMatrix<D>::make_terms(const std::vector<RigidBody<D>>& bodies) const {
    constexpr int dof = rigid_dof<D>;
    if (dynamic_ == 0) return {};
    const auto& set = interface_.solid.set();
    // K = J^T G_c, W^T V G of [RMSG08] eq. (16): rows of J at the faces, times plus or minus the area.
    const double area = power(flow_.medium.grid.dx, D - 1);
    std::vector<RigidEntry<D>> entries;
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const FlowFace& flow = flow_.faces[n];
        if (face.kind == FaceKind::buried || flow.pressures() == 0) continue;
        // The share of fluid that bounds a face's part of K^T Mbar^-1 K (numerics/coupling 4). Without lumped fluid
        // there is none, and what matters is that the caps of all faces are alike.
        const double fluid = interface_.scheme == InterfaceScheme::constraint ? face.fluid : 0.5;
        const double closed = 1 - flow.open;
        const double cap = closed * area * area * flow.pressures() / (flow_.medium.dual_mass() * fluid);
        for_each_row(face, [&](int unknown, const Twist<D>& row) {
            RigidEntry<D> entry;
            entry.body = unknown;
            entry.cap = cap * row[face.axis];  // the share of this body
            const auto add = [&](std::int32_t slot, int local, double sign) {
                entry.slot = slot;
                entry.local = local;
                for (int d = 0; d < dof; ++d) entry.k[static_cast<std::size_t>(d)] = sign * closed * area * row[d];
                entries.push_back(entry);
            };
            if (flow.high_pressure) add(face.slot, face.local, 1);
            if (flow.low_pressure) {
                const auto [slot, local] = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
                add(slot, local, -1);
            }
        });
    }
    return terms(std::move(entries), mass(bodies, true));
}

template <int D>
Constraints<D> CoupledMatrix<D>::make_constraints(const std::vector<RigidBody<D>>& bodies) const {
    const auto& set = interface_.solid.set();
    const double area = power(flow_.medium.grid.dx, D - 1);
    TIDELOCK_ASSERT(interface_.scheme == InterfaceScheme::constraint, "faces that are cut are no constraints");
    Constraints<D> out;
    if (dynamic_ > 0) out.bodies = terms({}, mass(bodies, false));
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const FlowFace& flow = flow_.faces[n];
        if (face.kind != FaceKind::bound || flow.pressures() == 0) continue;
        const auto first = static_cast<std::int32_t>(out.parts.size());
        for_each_row(face, [&](int unknown, const Twist<D>& row) {
            ConstraintPart<D> part;
            part.body = unknown;
            for (int d = 0; d < rigid_dof<D>; ++d) part.row[static_cast<std::size_t>(d)] = area * row[d];
            out.parts.push_back(part);
        });
        const auto count = static_cast<std::int32_t>(out.parts.size()) - first;
        if (count == 0) continue;
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
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!flow_.medium.sides.is_open(a, side)) continue;
            for (std::ptrdiff_t b = 0; b < set.count(); ++b)
                for_each_side_cell_in_brick<D>(flow_.medium.grid, set, a, side, b,
                                               [&](auto, int, const Coord<D>& cell) {
                                                   out.held.push_back(cell + (side == 0 ? -1 : 1) * Coord<D>::Unit(a));
                                               });
        }
    return out;
}

template class CoupledMatrix<2>;
template class CoupledMatrix<3>;

}  // namespace tidelock
