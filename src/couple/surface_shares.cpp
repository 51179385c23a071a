#include "couple/surface_shares.h"

#include <algorithm>

#include "couple/cell_lookup.h"
#include "fluid/surface_theta.h"
#include "geometry/fractions.h"

namespace tidelock {

namespace {

/// The cells on one side of a face, as far as they say whether it is wet there.
struct SideLevel {
    int liquid = 0, air = 0;  ///< cells
    double phi = 0;           ///< mean of theirs [m]

    [[nodiscard]] bool known() const { return liquid + air > 0; }
    [[nodiscard]] bool mixed() const { return liquid > 0 && air > 0; }
    [[nodiscard]] bool wet() const { return liquid > 0; }
};

template <int D>
class WetShares {
  public:
    WetShares(const Grid<D>& grid, const std::vector<RigidBody<D>>& bodies, const Field<D, double>& phi,
              const FreeSurface<D>& surface, Interface<D>& interface)
        : grid_(grid), bodies_(bodies), phi_(phi), surface_(surface), interface_(interface) {}

    void take(BodyFace& face) const {
        if (face.kind == FaceKind::cut)
            cut(face);
        else if (face.fluid > 0)
            close(face);
    }

  private:
    using Place = std::pair<std::int32_t, int>;

    /// Both cells of a cut face have a pressure or hold air.
    void cut(BodyFace& face) const {
        const SideLevel low = level(below(face)), high = level({face.slot, face.local});
        if (low.wet() == high.wet()) return;
        const Part wet = part(face, low, high);
        const auto first = interface_.shares.begin() + face.first, last = first + face.count;
        double weights = 0;
        for (auto share = first; share != last; ++share) {
            share->solid = solid(*share, wet);
            share->weight = std::max(share->solid, 1e-6);
            weights += share->weight;
        }
        for (auto share = first; share != last; ++share) share->weight /= weights;
        face.open = std::clamp(rest(face, wet), least_open, 1.0);
    }

    /// What a closed face carries along of the fluid in its dual cell.
    void close(BodyFace& face) const {
        const SideLevel low = side(below(face), face.axis), high = side({face.slot, face.local}, face.axis);
        const int liquid = low.liquid + high.liquid, all = liquid + low.air + high.air;
        if (all == 0) {  // deep in solids: only the level set, which goes on there, can say
            if (phi_.brick(face.slot)[face.local] >= 0) face.fluid = 0;
        } else if (low.mixed() || high.mixed()) {  // along a wall between liquid and air
            face.fluid *= static_cast<double>(liquid) / all;
        } else if (low.known() && high.known() && low.wet() != high.wet()) {
            const Part wet = part(face, low, high);
            face.fluid = wet.theta * rest(face, wet);
        } else if (liquid == 0) {
            face.fluid = 0;
        }
    }

    [[nodiscard]] Place below(const BodyFace& face) const {
        return neighbour_cell<D>(phi_.set(), face.slot, face.local, face.axis, -1);
    }

    /// What a cell itself says: nothing if it has no pressure.
    [[nodiscard]] SideLevel level(const Place& at) const {
        const auto [slot, local] = at;
        if (slot == phi_.set().void_slot()) return {};
        const CellContent content = surface_.at(slot, local);
        if (content == CellContent::none) return {};
        const bool liquid = content == CellContent::liquid;
        return {liquid ? 1 : 0, liquid ? 0 : 1, phi_.brick(slot)[local]};
    }

    /// What a cell says, or else its neighbours at the same place along the axis.
    [[nodiscard]] SideLevel side(const Place& at, int axis) const {
        SideLevel out = level(at);
        if (out.known() || at.first == phi_.set().void_slot()) return out;
        const Coord<D> cell = first_cell<D>(phi_.set().brick(at.first)) + local_coord<D>(at.second);
        for (int a = 0; a < D; ++a)
            for (const int step : {-1, 1}) {
                Coord<D> next = cell;
                next[a] += step;
                if (a == axis || !grid_.contains(next)) continue;
                const SideLevel one = level(neighbour_cell<D>(phi_.set(), at.first, at.second, a, step));
                out.liquid += one.liquid;
                out.air += one.air;
                out.phi += one.phi;
            }
        if (out.known()) out.phi /= out.liquid + out.air;
        return out;
    }

    /// The wet part of a face's dual cell: a box from the centre of the liquid's cell to the surface.
    struct Part {
        double theta = 1;  ///< of the dual cell's length [-]
        Vec<D> low;        ///< its lower corner [m]
        Vec<D> edges;      ///< [m]
    };
    [[nodiscard]] Part part(const BodyFace& face, const SideLevel& low, const SideLevel& high) const {
        const Coord<D> cell = first_cell<D>(phi_.set().brick(face.slot)) + local_coord<D>(face.local);
        Part out;
        // Cells of foam count as wet, whatever phi is there.
        const double wet = std::min(low.wet() ? low.phi : high.phi, -1e-6 * grid_.dx);
        out.theta = surface_theta(wet, low.wet() ? high.phi : low.phi);
        out.edges = Vec<D>::Constant(grid_.dx);
        out.edges[face.axis] = out.theta * grid_.dx;
        out.low = grid_.to_world(cell.template cast<double>());
        out.low[face.axis] += low.wet() ? -0.5 * grid_.dx : 0.5 * grid_.dx - out.edges[face.axis];
        return out;
    }

    [[nodiscard]] double solid(const FaceShare& share, const Part& wet) const {
        const RigidBody<D>& body = bodies_[static_cast<std::size_t>(share.body)];
        const Pose<D> pose = body.pose();
        return box_fraction<D>([&](const Vec<D>& x) { return body.distance(pose.to_body(x)); }, wet.low, wet.edges);
    }

    /// Share of the wet part that is fluid, changed like the shares of whole dual cells (couple/interface.h).
    [[nodiscard]] double rest(const BodyFace& face, const Part& wet) const {
        double s = 0;
        for (std::int32_t n = face.first; n < face.first + face.count; ++n)
            s += solid(interface_.shares[static_cast<std::size_t>(n)], wet);
        s = std::min(s, 1.0);
        const double change = interface_.share_change[interface_.owner_of(face)][static_cast<std::size_t>(face.axis)];
        return 1 - s - change * s * (1 - s);
    }

    const Grid<D>& grid_;
    const std::vector<RigidBody<D>>& bodies_;
    const Field<D, double>& phi_;
    const FreeSurface<D>& surface_;
    Interface<D>& interface_;
};

}  // namespace

template <int D>
void take_wet_shares(const Grid<D>& grid, const std::vector<RigidBody<D>>& bodies, const Field<D, double>& phi,
                     const FreeSurface<D>& surface, Interface<D>& interface) {
    if (interface.scheme != InterfaceScheme::fractional) return;
    const WetShares<D> shares(grid, bodies, phi, surface, interface);
    parallel_for("wet shares", static_cast<std::ptrdiff_t>(interface.faces.size()),
                 [&](std::ptrdiff_t f) { shares.take(interface.faces[static_cast<std::size_t>(f)]); });
}

template void take_wet_shares(const Grid<2>&, const std::vector<RigidBody<2>>&, const Field<2, double>&,
                              const FreeSurface<2>&, Interface<2>&);
template void take_wet_shares(const Grid<3>&, const std::vector<RigidBody<3>>&, const Field<3, double>&,
                              const FreeSurface<3>&, Interface<3>&);

}  // namespace tidelock
