#include "couple/level_in_solids.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "grid/neighbour_cell.h"
#include "solve/poisson_operator.h"

namespace tidelock {
namespace {

/// A chain's ends are no farther apart in height [cells].
constexpr double most_slope = 1.5;

/// A cell whose centre is solid, with a pressure.
template <int D>
struct SolidCell {
    CellPlace at{};
    bool liquid = false;                         ///< what phi says
    bool sees_liquid = false, sees_air = false;  ///< what cells of the fluid say beyond its open faces
    bool belongs = false;                        ///< phi is that of its side of the solid
    Vec<D> normal = Vec<D>::Zero();              ///< of the solid, outwards
    double height = 0;                           ///< [cells]
    Vec<D> side = Vec<D>::Zero();                ///< the normal where the chain began that said so
    double level = 0;                            ///< and the height there
};

template <int D>
class SolidCells {
  public:
    SolidCells(const Grid<D>& grid, const Interface<D>& interface, const Vec<D>& gravity, const Field<D, double>& phi)
        : grid_(grid), interface_(interface), phi_(phi), set_(phi.set()) {
        if (gravity.norm() > 0) up_ = -gravity.normalized();
        // With an open face they lie beside a cut one, or on a side of the domain.
        for (const BodyFace& face : interface.faces) {
            if (face.kind != FaceKind::cut) continue;
            list({face.slot, face.local});
            list(next({face.slot, face.local}, face.axis, -1));
        }
        const auto before = [](const SolidCell<D>& a, const SolidCell<D>& b) { return a.at < b.at; };
        std::sort(cells_.begin(), cells_.end(), before);
        const auto same = [](const SolidCell<D>& a, const SolidCell<D>& b) { return a.at == b.at; };
        cells_.erase(std::unique(cells_.begin(), cells_.end(), same), cells_.end());
        parallel_for("level in solids", static_cast<std::ptrdiff_t>(cells_.size()),
                     [&](std::ptrdiff_t k) { look(cells_[static_cast<std::size_t>(k)]); });
        if (gravity.norm() > 0) follow_surfaces();
    }

    /// Calls f(place) for the cells whose phi is that of another side.
    template <class F>
    void for_each_wrong(F&& f) const {
        for (const auto& cell : cells_)
            if (!cell.belongs && (cell.liquid ? cell.sees_air : cell.sees_liquid)) f(cell.at);
    }

  private:
    void list(const CellPlace& at) {
        if (at.slot == set_.void_slot() || !is_solid(at) || interface_.dry.brick(at.slot)[at.local] != 0) return;
        SolidCell<D> cell;
        cell.at = at;
        cells_.push_back(cell);
    }
    void look(SolidCell<D>& cell) const {
        cell.liquid = is_liquid(cell.at);
        for_each_open(cell.at, [&](const CellPlace& to) {
            if (!is_solid(to)) (is_liquid(to) ? cell.sees_liquid : cell.sees_air) = true;
        });
        for (int a = 0; a < D; ++a) cell.normal[a] = open(cell.at, a, 1) - open(cell.at, a, -1);
        cell.height = up_.dot(grid_.cell_centre(coord(cell.at))) / grid_.dx;
    }
    /// From cells that see what they are along the solids' surfaces.
    void follow_surfaces() {
        std::vector<std::size_t> reached;
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            auto& cell = cells_[k];
            cell.belongs = cell.liquid ? cell.sees_liquid : cell.sees_air;
            cell.side = cell.normal;
            cell.level = cell.height;
            if (cell.belongs) reached.push_back(k);
        }
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const SolidCell<D> from = cells_[reached[i]];
            for_each_open(from.at, [&](const CellPlace& to) {
                const auto found = std::lower_bound(cells_.begin(), cells_.end(), to,
                                                    [](const SolidCell<D>& a, const CellPlace& b) { return a.at < b; });
                if (found == cells_.end() || found->at != to || found->belongs || found->liquid != from.liquid ||
                    found->normal.dot(from.side) <= 0 || std::abs(found->height - from.level) > most_slope)
                    return;
                found->belongs = true;
                found->side = from.side;
                found->level = from.level;
                reached.push_back(static_cast<std::size_t>(found - cells_.begin()));
            });
        }
    }

    [[nodiscard]] bool is_liquid(const CellPlace& at) const { return phi_.brick(at.slot)[at.local] < 0; }
    [[nodiscard]] bool is_solid(const CellPlace& at) const { return interface_.solid.brick(at.slot)[at.local] != 0; }
    [[nodiscard]] Coord<D> coord(const CellPlace& at) const {
        return first_cell<D>(set_.brick(at.slot)) + local_coord<D>(at.local);
    }
    [[nodiscard]] bool inside(const CellPlace& at, int axis, int step) const {
        Coord<D> cell = coord(at);
        cell[axis] += step;
        return grid_.contains(cell);
    }
    [[nodiscard]] CellPlace next(const CellPlace& at, int axis, int step) const {
        const auto [slot, local] = neighbour_cell<D>(set_, at.slot, at.local, axis, step);
        return {slot, local};
    }
    /// Share that fluid passes of the face between a cell and the next; none on the domain's sides.
    [[nodiscard]] double open(const CellPlace& at, int axis, int step) const {
        if (!inside(at, axis, step)) return 0;
        const CellPlace face = step < 0 ? at : next(at, axis, step);
        return open_share<D>(interface_, face.slot, face.local, axis);
    }
    /// Calls f(neighbour) for those beyond faces that fluid passes.
    template <class F>
    void for_each_open(const CellPlace& at, F&& f) const {
        for (int a = 0; a < D; ++a)
            for (const int step : {-1, 1})
                if (open(at, a, step) > 0) f(next(at, a, step));
    }

    const Grid<D>& grid_;
    const Interface<D>& interface_;
    const Field<D, double>& phi_;
    const BrickSet<D>& set_;
    Vec<D> up_ = Vec<D>::Zero();
    std::vector<SolidCell<D>> cells_;  ///< sorted by place
};

}  // namespace

template <int D>
void settle_in_solids(const Grid<D>& grid, const Interface<D>& interface, const Vec<D>& gravity,
                      Field<D, double>& phi) {
    SolidCells<D>(grid, interface, gravity, phi).for_each_wrong([&](const CellPlace& at) {
        double& value = phi.brick(at.slot)[at.local];
        value = std::copysign(0.5 * grid.dx, -value);
    });
}

template void settle_in_solids(const Grid<2>&, const Interface<2>&, const Vec2&, Field<2, double>&);
template void settle_in_solids(const Grid<3>&, const Interface<3>&, const Vec3&, Field<3, double>&);

}  // namespace tidelock
