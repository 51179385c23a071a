#include "couple/coupled_matrix.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/math.h"
#include "couple/cell_lookup.h"

namespace tidelock {

template <int D>
CoupledMatrix<D>::CoupledMatrix(const Grid<D>& grid, const Sides<D>& sides, const Interface<D>& interface,
                                const std::vector<RigidBody<D>>& bodies, double fluid_density,
                                const std::vector<JointRow<D>>& joints, const FreeSurface<D>* surface)
    : grid_(grid), sides_(sides), interface_(interface), surface_(surface), density_(fluid_density) {
    for (const auto& body : bodies) {
        centres_.push_back(body.position);
        unknown_of_.push_back(body.dynamic() ? dynamic_++ : -1);
    }
    const auto unknown = [&](int body) { return body >= 0 ? unknown_of_[static_cast<std::size_t>(body)] : -1; };
    for (const auto& joint : joints)
        if (unknown(joint.a) >= 0 || unknown(joint.b) >= 0)
            joints_.push_back({{unknown(joint.a), unknown(joint.b)}, {joint.row.a, joint.row.b}});
    find_wet_shares(bodies);
}

template <int D>
typename CoupledMatrix<D>::FaceSides CoupledMatrix<D>::pressures_at(const BodyFace& face) const {
    if (surface_ == nullptr) return {face.low_fluid, face.high_fluid};
    const auto [slot, local] = neighbour_cell<D>(interface_.solid.set(), face.slot, face.local, face.axis, -1);
    return {surface_->has_pressure(slot, local), surface_->has_pressure(face.slot, face.local)};
}

template <int D>
typename CoupledMatrix<D>::FaceSides CoupledMatrix<D>::fluid_at(const BodyFace& face) const {
    if (surface_ == nullptr) return {face.low_fluid, face.high_fluid};
    const auto [slot, local] = neighbour_cell<D>(interface_.solid.set(), face.slot, face.local, face.axis, -1);
    return {surface_->at(slot, local) == CellContent::liquid,
            surface_->at(face.slot, face.local) == CellContent::liquid};
}

template <int D>
double CoupledMatrix<D>::carried_mass(const BodyFace& face) const {
    const double full = dual_mass() * face.fluid;
    // What is wet of the dual cell is known there (couple/surface_shares.h).
    if (surface_ == nullptr || interface_.scheme == InterfaceScheme::fractional) return full;
    const int sides = (face.low_fluid ? 1 : 0) + (face.high_fluid ? 1 : 0);
    if (sides > 0) return full * fluid_at(face).count() / sides;
    return full * wet_share_[static_cast<std::size_t>(interface_.shares[static_cast<std::size_t>(face.first)].body)];
}

template <int D>
void CoupledMatrix<D>::find_wet_shares(const std::vector<RigidBody<D>>& bodies) {
    wet_share_.assign(bodies.size(), 1);
    if (surface_ == nullptr) return;
    std::vector<double> wet(bodies.size(), 0), all(bodies.size(), 0);
    for (const BodyFace& face : interface_.faces) {
        const int sides = (face.low_fluid ? 1 : 0) + (face.high_fluid ? 1 : 0), liquid = fluid_at(face).count();
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const FaceShare& share = interface_.shares[static_cast<std::size_t>(s)];
            wet[static_cast<std::size_t>(share.body)] += share.weight * liquid;
            all[static_cast<std::size_t>(share.body)] += share.weight * sides;
        }
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) wet_share_[i] = all[i] > 0 ? wet[i] / all[i] : 0;
}

template <int D>
double CoupledMatrix<D>::dual_mass() const {
    return density_ * power(grid_.dx, D);
}

template <int D>
double CoupledMatrix<D>::added_mass(std::size_t body, int axis) const {
    return 0.5 * density_ * wet_share_[body] *
           std::max(0.0, interface_.uncounted[body][static_cast<std::size_t>(axis)]);
}

