#include "couple/level_in_solids.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "couple/level_fit.h"
#include "grid/neighbour_cell.h"

namespace tidelock {
namespace {

constexpr double kept = 0.01,
                 kept_far = 0.3;     ///< [cells] phi that is off by less stays; far: no cell beside the surface is seen
constexpr double closing_gap = 0.1;  ///< [cells] air before a wall, or liquid on it, that counts as none
constexpr double level_from = 0.9, level_at = 0.97;  ///< cosines: how far from upright the normal of a level surface is
constexpr double deep = 1.5;                         ///< [cells] a surface farther away is not in the cell
constexpr int layers = 3;                            ///< of cells without a pressure

template <int D>
class Settler {
  public:
    Settler(const Grid<D>& grid, const Interface<D>& interface, const SolidSurfaces<D>& surfaces, const Vec<D>& gravity,
            bool anew, Field<D, double>& phi)
        : grid_(grid),
          interface_(interface),
          surfaces_(surfaces),
          anew_(anew),
          phi_(phi),
          set_(phi.set()),
          band_(phi.background() > 0 ? phi.background() : nothing),
          ways_(open_ways<D>(interface)),
          known_(phi.set_ptr(), 0) {
        if (gravity.norm() > 0) up_ = -gravity.normalized();
        parallel_for("cells of the fluid", set_.count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i)
                known_.brick(b)[i] = interface.solid.brick(b)[i] == 0 && interface.dry.brick(b)[i] == 0 ? 1 : 0;
        });
    }

    void settle() {
        std::vector<CellPlace> cells = solid_cells([&](const CellPlace& at) { return !is_dry(at); });
        while (!cells.empty()) {  // those that see no cell of the fluid go on from those that do
            std::vector<double> found(cells.size(), nothing);
            parallel_for("level in solids", static_cast<std::ptrdiff_t>(cells.size()), [&](std::ptrdiff_t k) {
                const CellPlace& at = cells[static_cast<std::size_t>(k)];
                if (const auto plane = LevelFit<D>(grid_, ways_, known_, phi_).at(at))
                    found[static_cast<std::size_t>(k)] = keep(at, *plane, level(at, *plane));
            });
            if (!take(cells, found)) break;
        }
    }

    void continue_beyond() {
        std::vector<CellPlace> cells = solid_cells([&](const CellPlace& at) { return is_dry(at); });
        for (int layer = 0; layer < layers && !cells.empty(); ++layer) {
            std::vector<double> found(cells.size(), nothing);
            parallel_for("level beyond", static_cast<std::ptrdiff_t>(cells.size()), [&](std::ptrdiff_t k) {
                found[static_cast<std::size_t>(k)] = straight_on(cells[static_cast<std::size_t>(k)]);
            });
            std::vector<CellPlace> done = cells;
            if (!take(cells, found)) break;
            cells = next_layer(done);
        }
    }

  private:
    static constexpr double nothing = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool is_dry(const CellPlace& at) const { return interface_.dry.brick(at.slot)[at.local] != 0; }
    [[nodiscard]] bool is_known(const CellPlace& at) const { return known_.brick(at.slot)[at.local] != 0; }
    [[nodiscard]] Coord<D> coord(const CellPlace& at) const {
        return first_cell<D>(set_.brick(at.slot)) + local_coord<D>(at.local);
    }
    [[nodiscard]] CellPlace next(const CellPlace& at, int axis, int step) const {
        const auto [slot, local] = neighbour_cell<D>(set_, at.slot, at.local, axis, step);
        return {slot, local};
    }
    static void sort(std::vector<CellPlace>& cells) {
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    }

