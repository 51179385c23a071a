#include "couple/given_loads.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "couple/solid_rows.h"
#include "grid/neighbour_cell.h"

namespace tidelock {

template <int D>
GivenLoads<D>::GivenLoads(const FlowFaces<D>& flow, const Interface<D>& interface,
                          const std::vector<RigidBody<D>>& bodies, const FaceField<D, double>& velocity)
    : flow_(flow),
      interface_(interface),
      bodies_(bodies),
      any_(std::any_of(bodies.begin(), bodies.end(), [](const RigidBody<D>& body) { return !body.dynamic(); })) {
    if (!any_) return;
    before_.reserve(interface.faces.size());
    for (const BodyFace& face : interface.faces) before_.push_back(velocity[face.axis].brick(face.slot)[face.local]);
}

template <int D>
std::vector<Twist<D>> GivenLoads<D>::loads(double dt, const FaceField<D, double>& velocity,
                                           const Field<D, double>& pressure) const {
    std::vector<Twist<D>> out(bodies_.size(), Twist<D>::Zero());
    if (!any_) return out;
    const auto& set = interface_.solid.set();
    const double area = power(flow_.medium.grid.dx, D - 1);
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const FlowFace& flow = flow_.faces[n];
        double push = 0;  // along the axis [N]
        if (flow.mass > 0 && face.kind != FaceKind::buried)
            push += flow.mass * (before_[n] - velocity[face.axis].brick(face.slot)[face.local]) / dt;
        if (flow.high_pressure) push -= (1 - flow.open) * area * pressure.brick(face.slot)[face.local];
        if (flow.low_pressure) {
            const auto [slot, local] = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
            push += (1 - flow.open) * area * pressure.brick(slot)[local];
        }
        if (push != 0) add_face(n, push, out);
    }
    add_uncounted(out);
    return out;
}

template <int D>
void GivenLoads<D>::add_face(std::size_t n, double push, std::vector<Twist<D>>& loads) const {
    const BodyFace& face = interface_.faces[n];
    const Coord<D> cell = first_cell<D>(interface_.solid.set().brick(face.slot)) + local_coord<D>(face.local);
    const Vec<D> position = flow_.medium.grid.position(cell, Centring<D>::face(face.axis));
    for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
        const auto i = static_cast<std::size_t>(interface_.shares[static_cast<std::size_t>(s)].body);
        const double weight = flow_.weights[static_cast<std::size_t>(s)];
        if (weight <= 0 || bodies_[i].dynamic()) continue;
        const Vec<D> arm =
            position - bodies_[i].position + interface_.arm_shift[i][static_cast<std::size_t>(face.axis)];
        loads[i] += push * weight * surface_row<D>(interface_.scheme, bodies_[i], face.axis, arm);
    }
}

template <int D>
void GivenLoads<D>::add_uncounted(std::vector<Twist<D>>& loads) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (bodies_[i].dynamic() || !std::isfinite(bodies_[i].volume)) continue;
        for (int a = 0; a < D; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            const double lift = -flow_.medium.density * flow_.medium.gravity[a] * flow_.wet_share[i];
            loads[i][a] += lift * interface_.uncounted[i][axis];
            loads[i].template tail<rotation_dof<D>>() +=
                lift * moment<D>(interface_.uncounted_moment[i][axis], Vec<D>::Unit(a));
        }
    }
}

template class GivenLoads<2>;
template class GivenLoads<3>;

}  // namespace tidelock