template <int D>
PoissonOperator<D> CoupledMatrix<D>::make_operator() const {
    // L_N: G^T beta^-1 G of [A18] eq. (17) without closed faces. c = A^2 / beta of a free face (docs/conventions.md).
    const double c = power(grid_.dx, D - 2) / density_;
    const auto& set = interface_.solid.set_ptr();
    return PoissonOperator<D>(set, c, [&](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        const auto s = static_cast<std::size_t>(slot);
        const Coord<D> corner = first_cell<D>(set->brick(slot));
        bool plain = interface_.first_face[s] == interface_.first_face[s + 1];
        for (int a = 0; a < D; ++a) plain = plain && corner[a] > 0 && corner[a] + Brick<D>::size[a] < grid_.cells[a];
        if (surface_ == nullptr) {
            const MaskValue* dry = interface_.dry.brick(slot);
            plain = plain && std::all_of(dry, dry + Brick<D>::cells, [](MaskValue d) { return d == 0; });
        } else {
            const MaskValue* content = surface_->content.brick(slot);
            plain = plain && surface_->first_link[s] == surface_->first_link[s + 1] &&
                    std::all_of(content, content + Brick<D>::cells,
                                [](MaskValue v) { return v == static_cast<MaskValue>(CellContent::liquid); });
        }
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
    const auto has_pressure = [&](int i) {
        if (surface_ == nullptr)
            return interface_.dry.brick(slot)[i] == 0 && grid_.contains(corner + local_coord<D>(i));
        const CellContent content = surface_->at(slot, i);
        return content == CellContent::liquid || content == CellContent::trapped;
    };
    for (int i = 0; i < Brick<D>::cells; ++i) {
        if (!has_pressure(i)) continue;
        const Coord<D> cell = corner + local_coord<D>(i);
        out.unknown[i] = 1;
        for (int a = 0; a < D; ++a) {
            if (cell[a] > 0 && interface_.kind[a].brick(slot)[i] == 0) out.conductance[a][i] = c;
            if (surface_ != nullptr) continue;
            if (cell[a] == 0 && sides_.is_open(a, 0)) out.excess[i] += c;
            if (cell[a] == grid_.cells[a] - 1 && sides_.is_open(a, 1)) out.excess[i] += c;
        }
    }
    const auto s = static_cast<std::size_t>(slot);
    for (std::int32_t n = interface_.first_face[s]; n < interface_.first_face[s + 1]; ++n) {
        const BodyFace& face = interface_.faces[static_cast<std::size_t>(n)];
        if (face.kind == FaceKind::cut) out.conductance[face.axis][face.local] = c * face.open;
    }
    if (surface_ != nullptr) add_surface(slot, c, out);
}

/// Faces to air. The operator wants conductances only between unknowns.
template <int D>
void CoupledMatrix<D>::add_surface(std::ptrdiff_t slot, double c, PoissonBrick<D>& out) const {
    const auto& set = interface_.solid.set();
    const auto s = static_cast<std::size_t>(slot);
    for (std::int32_t n = surface_->first_link[s]; n < surface_->first_link[s + 1]; ++n) {
        const SurfaceLink& link = surface_->links[static_cast<std::size_t>(n)];
        if (link.trapped && link.step < 0)
            out.conductance[link.axis][link.local] = c * link.open / link.theta;
        else if (!link.trapped)
            out.excess[link.local] += c * link.open / link.theta;
    }
    for (int i = 0; i < Brick<D>::cells; ++i)
        for (int a = 0; a < D; ++a) {
            if (out.conductance[a][i] == 0) continue;
            const auto [below, local] = neighbour_cell<D>(set, slot, i, a, -1);
            const CellContent low = surface_->at(below, local), high = surface_->at(slot, i);
            if (!surface_->has_pressure(below, local) || !surface_->has_pressure(slot, i))
                out.conductance[a][i] = 0;
            else if (low == CellContent::liquid && high == CellContent::trapped)
                out.conductance[a][i] /= surface_->theta_above(below, local, a);
        }
}

template <int D>
Vec<D> CoupledMatrix<D>::arm(const BodyFace& face, int body) const {
    const auto i = static_cast<std::size_t>(body);
    const auto& set = interface_.solid.set();
    const Vec<D> position = grid_.position(Coord<D>(first_cell<D>(set.brick(face.slot)) + local_coord<D>(face.local)),
                                           Centring<D>::face(face.axis));
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
    for (const BodyFace& face : interface_.faces) {
        if (face.fluid <= 0 || (!bound && face.kind != FaceKind::buried)) continue;
        const double beta = carried_mass(face);
        if (beta <= 0) continue;
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
    const double area = power(grid_.dx, D - 1);
    // K = J^T G_c, W^T V G of [RMSG08] eq. (16): rows of J at the faces, times plus or minus the area.
    std::vector<RigidEntry<D>> entries;
    for (const BodyFace& face : interface_.faces) {
        if (face.kind == FaceKind::buried) continue;
        // The share of fluid that bounds a face's part of K^T Mbar^-1 K (numerics/coupling 4). Without lumped fluid
        // there is none, and what matters is that the caps of all faces are alike.
        const double fluid = interface_.scheme == InterfaceScheme::constraint ? face.fluid : 0.5;
        const FaceSides pressed = pressures_at(face);
        if (pressed.count() == 0) continue;
        const double closed = 1 - face.open;
        const double cap = closed * area * area * pressed.count() / (dual_mass() * fluid);
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
            if (pressed.high) add(face.slot, face.local, 1);
            if (pressed.low) {
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
    const double area = power(grid_.dx, D - 1);
    TIDELOCK_ASSERT(interface_.scheme == InterfaceScheme::constraint, "faces that are cut are no constraints");
    Constraints<D> out;
    if (dynamic_ > 0) out.bodies = terms({}, mass(bodies, false));
    for (const BodyFace& face : interface_.faces) {
        const FaceSides pressed = pressures_at(face);
        if (face.kind != FaceKind::bound || pressed.count() == 0) continue;
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
        const double stiffness = pressed.count() * area * area / carried_mass(face);
        const auto below = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
        const Coord<D> cell = first_cell<D>(set.brick(face.slot)) + local_coord<D>(face.local);
        if (pressed.high) {
            out.list.push_back({face.slot, face.local, 1, stiffness, first, count});
            out.held.push_back(cell - Coord<D>::Unit(face.axis));
        }
        if (pressed.low) {
            out.list.push_back({below.first, below.second, -1, stiffness, first, count});
            out.held.push_back(cell);
        }
    }
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!sides_.is_open(a, side)) continue;
            for (std::ptrdiff_t b = 0; b < set.count(); ++b)
                for_each_side_cell_in_brick<D>(grid_, set, a, side, b, [&](auto, int, const Coord<D>& cell) {
                    out.held.push_back(cell + (side == 0 ? -1 : 1) * Coord<D>::Unit(a));
                });
        }
    return out;
}

template class CoupledMatrix<2>;
template class CoupledMatrix<3>;

}  // namespace tidelock
