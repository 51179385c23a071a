#include "couple/flow_faces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "couple/cell_lookup.h"
#include "couple/surface_shares.h"
#include "fluid/surface_theta.h"

namespace tidelock {

namespace {

/// The gas at rest beyond open sides: the one that is highest is where its pressure is zero.
template <int D>
RestPressure<D> rest_beyond(const Medium<D>& medium) {
    const Grid<D>& grid = medium.grid;
    double level = -std::numeric_limits<double>::infinity();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side)
            if (medium.sides.is_open(a, side)) {
                Vec<D> x = grid.to_world(0.5 * grid.cells.template cast<double>());
                x[a] = side == 0 ? grid.origin[a] - 0.5 * grid.dx : grid.upper()[a] + 0.5 * grid.dx;
                level = std::max(level, -medium.gravity.dot(x));
            }
    return {medium.density, medium.gravity, std::isfinite(level) ? level : 0};
}

/// What the cells on both sides of each face hold; open shares and weights are still those of the interface.
template <int D>
void look_at_faces(const Interface<D>& interface, FlowFaces<D>& out) {
    const auto& set = interface.solid.set();
    const auto& contents = out.contents;
    out.faces.resize(interface.faces.size());
    parallel_for("faces of the flow", static_cast<std::ptrdiff_t>(out.faces.size()), [&](std::ptrdiff_t n) {
        const BodyFace& face = interface.faces[static_cast<std::size_t>(n)];
        const auto [below, local] = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
        FlowFace& flow = out.faces[static_cast<std::size_t>(n)];
        flow.open = face.open;
        flow.mass = out.medium.dual_mass() * face.fluid;
        flow.low_pressure = contents.has_pressure(below, local);
        flow.high_pressure = contents.has_pressure(face.slot, face.local);
        flow.low_fluid = contents.at(below, local) == CellContent::liquid;
        flow.high_fluid = contents.at(face.slot, face.local) == CellContent::liquid;
    });
    out.weights.reserve(interface.shares.size());
    for (const FaceShare& share : interface.shares) out.weights.push_back(share.weight);
}

int sides_of(const BodyFace& face) { return (face.low_fluid ? 1 : 0) + (face.high_fluid ? 1 : 0); }

/// Of the sides of each body's faces that have a pressure, those with fluid.
template <int D>
std::vector<double> wet_shares_of_bodies(const Interface<D>& interface, const FlowFaces<D>& flow, std::size_t bodies) {
    std::vector<double> wet(bodies, 0), all(bodies, 0), share(bodies, 0);
    for (std::size_t n = 0; n < interface.faces.size(); ++n) {
        const BodyFace& face = interface.faces[n];
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const auto body = static_cast<std::size_t>(interface.shares[static_cast<std::size_t>(s)].body);
            const double weight = flow.weights[static_cast<std::size_t>(s)];
            wet[body] += weight * flow.faces[n].fluids();
            all[body] += weight * sides_of(face);
        }
    }
    for (std::size_t i = 0; i < bodies; ++i) share[i] = all[i] > 0 ? wet[i] / all[i] : 0;
    return share;
}

/// With whole faces nobody has looked how much of a dual cell's fluid is wet: as many of its sides as are, or inside of
/// a body as much as of its surface.
template <int D>
void take_wet_mass(const Interface<D>& interface, FlowFaces<D>& out) {
    for (std::size_t n = 0; n < out.faces.size(); ++n) {
        const BodyFace& face = interface.faces[n];
        double& mass = out.faces[n].mass;
        if (const int sides = sides_of(face); sides > 0)
            mass = mass * out.faces[n].fluids() / sides;
        else
            mass *=
                out.wet_share[static_cast<std::size_t>(interface.shares[static_cast<std::size_t>(face.first)].body)];
    }
}

/// Finds the links of a brick, cell by cell.
template <int D>
class LinkFinder {
  public:
    /// `phi`: null for a gas, which has no surface.
    LinkFinder(const Interface<D>& interface, const Field<D, double>* phi, const FlowFaces<D>& flow)
        : interface_(interface), phi_(phi), flow_(flow) {}

