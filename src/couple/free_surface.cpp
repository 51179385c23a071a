#include "couple/free_surface.h"

#include <algorithm>
#include <cmath>

#include "couple/cell_lookup.h"
#include "couple/surface_shares.h"
#include "solve/poisson_operator.h"

namespace tidelock {

namespace {

/// The links of one brick, cell by cell.
template <int D>
void links_of_brick(const Grid<D>& grid, const Sides<D>& sides, const Interface<D>& interface,
                    const Field<D, double>& phi, const FreeSurface<D>& surface, std::ptrdiff_t slot,
                    std::vector<SurfaceLink>& out) {
    const auto& set = phi.set();
    const Coord<D> corner = first_cell<D>(set.brick(slot));
    for (int i = 0; i < Brick<D>::cells; ++i) {
        if (surface.at(slot, i) != CellContent::liquid) continue;
        const Coord<D> cell = corner + local_coord<D>(i);
        for (int a = 0; a < D; ++a)
            for (const int step : {-1, 1}) {
                SurfaceLink link{static_cast<std::int32_t>(slot), i, static_cast<std::int16_t>(a),
                                 static_cast<std::int16_t>(step)};
                if (cell[a] == (step < 0 ? 0 : grid.cells[a] - 1)) {
                    if (!sides.is_open(a, step < 0 ? 0 : 1)) continue;
                    link.theta = 0.5;
                    out.push_back(link);
                    continue;
                }
                const auto [there, local] = neighbour_cell<D>(set, slot, i, a, step);
                const CellContent content = surface.at(there, local);
                if (content != CellContent::air && content != CellContent::trapped) continue;
                link.open = step < 0 ? open_share<D>(interface, slot, i, a) : open_share<D>(interface, there, local, a);
                if (link.open <= 0) continue;
                link.trapped = content == CellContent::trapped;
                link.theta = surface_theta(phi.brick(slot)[i], phi.brick(there)[local]);
                out.push_back(link);
            }
    }
}

}  // namespace

template <int D>
double open_share(const Interface<D>& interface, std::ptrdiff_t slot, int local, int axis) {
    const auto kind = static_cast<FaceKind>(interface.kind[axis].brick(slot)[local]);
    if (kind == FaceKind::free) return 1;
    if (kind != FaceKind::cut) return 0;
    const auto first = interface.faces.begin() + interface.first_face[static_cast<std::size_t>(slot)];
    const auto last = interface.faces.begin() + interface.first_face[static_cast<std::size_t>(slot) + 1];
    const auto place = std::pair(axis, local);
    const auto found = std::lower_bound(first, last, place, [](const BodyFace& face, const std::pair<int, int>& at) {
        return std::pair<int, int>(face.axis, face.local) < at;
    });
    return found != last && found->axis == axis && found->local == local ? found->open : 0.0;
}

template <int D>
double FreeSurface<D>::theta_above(std::ptrdiff_t slot, int local, int axis) const {
    const auto first = links.begin() + first_link[static_cast<std::size_t>(slot)];
    const auto last = links.begin() + first_link[static_cast<std::size_t>(slot) + 1];
    const auto found = std::find_if(
        std::lower_bound(first, last, local, [](const SurfaceLink& link, int at) { return link.local < at; }), last,
        [&](const SurfaceLink& link) { return link.axis == axis && link.step > 0; });
    return found->theta;
}

template <int D>
FreeSurface<D> build_free_surface(const Grid<D>& grid, const Interface<D>& interface, const Field<D, double>& phi) {
    const auto& set = phi.set();
    FreeSurface<D> out;
    out.content = Mask<D>(phi.set_ptr(), 0);
    parallel_for("liquid and air", set.count(), [&](std::ptrdiff_t b) {
        const Coord<D> corner = first_cell<D>(set.brick(b));
        const MaskValue* dry = interface.dry.brick(b);
        const double* distance = phi.brick(b);
        MaskValue* content = out.content.brick(b);
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (dry[i] == 0 && grid.contains(corner + local_coord<D>(i)))
                content[i] = static_cast<MaskValue>(distance[i] < 0 ? CellContent::liquid : CellContent::air);
    });
    return out;
}

template <int D>
void link_surface(const Grid<D>& grid, const Sides<D>& sides, const std::vector<RigidBody<D>>& bodies,
                  const Field<D, double>& phi, Interface<D>& interface, FreeSurface<D>& surface) {
    take_wet_shares<D>(grid, bodies, phi, surface, interface);
    const auto& set = phi.set();
    std::vector<std::vector<SurfaceLink>> found(static_cast<std::size_t>(set.count()));
    parallel_for("surface links", set.count(), [&](std::ptrdiff_t b) {
        links_of_brick<D>(grid, sides, interface, phi, surface, b, found[static_cast<std::size_t>(b)]);
    });
    surface.links.clear();
    surface.first_link.assign(1, 0);
    for (const auto& part : found) {
        surface.links.insert(surface.links.end(), part.begin(), part.end());
        surface.first_link.push_back(static_cast<std::int32_t>(surface.links.size()));
    }
}

template struct FreeSurface<2>;
template struct FreeSurface<3>;
template double open_share(const Interface<2>&, std::ptrdiff_t, int, int);
template double open_share(const Interface<3>&, std::ptrdiff_t, int, int);
template FreeSurface<2> build_free_surface(const Grid<2>&, const Interface<2>&, const Field<2, double>&);
template void link_surface(const Grid<2>&, const Sides<2>&, const std::vector<RigidBody<2>>&, const Field<2, double>&,
                           Interface<2>&, FreeSurface<2>&);
template FreeSurface<3> build_free_surface(const Grid<3>&, const Interface<3>&, const Field<3, double>&);
template void link_surface(const Grid<3>&, const Sides<3>&, const std::vector<RigidBody<3>>&, const Field<3, double>&,
                           Interface<3>&, FreeSurface<3>&);

}  // namespace tidelock
