#include "couple/first_level.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "couple/level_fit.h"
#include "couple/level_in_solids.h"
#include "couple/solid_obstacles.h"
#include "grid/distance.h"

namespace tidelock {
namespace {

constexpr double air_room = 0.25;      ///< [cells] air beside a surface
constexpr double level_normal = 0.97;  ///< cosine: a surface with this normal is level
constexpr double near_surface = 2.5;   ///< [cells] so far phi goes on as planes
constexpr int rounds = 4;         ///< of cells that phi goes on to: farther from what is known a plane says nothing
constexpr int surface_tries = 4;  ///< steps to the shape's surface: shapes made of several are no distances

/// Cells near solids, and whether the surface that phi knows is one.
template <int D>
class FirstLevel {
  public:
    FirstLevel(const Grid<D>& grid, const DistanceFunction<D>& shape,
               const std::shared_ptr<const SolidSurfaces<D>>& surfaces, const Vec<D>& gravity, Field<D, double>& phi)
        : grid_(grid),
          shape_(shape),
          phi_(phi),
          band_(phi.background()),
          interface_(build_interface<D>(grid, phi.set_ptr(), *surfaces, InterfaceScheme::fractional)),
          ways_(open_ways<D>(interface_)),
          known_(phi.set_ptr(), 0),
          solids_(grid, phi.set(), surfaces, band_ + 2 * grid.dx) {
        if (gravity.norm() > 0) up_ = -gravity.normalized();
    }

    void see(const SolidSurfaces<D>& surfaces, const Vec<D>& gravity) {
        std::vector<CellPlace> hidden = find_hidden();
        if (hidden.empty()) return settle_in_solids<D>(grid_, interface_, surfaces, gravity, phi_, true);
        for (const CellPlace& at : hidden) value(at) = std::copysign(band_, value(at));
        for (int round = 0; round < rounds && go_on(hidden); ++round) {
        }
        settle_in_solids<D>(grid_, interface_, surfaces, gravity, phi_, true);
        DistanceOptions options;
        options.band = band_ / grid_.dx;
        redistance<D, double>(phi_, grid_, options, &ways_);
        settle_in_solids<D>(grid_, interface_, surfaces, gravity, phi_, true);
    }

  private:
    double& value(const CellPlace& at) { return phi_.brick(at.slot)[at.local]; }

    /// Cells of the fluid whose phi is the distance to what is none; of the others those near the surface are known.
    std::vector<CellPlace> find_hidden() {
        const auto& set = phi_.set();
        std::vector<std::vector<CellPlace>> found(static_cast<std::size_t>(set.count()));
        parallel_for("first level", set.count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = first_cell<D>(set.brick(b)) + local_coord<D>(i);
                if (!grid_.contains(cell) || interface_.solid.brick(b)[i] != 0 || interface_.dry.brick(b)[i] != 0)
                    continue;
                const double level = std::abs(phi_.brick(b)[i]);
                if (level >= band_) continue;
                if (!solids_.near_brick(b) || is_seen(grid_.cell_centre(cell)))
                    known_.brick(b)[i] = level < near_surface * grid_.dx ? 1 : 0;
                else
                    found[static_cast<std::size_t>(b)].push_back({static_cast<std::int32_t>(b), i});
            }
        });
        std::vector<CellPlace> all;
        for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
        return all;
    }
    /// Whether air can touch the surface next to a point.
    [[nodiscard]] bool is_seen(const Vec<D>& x) const {
        const double here = shape_(x);
        const Vec<D> from_low = x - grid_.origin, from_high = grid_.upper() - x;
        const double room = std::min({solids_.clearance(x, std::numeric_limits<double>::infinity()).least,
                                      from_low.minCoeff(), from_high.minCoeff()});
        if (room > std::abs(here) + 2 * grid_.dx) return true;
        Vec<D> at = x, normal = Vec<D>::Zero();
        for (int n = 0; n < surface_tries; ++n) {
            const Vec<D> slope = gradient(at);
            const double square = slope.squaredNorm();
            if (!(square > 0)) return true;
            normal = slope / std::sqrt(square);
            const double level = shape_(at);
            at -= level / square * slope;
            if (std::abs(level) < 1e-3 * grid_.dx) break;
        }
        if (normal.dot(up_) > level_normal) return true;  // whatever lies on it or dips in
        if (here < 0) at += air_room * grid_.dx * normal;
        const Vec<D> cells = grid_.to_cells(at);  // the domain's sides are no surfaces either
        const bool inside =
            (cells.array() > 0).all() && (cells.array() < grid_.cells.template cast<double>().array()).all();
        return inside && !solids_.hides_after(x, at);
    }
    [[nodiscard]] Vec<D> gradient(const Vec<D>& x) const {
        const double step = 1e-3 * grid_.dx;
        Vec<D> out;
        for (int a = 0; a < D; ++a)
            out[a] = (shape_(x + step * Vec<D>::Unit(a)) - shape_(x - step * Vec<D>::Unit(a))) / (2 * step);
        return out;
    }
    /// Those beside known cells become known; false if there was none.
    bool go_on(std::vector<CellPlace>& hidden) {
        const LevelFit<D> fit(grid_, ways_, known_, phi_);
        std::vector<double> found(hidden.size(), 0);
        parallel_for("first level: go on", static_cast<std::ptrdiff_t>(hidden.size()), [&](std::ptrdiff_t k) {
            if (const auto plane = fit.at(hidden[static_cast<std::size_t>(k)]); plane && plane->liquid)
                found[static_cast<std::size_t>(k)] = plane->value;
        });
        std::vector<CellPlace> rest;
        for (std::size_t k = 0; k < hidden.size(); ++k) {
            // Farther from the surface phi need not go on straight, and where plane and shape do not agree on the side
            // neither is to be trusted.
            if (found[k] * value(hidden[k]) <= 0 || std::abs(found[k]) > near_surface * grid_.dx) {
                rest.push_back(hidden[k]);
                continue;
            }
            value(hidden[k]) = found[k];
            known_.brick(hidden[k].slot)[hidden[k].local] = 1;
        }
        const bool any = rest.size() < hidden.size();
        hidden = std::move(rest);
        return any;
    }

    const Grid<D>& grid_;
    const DistanceFunction<D>& shape_;
    Field<D, double>& phi_;
    double band_;
    Interface<D> interface_;
    Mask<D> ways_, known_;
    SolidObstacles<D> solids_;
    Vec<D> up_ = Vec<D>::Zero();
};

}  // namespace

template <int D>
void see_first_level(const Grid<D>& grid, const DistanceFunction<D>& shape,
                     const std::shared_ptr<const SolidSurfaces<D>>& surfaces, const Vec<D>& gravity,
                     Field<D, double>& phi) {
    FirstLevel<D>(grid, shape, surfaces, gravity, phi).see(*surfaces, gravity);
}

#define TIDELOCK_INSTANTIATE(D)                                               \
    template void see_first_level(const Grid<D>&, const DistanceFunction<D>&, \
                                  const std::shared_ptr<const SolidSurfaces<D>>&, const Vec<D>&, Field<D, double>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