    void find(std::ptrdiff_t slot, std::vector<SurfaceLink>& out) const {
        const Coord<D> corner = first_cell<D>(interface_.solid.set().brick(slot));
        const Grid<D>& grid = flow_.medium.grid;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (flow_.contents.at(slot, i) != CellContent::liquid) continue;
            const Coord<D> cell = corner + local_coord<D>(i);
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    SurfaceLink link{static_cast<std::int32_t>(slot), i, static_cast<std::int16_t>(a),
                                     static_cast<std::int16_t>(step)};
                    if (cell[a] == (step < 0 ? 0 : grid.cells[a] - 1) ? leads_out(cell, link) : leads_to_air(link))
                        out.push_back(link);
                }
        }
    }

  private:
    bool leads_out(const Coord<D>& cell, SurfaceLink& link) const {
        const int side = link.step < 0 ? 0 : 1;
        if (!flow_.medium.sides.is_open(link.axis, side)) return false;
        link.end = LinkEnd::side;
        link.theta = phi_ != nullptr ? 0.5 : 1;
        link.pressure = flow_.pressure_beyond(link.axis, side, cell);
        return true;
    }
    bool leads_to_air(SurfaceLink& link) const {
        if (phi_ == nullptr) return false;
        const auto [there, local] = neighbour_cell<D>(phi_->set(), link.slot, link.local, link.axis, link.step);
        const CellContent content = flow_.contents.at(there, local);
        if (content != CellContent::air && content != CellContent::trapped) return false;
        link.open = link.step < 0 ? open(link.slot, link.local, link.axis) : open(there, local, link.axis);
        if (link.open <= 0) return false;
        link.end = content == CellContent::trapped ? LinkEnd::bubble : LinkEnd::atmosphere;
        link.theta = surface_theta(phi_->brick(link.slot)[link.local], phi_->brick(there)[local], flow_.medium.grid.dx);
        return true;
    }
    /// Share that fluid passes of a cell's lower face.
    [[nodiscard]] double open(std::ptrdiff_t slot, int local, int axis) const {
        const auto kind = static_cast<FaceKind>(interface_.kind[axis].brick(slot)[local]);
        if (kind == FaceKind::free) return 1;
        if (kind != FaceKind::cut) return 0;
        const std::ptrdiff_t face = face_at<D>(interface_, slot, local, axis);
        return face >= 0 ? flow_.faces[static_cast<std::size_t>(face)].open : 0.0;
    }

    const Interface<D>& interface_;
    const Field<D, double>* phi_;
    const FlowFaces<D>& flow_;
};

template <int D>
void find_links(const Interface<D>& interface, const Field<D, double>* phi, FlowFaces<D>& out) {
    const auto& set = interface.solid.set();
    const LinkFinder<D> finder(interface, phi, out);
    std::vector<std::vector<SurfaceLink>> found(static_cast<std::size_t>(set.count()));
    if (phi != nullptr || out.medium.sides.any_open())
        parallel_for("surface links", set.count(),
                     [&](std::ptrdiff_t b) { finder.find(b, found[static_cast<std::size_t>(b)]); });
    out.first_link.assign(1, 0);
    for (const auto& part : found) {
        out.links.insert(out.links.end(), part.begin(), part.end());
        out.first_link.push_back(static_cast<std::int32_t>(out.links.size()));
    }
}

}  // namespace

template <int D>
double FlowFaces<D>::theta_above(std::ptrdiff_t slot, int local, int axis) const {
    const auto first = links.begin() + first_link[static_cast<std::size_t>(slot)];
    const auto last = links.begin() + first_link[static_cast<std::size_t>(slot) + 1];
    const auto found = std::find_if(
        std::lower_bound(first, last, local, [](const SurfaceLink& link, int at) { return link.local < at; }), last,
        [&](const SurfaceLink& link) { return link.axis == axis && link.step > 0; });
    return found->theta;
}

template <int D>
FlowFaces<D> gas_faces(const Medium<D>& medium, const Interface<D>& interface) {
    FlowFaces<D> out;
    out.medium = medium;
    out.contents = gas_contents<D>(medium.grid, interface);
    out.beyond = rest_beyond<D>(medium);
    look_at_faces<D>(interface, out);
    out.wet_share.assign(interface.uncounted.size(), 1);  // outside of the domain too
    find_links<D>(interface, nullptr, out);
    return out;
}

template <int D>
FlowFaces<D> liquid_faces(const Medium<D>& medium, const Interface<D>& interface, const SolidSurfaces<D>& surfaces,
                          LiquidBounds<D> liquid) {
    FlowFaces<D> out;
    out.medium = medium;
    out.contents = std::move(liquid.contents);
    out.merged = std::move(liquid.bubbles);
    out.sources = std::move(liquid.sources);
    out.divergence = liquid.divergence;
    look_at_faces<D>(interface, out);
    if (interface.scheme == InterfaceScheme::fractional) take_wet_shares<D>(surfaces, liquid.phi, interface, out);
    out.wet_share = wet_shares_of_bodies<D>(interface, out, surfaces.parts());
    if (interface.scheme == InterfaceScheme::constraint) take_wet_mass<D>(interface, out);
    find_links<D>(interface, &liquid.phi, out);
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                             \
    template struct FlowFaces<D>;                                           \
    template FlowFaces<D> gas_faces(const Medium<D>&, const Interface<D>&); \
    template FlowFaces<D> liquid_faces(const Medium<D>&, const Interface<D>&, const SolidSurfaces<D>&, LiquidBounds<D>);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