    /// The cells beside faces of solids that are solid or dry, and f.
    template <class F>
    [[nodiscard]] std::vector<CellPlace> solid_cells(F&& f) const {
        std::vector<CellPlace> cells;
        for (const BodyFace& face : interface_.faces)
            for (const CellPlace& at : {CellPlace{face.slot, face.local}, next({face.slot, face.local}, face.axis, -1)})
                if (at.slot != set_.void_slot() && !is_known(at) && f(at)) cells.push_back(at);
        sort(cells);
        return cells;
    }
    /// Sets what was found; `cells` are the others afterwards. False if nothing was.
    bool take(std::vector<CellPlace>& cells, const std::vector<double>& found) {
        std::vector<CellPlace> rest;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (found[k] == nothing) {
                rest.push_back(cells[k]);
                continue;
            }
            phi_.brick(cells[k].slot)[cells[k].local] = found[k];
            known_.brick(cells[k].slot)[cells[k].local] = 1;
        }
        const bool any = rest.size() < cells.size();
        cells = std::move(rest);
        return any;
    }

    /// What a cell had, if that is near enough to what a plane says: distances far from the surface are not exact, and
    /// liquid at rest is to stay so.
    [[nodiscard]] double keep(const CellPlace& at, const LevelPlane<D>& plane, double value) const {
        const double old = phi_.brick(at.slot)[at.local], most = plane.near_surface ? kept : kept_far;
        return !anew_ && std::abs(value - old) < most * grid_.dx ? old : value;
    }
    /// What a plane says in a cell with a solid centre.
    [[nodiscard]] double level(const CellPlace& at, const LevelPlane<D>& plane) const {
        if (std::abs(plane.value) > deep * grid_.dx) return std::clamp(plane.value, -band_, band_);
        const double upright = plane.slope.dot(up_) / std::max(std::sqrt(plane.slope.squaredNorm()), 1e-12);
        const double steep = std::clamp((level_at - upright) / (level_at - level_from), 0.0, 1.0);
        if (steep == 0) return plane.value;
        const Vec<D> x = grid_.cell_centre(coord(at));
        const double rise = plane.slope.dot(wall_near(at, x) - x);
        const double gap = closing_gap * grid_.dx;
        if (plane.value < 0) return rise > 0 ? plane.value + steep * (rise + gap) : plane.value;
        return rise < 0 ? plane.value + steep * (rise - gap) : plane.value;
    }
    /// The solids at a cell's faces.
    [[nodiscard]] std::vector<std::size_t> solids_at(const CellPlace& at) const {
        std::vector<std::size_t> out;
        for (int a = 0; a < D; ++a)
            for (const CellPlace& above : {at, next(at, a, 1)}) {
                if (above.slot == set_.void_slot()) continue;
                const std::ptrdiff_t n = face_at<D>(interface_, above.slot, above.local, a);
                if (n < 0) continue;
                const BodyFace& face = interface_.faces[static_cast<std::size_t>(n)];
                for (std::int32_t s = face.first; s < face.first + face.count; ++s)
                    out.push_back(static_cast<std::size_t>(interface_.shares[static_cast<std::size_t>(s)].body));
            }
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }
    /// The nearest point on the surface of a solid that holds x and of no other; x if there is none.
    [[nodiscard]] Vec<D> wall_near(const CellPlace& at, const Vec<D>& x) const {
        const std::vector<std::size_t> solids = solids_at(at);
        const double touch = 1e-3 * grid_.dx;
        double least = std::numeric_limits<double>::infinity();
        Vec<D> found = x;
        for (const std::size_t n : solids) {
            const double depth = -surfaces_.distance(n, Moment::end, x);
            if (depth < 0 || depth >= least) continue;
            const Vec<D> wall = surfaces_.pushed_out(n, x, depth);
            const bool covered = std::any_of(solids.begin(), solids.end(), [&](std::size_t other) {
                return other != n && surfaces_.distance(other, Moment::end, wall) < touch;
            });
            if (!covered) least = depth, found = wall;
        }
        return found;
    }

    /// Straight on from known neighbours; the liquid's if they do not agree.
    [[nodiscard]] double straight_on(const CellPlace& at) const {
        double sum[2] = {0, 0};
        int count[2] = {0, 0};
        for (int a = 0; a < D; ++a)
            for (const int step : {-1, 1}) {
                const CellPlace near = next(at, a, step);
                if (near.slot == set_.void_slot() || !is_known(near) || !grid_.contains(coord(near))) continue;
                const CellPlace far = next(near, a, step);
                double value = phi_.brick(near.slot)[near.local];
                const std::size_t side = value < 0 ? 0 : 1;
                if (far.slot != set_.void_slot() && is_known(far) && grid_.contains(coord(far)))
                    value = 2 * value - phi_.brick(far.slot)[far.local];
                sum[side] += value;
                ++count[side];
            }
        for (const int side : {0, 1})
            if (count[side] > 0) return std::clamp(sum[side] / count[side], -band_, band_);
        return nothing;
    }
    [[nodiscard]] std::vector<CellPlace> next_layer(const std::vector<CellPlace>& cells) const {
        std::vector<CellPlace> out;
        for (const CellPlace& at : cells)
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    const CellPlace to = next(at, a, step);
                    if (to.slot != set_.void_slot() && !is_known(to) && is_dry(to) && grid_.contains(coord(to)))
                        out.push_back(to);
                }
        sort(out);
        return out;
    }

    const Grid<D>& grid_;
    const Interface<D>& interface_;
    const SolidSurfaces<D>& surfaces_;
    bool anew_;
    Field<D, double>& phi_;
    const BrickSet<D>& set_;
    double band_;  ///< phi is a distance up to here [m]
    Mask<D> ways_, known_;
    Vec<D> up_ = Vec<D>::Zero();
};

}  // namespace

template <int D>
void settle_in_solids(const Grid<D>& grid, const Interface<D>& interface, const SolidSurfaces<D>& surfaces,
                      const Vec<D>& gravity, Field<D, double>& phi, bool anew) {
    Settler<D> settler(grid, interface, surfaces, gravity, anew, phi);
    settler.settle();
    settler.continue_beyond();
}

template void settle_in_solids(const Grid<2>&, const Interface<2>&, const SolidSurfaces<2>&, const Vec2&,
                               Field<2, double>&, bool);
template void settle_in_solids(const Grid<3>&, const Interface<3>&, const SolidSurfaces<3>&, const Vec3&,
                               Field<3, double>&, bool);

}  // namespace tidelock
