#include "couple/rigid_coupling.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "grid/neighbour_cell.h"
#include "solid/revolution.h"

namespace tidelock {

template <int D>
RigidCoupling<D>::RigidCoupling(const FlowFaces<D>& flow, const Interface<D>& interface, const SolidRows<D>& rows,
                                const std::vector<RigidBody<D>>& bodies, const std::vector<JointRow<D>>& joints)
    : flow_(flow), interface_(interface), rows_(rows), bodies_(bodies) {
    const auto place = [&](int body) {
        return body >= 0 ? rows_.layout().place_of(static_cast<std::size_t>(body)) : -1;
    };
    for (const auto& joint : joints)
        if (place(joint.a) >= 0 || place(joint.b) >= 0)
            joints_.push_back({{place(joint.a), place(joint.b)}, {joint.row.a, joint.row.b}});
}

template <int D>
double RigidCoupling<D>::added_mass(std::size_t body, int axis) const {
    return 0.5 * flow_.medium.density * flow_.wet_share[body] *
           interface_.carrying[body][static_cast<std::size_t>(axis)];
}

template <int D>
double RigidCoupling<D>::added_inertia(std::size_t body) const {
    double sum = 0;
    for (int a = 0; a < D; ++a) sum += added_mass(body, a);
    return sum / (D * bodies_[body].mass);
}

template <int D>
typename RigidCoupling<D>::Mass RigidCoupling<D>::mass(bool bound) const {
    // Mbar = M + J^T beta_c J: [RMSG08] eq. (13), about the body's own centre of mass in place of eq. (22) to (24).
    Mass out;
    out.blocks.resize(static_cast<std::size_t>(rows_.layout().count()));
    for_each_dynamic([&](std::size_t i, int place) {
        Block& block = out.blocks[static_cast<std::size_t>(place)];
        block = bodies_[i].mass_matrix();
        block.template bottomRightCorner<rotation_dof<D>, rotation_dof<D>>() *= 1 + added_inertia(i);
        for (int a = 0; a < D; ++a) block(a, a) += added_mass(i, a);
    });
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const double beta = flow_.faces[n].mass;
        if (beta <= 0 || (!bound && interface_.faces[n].kind != FaceKind::buried)) continue;
        for (const auto& [i, row] : rows_.row(n))
            for (const auto& [j, other] : rows_.row(n)) {
                if (i == j)
                    out.blocks[static_cast<std::size_t>(i)] += beta * row * row.transpose();
                else
                    out.pairs.push_back({i, j, beta * row * other.transpose()});
            }
    }
    return out;
}

template <int D>
RigidTerms<D> RigidCoupling<D>::terms_of(std::vector<RigidEntry<D>> entries, const Mass& mass) const {
    if (mass.pairs.empty()) return RigidTerms<D>(std::move(entries), mass.blocks, joints_);
    const auto bodies = static_cast<Eigen::Index>(mass.blocks.size());
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(dof * bodies, dof * bodies);
    for (Eigen::Index i = 0; i < bodies; ++i)
        dense.block<dof, dof>(dof * i, dof * i) = mass.blocks[static_cast<std::size_t>(i)];
    for (const auto& p : mass.pairs) dense.block<dof, dof>(dof * p.i, dof * p.j) += p.block;
    return RigidTerms<D>(std::move(entries), dense, joints_);
}

template <int D>
RigidTerms<D> RigidCoupling<D>::terms() const {
    if (rows_.layout().count() == 0) return {};
    std::vector<RigidEntry<D>> entries;
    for (std::size_t n = 0; n < interface_.faces.size(); ++n)
        if (interface_.faces[n].kind != FaceKind::buried && flow_.faces[n].pressures() > 0) add_entries(n, entries);
    return terms_of(std::move(entries), mass(true));
}

template <int D>
RigidTerms<D> RigidCoupling<D>::bodies_alone() const {
    std::vector<Block> masses(static_cast<std::size_t>(rows_.layout().count()));
    for_each_dynamic(
        [&](std::size_t i, int place) { masses[static_cast<std::size_t>(place)] = bodies_[i].mass_matrix(); });
    return RigidTerms<D>({}, masses, joints_);
}

