#include "couple/surface_shares.h"

#include <algorithm>

#include "couple/cell_lookup.h"
#include "fluid/surface_theta.h"
#include "geometry/fractions.h"

namespace tidelock {

namespace {

/// The wet part of a face's dual cell, from the centre of the liquid's cell to the surface.
template <int D>
struct WetPart {
    double theta = 1;  ///< of the dual cell's length [-]
    Vec<D> low;        ///< its lower corner [m]
    Vec<D> edges;      ///< [m]
};

template <int D>
WetPart<D> wet_part(const Grid<D>& grid, const Coord<D>& cell, int axis, double at_low, double at_high) {
    WetPart<D> out;
    out.low = grid.to_world(cell.template cast<double>());
    out.low[axis] -= 0.5 * grid.dx;
    out.theta = at_low < 0 ? surface_theta(at_low, at_high) : surface_theta(at_high, at_low);
    out.edges = Vec<D>::Constant(grid.dx);
    out.edges[axis] = out.theta * grid.dx;
    if (at_low >= 0) out.low[axis] += grid.dx - out.edges[axis];
    return out;
}

}  // namespace

template <int D>
void take_wet_shares(const Grid<D>& grid, const std::vector<RigidBody<D>>& bodies, const Field<D, double>& phi,
                     Interface<D>& interface) {
    if (interface.scheme != InterfaceScheme::fractional) return;
    const auto& set = phi.set();
    parallel_for("wet shares", static_cast<std::ptrdiff_t>(interface.faces.size()), [&](std::ptrdiff_t f) {
        BodyFace& face = interface.faces[static_cast<std::size_t>(f)];
        const bool cut = face.kind == FaceKind::cut;
        if (!cut && face.fluid <= 0) return;
        const auto [below, place] = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
        const double at_high = phi.brick(face.slot)[face.local], at_low = phi.brick(below)[place];
        if ((at_low < 0) == (at_high < 0)) {
            if (!cut && at_low >= 0) face.fluid = 0;
            return;
        }
        const Coord<D> cell = first_cell<D>(set.brick(face.slot)) + local_coord<D>(face.local);
        const WetPart<D> wet = wet_part<D>(grid, cell, face.axis, at_low, at_high);
        const auto first = interface.shares.begin() + face.first, last = first + face.count;
        double solid = 0, weights = 0;
        for (auto share = first; share != last; ++share) {
            const RigidBody<D>& body = bodies[static_cast<std::size_t>(share->body)];
            const Pose<D> pose = body.pose();
            share->solid =
                box_fraction<D>([&](const Vec<D>& x) { return body.distance(pose.to_body(x)); }, wet.low, wet.edges);
            share->weight = std::max(share->solid, 1e-6);
            solid += share->solid;
            weights += share->weight;
        }
        for (auto share = first; share != last; ++share) share->weight /= weights;
        const double change = interface.share_change[interface.owner_of(face)][static_cast<std::size_t>(face.axis)];
        solid = std::min(solid, 1.0);
        const double rest = 1 - solid - change * solid * (1 - solid);
        if (cut)
            face.open = std::clamp(rest, least_open, 1.0);
        else
            face.fluid = wet.theta * rest;
    });
}

template void take_wet_shares(const Grid<2>&, const std::vector<RigidBody<2>>&, const Field<2, double>&, Interface<2>&);
template void take_wet_shares(const Grid<3>&, const std::vector<RigidBody<3>>&, const Field<3, double>&, Interface<3>&);

}  // namespace tidelock
