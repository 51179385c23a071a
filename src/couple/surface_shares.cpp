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
    WetShares(const SolidSurfaces<D>& surfaces, const Field<D, double>& phi, const Interface<D>& interface,
              FlowFaces<D>& out)
        : grid_(out.medium.grid), surfaces_(surfaces), phi_(phi), interface_(interface), out_(out) {}

    /// Of the face at a place in the interface's list.
    void take(std::size_t place) const {
        const BodyFace& face = interface_.faces[place];
        if (face.kind == FaceKind::cut)
            cut(face, out_.faces[place]);
        else if (face.fluid > 0)
            out_.faces[place].mass = out_.medium.dual_mass() * wet_fluid(face);
    }

  private:
    using Place = std::pair<std::int32_t, int>;

    /// Both cells of a cut face have a pressure or hold air.
    void cut(const BodyFace& face, FlowFace& out) const {
        const SideLevel low = level(below(face)), high = level({face.slot, face.local});
        if (low.wet() == high.wet()) return;
        const Part wet = part(face, low, high);
        double* weights = out_.weights.data() + face.first;
        double sum = 0;
        for (int s = 0; s < face.count; ++s) {
            weights[s] = std::max(solid(interface_.shares[static_cast<std::size_t>(face.first + s)], wet), 1e-6);
            sum += weights[s];
        }
        for (int s = 0; s < face.count; ++s) weights[s] /= sum;
        // From a centre in the solid the wet part begins there, and may end before the fluid does: what of the liquid is
        // beyond passes the whole face all the same.
        const auto [slot, local] = low.wet() ? below(face) : Place{face.slot, face.local};
        const double least = interface_.solid.brick(slot)[local] != 0 ? 0.5 * face.open : least_open;
        out.open = std::clamp(rest(face, wet), std::min(least, 1.0), 1.0);
    }

    /// What a closed face carries along of the fluid in its dual cell [-].
    [[nodiscard]] double wet_fluid(const BodyFace& face) const {
        const SideLevel low = side(below(face), face.axis), high = side({face.slot, face.local}, face.axis);
        const int liquid = low.liquid + high.liquid, all = liquid + low.air + high.air;
        if (all == 0) {  // deep in solids: only the level set, which goes on there, can say
            return phi_.brick(face.slot)[face.local] >= 0 ? 0 : face.fluid;
        }
        if (low.mixed() || high.mixed())  // along a wall between liquid and air
            return face.fluid * (static_cast<double>(liquid) / all);
        if (low.known() && high.known() && low.wet() != high.wet()) {
            const Part wet = part(face, low, high);
            return wet.theta * rest(face, wet);
        }
        return liquid == 0 ? 0 : face.fluid;
    }

    [[nodiscard]] Place below(const BodyFace& face) const {
        return neighbour_cell<D>(phi_.set(), face.slot, face.local, face.axis, -1);
    }

    /// What a cell itself says: nothing if it has no pressure.
    [[nodiscard]] SideLevel level(const Place& at) const {
        const auto [slot, local] = at;
        if (slot == phi_.set().void_slot()) return {};
        const CellContent content = out_.contents.at(slot, local);
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
        out.theta = surface_theta(wet, low.wet() ? high.phi : low.phi, grid_.dx);
        out.edges = Vec<D>::Constant(grid_.dx);
        out.edges[face.axis] = out.theta * grid_.dx;
        out.low = grid_.to_world(cell.template cast<double>());
        out.low[face.axis] += low.wet() ? -0.5 * grid_.dx : 0.5 * grid_.dx - out.edges[face.axis];
        return out;
    }

    [[nodiscard]] double solid(const FaceShare& share, const Part& wet) const {
        const auto part = static_cast<std::size_t>(share.body);
        return box_fraction<D>([&](const Vec<D>& x) { return surfaces_.distance(part, Moment::end, x); }, wet.low,
                               wet.edges);
    }

    /// Share of the wet part that is fluid, changed like the shares of whole dual cells (couple/interface.h).
    [[nodiscard]] double rest(const BodyFace& face, const Part& wet) const {
        double s = 0;
        for (std::int32_t n = face.first; n < face.first + face.count; ++n)
            s += solid(interface_.shares[static_cast<std::size_t>(n)], wet);
        s = std::min(s, 1.0);
        const double change = interface_.share_change[owner_of(face)][static_cast<std::size_t>(face.axis)];
        return 1 - s - change * s * (1 - s);
    }

    /// The body that moves most of what is wet.
    [[nodiscard]] std::size_t owner_of(const BodyFace& face) const {
        const auto first = out_.weights.begin() + face.first, most = std::max_element(first, first + face.count);
        return static_cast<std::size_t>(interface_.shares[static_cast<std::size_t>(most - out_.weights.begin())].body);
    }

    const Grid<D>& grid_;
    const SolidSurfaces<D>& surfaces_;
    const Field<D, double>& phi_;
    const Interface<D>& interface_;
    FlowFaces<D>& out_;
};

}  // namespace

template <int D>
void take_wet_shares(const SolidSurfaces<D>& surfaces, const Field<D, double>& phi, const Interface<D>& interface,
                     FlowFaces<D>& out) {
    const WetShares<D> shares(surfaces, phi, interface, out);
    parallel_for("wet shares", static_cast<std::ptrdiff_t>(interface.faces.size()),
                 [&](std::ptrdiff_t n) { shares.take(static_cast<std::size_t>(n)); });
}

template void take_wet_shares(const SolidSurfaces<2>&, const Field<2, double>&, const Interface<2>&, FlowFaces<2>&);
template void take_wet_shares(const SolidSurfaces<3>&, const Field<3, double>&, const Interface<3>&, FlowFaces<3>&);

}  // namespace tidelock
