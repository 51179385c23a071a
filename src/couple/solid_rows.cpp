#include "couple/solid_rows.h"

#include <limits>

#include "couple/cell_lookup.h"
#include "solid/revolution.h"

namespace tidelock {

template <int D>
Twist<D> surface_row(InterfaceScheme scheme, const RigidBody<D>& body, int axis, const Vec<D>& arm) {
    Twist<D> row = velocity_row<D>(axis, arm);
    if (scheme == InterfaceScheme::fractional)
        row.template tail<rotation_dof<D>>() = felt_by_surface<D>(body, row.template tail<rotation_dof<D>>());
    return row;
}

template <int D>
DofLayout<D>::DofLayout(const std::vector<RigidBody<D>>& bodies) {
    for (const auto& body : bodies) place_.push_back(body.dynamic() ? count_++ : -1);
}

template <int D>
Eigen::VectorXd DofLayout<D>::gather(const std::vector<RigidBody<D>>& bodies) const {
    Eigen::VectorXd v(size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (place_[i] >= 0) part(v, place_[i]) = bodies[i].twist();
    return v;
}

template <int D>
Eigen::VectorXd DofLayout<D>::gather(const std::vector<Twist<D>>& of_bodies) const {
    Eigen::VectorXd v(size());
    for (std::size_t i = 0; i < of_bodies.size(); ++i)
        if (place_[i] >= 0) part(v, place_[i]) = of_bodies[i];
    return v;
}

template <int D>
SolidRows<D>::SolidRows(const FlowFaces<D>& flow, const Interface<D>& interface,
                        const std::vector<RigidBody<D>>& bodies)
    : layout_(bodies) {
    find_rows(flow, interface, bodies);
    if (!bodies.empty()) find_side_faces(flow, interface, bodies);
}

template <int D>
void SolidRows<D>::find_rows(const FlowFaces<D>& flow, const Interface<D>& interface,
                             const std::vector<RigidBody<D>>& bodies) {
    const auto& set = interface.solid.set();
    first_part_.assign(1, 0);
    for (const BodyFace& face : interface.faces) {
        const Coord<D> cell = first_cell<D>(set.brick(face.slot)) + local_coord<D>(face.local);
        const Vec<D> position = flow.medium.grid.position(cell, Centring<D>::face(face.axis));
        double k = 0;
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const auto i = static_cast<std::size_t>(interface.shares[static_cast<std::size_t>(s)].body);
            const double weight = flow.weights[static_cast<std::size_t>(s)];
            if (weight <= 0) continue;
            const Vec<D> arm =
                position - bodies[i].position + interface.arm_shift[i][static_cast<std::size_t>(face.axis)];
            if (const int place = layout_.place_of(i); place >= 0)
                parts_.push_back({place, weight * surface_row<D>(interface.scheme, bodies[i], face.axis, arm)});
            else if (bodies[i].type == BodyType::kinematic)
                k += weight * surface_row<D>(interface.scheme, bodies[i], face.axis, arm).dot(bodies[i].twist());
        }
        first_part_.push_back(static_cast<std::int32_t>(parts_.size()));
        prescribed_.push_back(k);
    }
}

template <int D>
void SolidRows<D>::find_side_faces(const FlowFaces<D>& flow, const Interface<D>& interface,
                                   const std::vector<RigidBody<D>>& bodies) {
    const Grid<D>& grid = flow.medium.grid;
    const auto& set = interface.solid.set();
    const auto add = [&](int axis, int side, std::ptrdiff_t slot, int local, const Coord<D>& cell) {
        if (interface.dry.brick(slot)[local] == 0) return;
        const Vec<D> centre = grid.cell_centre(cell);
        SideFace<D> face{static_cast<std::int32_t>(slot), local, axis, side};
        if (side == 1) std::tie(face.slot, face.local) = neighbour_cell<D>(set, slot, local, axis, 1);
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t n = 0; n < bodies.size(); ++n) {
            const double d = bodies[n].distance(bodies[n].pose().to_body(centre));
            if (d < least) least = d, face.body = static_cast<int>(n);
        }
        const auto& body = bodies[static_cast<std::size_t>(face.body)];
        Vec<D> position = centre;
        position[axis] += (side == 0 ? -0.5 : 0.5) * grid.dx;
        face.row = surface_row<D>(interface.scheme, body, axis, position - body.position);
        face.given = face.row.dot(body.twist());
        face.pressure = flow.pressure_beyond(axis, side, cell);
        side_faces_.push_back(face);
    };
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!flow.medium.sides.is_open(a, side)) continue;
            for (std::ptrdiff_t b = 0; b < set.count(); ++b)
                for_each_side_cell_in_brick<D>(grid, set, a, side, b, [&](auto slot, int local, const Coord<D>& cell) {
                    add(a, side, slot, local, cell);
                });
        }
}

template <int D>
double SolidRows<D>::velocity(const SideFace<D>& face, const Eigen::VectorXd& v) const {
    const int place = layout_.place_of(static_cast<std::size_t>(face.body));
    if (place < 0) return face.given;
    return face.row.dot(DofLayout<D>::part(v, place));
}

template Twist<2> surface_row(InterfaceScheme, const RigidBody<2>&, int, const Vec<2>&);
template Twist<3> surface_row(InterfaceScheme, const RigidBody<3>&, int, const Vec<3>&);
template class DofLayout<2>;
template class DofLayout<3>;
template class SolidRows<2>;
template class SolidRows<3>;

}  // namespace tidelock