template <int D>
void RigidCoupling<D>::add_entries(std::size_t n, std::vector<RigidEntry<D>>& out) const {
    const BodyFace& face = interface_.faces[n];
    const FlowFace& flow = flow_.faces[n];
    // K = J^T G_c, W^T V G of [RMSG08] eq. (16): rows of J at the faces, times plus or minus the area.
    const double area = power(flow_.medium.grid.dx, D - 1);
    // The share of fluid that bounds a face's part of K^T Mbar^-1 K (numerics/coupling 4). Without lumped fluid
    // there is none, and what matters is that the caps of all faces are alike.
    const double fluid = interface_.scheme == InterfaceScheme::constraint ? face.fluid : 0.5;
    const double closed = 1 - flow.open;
    const double cap = closed * area * area * flow.pressures() / (flow_.medium.dual_mass() * fluid);
    for (const auto& part : rows_.row(n)) {
        const auto& row = part.row;  // captured below, as a structured binding could not be by clang 14
        RigidEntry<D> entry;
        entry.body = part.place;
        entry.cap = cap * row[face.axis];  // the share of this body
        const auto add = [&](std::int32_t slot, int local, double sign) {
            entry.slot = slot;
            entry.local = local;
            for (int d = 0; d < dof; ++d) entry.k[static_cast<std::size_t>(d)] = sign * closed * area * row[d];
            out.push_back(entry);
        };
        if (flow.high_pressure) add(face.slot, face.local, 1);
        if (flow.low_pressure) {
            const auto [slot, local] = neighbour_cell<D>(interface_.solid.set(), face.slot, face.local, face.axis, -1);
            add(slot, local, -1);
        }
    }
}

template <int D>
Eigen::VectorXd RigidCoupling<D>::momentum(double dt, const FaceField<D, double>& velocity) const {
    const Eigen::VectorXd before = velocities();
    Eigen::VectorXd out(rows_.layout().size());
    for_each_dynamic([&](std::size_t i, int place) {
        DofLayout<D>::part(out, place) = bodies_[i].mass_matrix() * bodies_[i].twist();
        // The fluid that the uncounted part carries along has no weight in the fluid around it.
        for (int a = 0; a < D; ++a)
            out[dof * place + a] += added_mass(i, a) * (bodies_[i].velocity[a] - dt * flow_.medium.gravity[a]);
        out.segment<rotation_dof<D>>(dof * place + D) += added_inertia(i) * bodies_[i].angular_momentum;
    });
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const double mass = flow_.faces[n].mass;
        if (mass <= 0) continue;
        const double u = face.kind == FaceKind::buried
                             ? rows_.unknown_velocity(n, before)
                             : velocity[face.axis].brick(face.slot)[face.local] - rows_.prescribed(n);
        rows_.scatter_add(n, mass * u, out);
    }
    lift_uncounted(dt, out);
    return out;
}

template <int D>
void RigidCoupling<D>::lift_uncounted(double dt, Eigen::VectorXd& momentum) const {
    const Medium<D>& medium = flow_.medium;
    for_each_dynamic([&](std::size_t i, int place) {
        for (int a = 0; a < D; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            const double pull = -dt * medium.density * medium.gravity[a] * flow_.wet_share[i];
            momentum[dof * place + a] += pull * interface_.uncounted[i][axis];
            Spin<D> turn = moment<D>(interface_.uncounted_moment[i][axis], Vec<D>::Unit(a));
            if (interface_.scheme == InterfaceScheme::fractional) turn = felt_by_surface<D>(bodies_[i], turn);
            momentum.segment<rotation_dof<D>>(dof * place + D) += pull * turn;
        }
    });
    const double area = power(medium.grid.dx, D - 1);
    for (const SideFace<D>& face : rows_.side_faces()) {
        const int place = rows_.layout().place_of(static_cast<std::size_t>(face.body));
        if (place < 0) continue;
        const double push = (face.side == 0 ? 1 : -1) * area * dt * face.pressure;
        DofLayout<D>::part(momentum, place) += push * face.row;
    }
}

template <int D>
Eigen::VectorXd RigidCoupling<D>::without_pressure(const RigidTerms<D>& terms, const Eigen::VectorXd& momentum) const {
    if (terms.empty()) return momentum;
    if (!terms.jointed()) return terms.solve_mass(momentum);
    const Eigen::VectorXd before = velocities();
    return before + terms.solve_mass(momentum - terms.apply_mass(before));
}

template <int D>
std::vector<Twist<D>> RigidCoupling<D>::joint_impulses(const RigidTerms<D>& terms, const Eigen::VectorXd& momentum,
                                                       const Eigen::VectorXd& v, const double* p) const {
    std::vector<Twist<D>> out(bodies_.size(), Twist<D>::Zero());
    if (!terms.jointed()) return out;
    const Eigen::VectorXd reaction = terms.apply_mass(v) - momentum + terms.gather(p);
    for_each_dynamic([&](std::size_t i, int place) { out[i] = DofLayout<D>::part(reaction, place); });
    return out;
}

template <int D>
Eigen::VectorXd RigidCoupling<D>::impulse(const RigidTerms<D>& terms, const Eigen::VectorXd& momentum,
                                          const Eigen::VectorXd& given, const double* p) const {
    if (terms.empty()) return momentum;
    const Eigen::VectorXd change = given - velocities();
    Eigen::VectorXd out = momentum - terms.gather(p) - terms.apply_mass(given);
    for_each_dynamic([&](std::size_t i, int place) {
        DofLayout<D>::part(out, place) += bodies_[i].mass_matrix() * DofLayout<D>::part(change, place);
    });
    return out;
}

template class RigidCoupling<2>;
template class RigidCoupling<3>;

}  // namespace tidelock
