#include "couple/open_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/math.h"
#include "base/parallel.h"
#include "couple/solid_obstacles.h"
#include "fluid/crowding.h"
#include "fluid/visible_surface.h"
#include "fluid/volume.h"
#include "geometry/fractions.h"

namespace tidelock {

namespace {

/// A point a quarter of a cell out of the solid that holds the centre deepest: on the side of the cell's open part,
/// though it may lie in the next cell. Where solids meet it may lie in another: no liquid is in sight there, and the
/// little that is open of such a cell counts as empty.
template <int D>
Vec<D> way_out(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, const Vec<D>& centre) {
    std::optional<std::size_t> deepest;
    double least = 0;
    for (std::size_t n = 0; n < surfaces.parts(); ++n) {
        const Ball<D> ball = surfaces.ball(n, Moment::end);
        if ((centre - ball.centre).norm() > ball.radius) continue;
        if (const double d = surfaces.distance(n, Moment::end, centre); d < least) least = d, deepest = n;
    }
    return deepest ? surfaces.pushed_out(*deepest, centre, 0.25 * grid.dx - least) : centre;
}

/// The share of a cell that several solids leave, from the distance to all of them at 3^D points: where they meet, what
/// one leaves may be what the other fills.
template <int D>
double open_between(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, const std::vector<std::size_t>& parts,
                    const Vec<D>& centre) {
    constexpr int points = power(3, D);
    std::vector<Vec<D>> x;
    for (int n = 0; n < points; ++n) {
        Vec<D> at = centre;
        for (int a = 0, rest = n; a < D; ++a, rest /= 3) at[a] += 0.5 * grid.dx * (rest % 3 - 1);
        x.push_back(at);
    }
    double least[points];
    std::array<double, points> of_part;
    std::fill_n(least, points, std::numeric_limits<double>::infinity());
    for (const std::size_t part : parts) {
        surfaces.distances(part, x, of_part);
        for (int n = 0; n < points; ++n) least[n] = std::min(least[n], of_part[static_cast<std::size_t>(n)]);
    }
    return 1 - cell_fraction(least);
}

/// The shares of one brick's cells.
template <int D>
void open_brick(const Grid<D>& grid, const Coord<D>& brick, const SolidSurfaces<D>& surfaces, double* open) {
    const Vec<D> middle = grid.brick_centre(brick);
    const double reach = grid.brick_half_diagonal() + grid.dx, touch = 0.5 * std::sqrt(double{D});
    std::vector<Vec<D>> centres;
    std::vector<std::size_t> near;
    std::array<double, Brick<D>::cells> distance;
    std::array<std::uint8_t, Brick<D>::cells> touched{};  // by how many solids, two at most
    for (std::size_t n = 0; n < surfaces.parts(); ++n) {
        const Ball<D> ball = surfaces.ball(n, Moment::end);
        if ((middle - ball.centre).norm() > ball.radius + reach || surfaces.distance(n, Moment::end, middle) > reach)
            continue;
        near.push_back(n);
        if (centres.empty())
            for (int i = 0; i < Brick<D>::cells; ++i)
                centres.push_back(grid.cell_centre(first_cell<D>(brick) + local_coord<D>(i)));
        surfaces.distances(n, centres, distance);
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const double cells_away = distance[at] / grid.dx;
            open[i] = std::min(open[i], std::clamp(0.5 + cells_away, 0.0, 1.0));
            if (cells_away < touch && touched[at] < 2) ++touched[at];
        }
    }
    if (near.size() < 2) return;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (touched[at] == 2 && open[i] > 0) open[i] = open_between<D>(grid, surfaces, near, centres[at]);
    }
}

/// How much of a brick's cells is below phi = 0, as it is seen from there: through a wall nothing is.
template <int D>
class WetCell {
  public:
    WetCell(const Grid<D>& grid, const Field<D, double>& phi, const SolidSurfaces<D>& surfaces,
            const SolidObstacles<D>& solids, std::ptrdiff_t slot)
        : grid_(grid),
          phi_(phi),
          surfaces_(surfaces),
          solids_(solids),
          slot_(slot),
          corner_(first_cell<D>(phi.set().brick(slot))),
          sampler_(phi, Centring<D>::cell(), grid),
          visible_(grid, phi, &solids) {}

    /// Of the cell's part that is not solid, which is `open` of it.
    [[nodiscard]] double share(int local, double open) {
        const Coord<D> cell = corner_ + local_coord<D>(local);
        if (!grid_.contains(cell)) return 0;
        const Vec<D> centre = grid_.cell_centre(cell);
        if (open < 0.5) {
            const double there = visible_.read(way_out<D>(grid_, surfaces_, centre));
            return std::clamp(0.5 - there / grid_.dx, 0.0, 1.0);
        }
        const double value = phi_.brick(slot_)[local];
        const bool cut = std::abs(value) < std::sqrt(double{D}) * grid_.dx;
        if (!cut || !solids_.near_brick(slot_) || !near_solid(grid_, solids_.clearance(centre)))
            return liquid_share<D>(grid_, sampler_, cell, value);
        const std::array<double, points> ring = ring_of(cell, centre);
        double halves[points];
        for (int n = 0; n < points; ++n) halves[n] = mean_at(ring, offset_of(n));
        return cell_fraction(halves);
    }

  private:
    static constexpr int points = power(3, D);

    static Coord<D> offset_of(int n) {
        Coord<D> out;
        for (int a = 0; a < D; ++a, n /= 3) out[a] = n % 3 - 1;
        return out;
    }
    static std::size_t place_of(const Coord<D>& offset) {
        int place = 0;
        for (int a = D - 1; a >= 0; --a) place = 3 * place + offset[a] + 1;
        return static_cast<std::size_t>(place);
    }
    /// phi of the cells around; where a solid hides one, phi goes on straight.
    [[nodiscard]] std::array<double, points> ring_of(const Coord<D>& cell, const Vec<D>& centre) const {
        std::array<double, points> ring;
        std::array<bool, points> hidden;
        for (int n = 0; n < points; ++n) {
            const auto at = static_cast<std::size_t>(n);
            const Coord<D> there = (cell + offset_of(n)).cwiseMax(0).cwiseMin(grid_.cells - Coord<D>::Ones());
            ring[at] = phi_.at(there);
            hidden[at] = there != cell && solids_.hides_after(centre, grid_.cell_centre(there));
        }
        const double own = ring[place_of(Coord<D>::Zero())];
        Vec<D> slope = Vec<D>::Zero();
        for (int a = 0; a < D; ++a) {
            double sum = 0;
            int seen = 0;
            for (const int step : {-1, 1}) {
                const std::size_t at = place_of(step * Coord<D>::Unit(a));
                if (!hidden[at]) sum += step * (ring[at] - own), ++seen;
            }
            if (seen > 0) slope[a] = sum / seen;
        }
        for (int n = 0; n < points; ++n)
            if (const auto at = static_cast<std::size_t>(n); hidden[at])
                ring[at] = own + slope.dot(offset_of(n).template cast<double>());
        return ring;
    }
    /// Half-way between cells: the mean of those.
    static double mean_at(const std::array<double, points>& ring, const Coord<D>& offset) {
        double sum = 0;
        for (int n = 0; n < (1 << D); ++n) {
            Coord<D> at = offset;
            for (int a = 0; a < D; ++a)
                if ((n >> a & 1) != 0) at[a] = 0;
            sum += ring[place_of(at)];
        }
        return sum / (1 << D);
    }

    const Grid<D>& grid_;
    const Field<D, double>& phi_;
    const SolidSurfaces<D>& surfaces_;
    const SolidObstacles<D>& solids_;
    std::ptrdiff_t slot_;
    Coord<D> corner_;
    Sampler<D, double> sampler_;
    VisibleSurface<D> visible_;
};

}  // namespace

template <int D>
std::optional<Field<D, double>> open_cells(const Grid<D>& grid, const BrickSetPtr<D>& set,
                                           const SolidSurfaces<D>& surfaces) {
    if (surfaces.parts() == 0) return {};
    Field<D, double> open(set, 1.0);
    parallel_for("open share of cells", set->count(),
                 [&](std::ptrdiff_t b) { open_brick<D>(grid, set->brick(b), surfaces, open.brick(b)); });
    return open;
}

template <int D>
Field<D, double> wet_cells(const Grid<D>& grid, const Field<D, double>& phi,
                           const std::shared_ptr<const SolidSurfaces<D>>& surfaces) {
    const auto open = open_cells<D>(grid, phi.set_ptr(), *surfaces);
    if (!open) return wet_share<D>(grid, phi);
    Field<D, double> wet(phi.set_ptr(), 0.0);
    const SolidObstacles<D> solids = standing_obstacles<D>(grid, phi.set(), surfaces);
    parallel_for("wet cells", phi.set().count(), [&](std::ptrdiff_t b) {
        WetCell<D> cell(grid, phi, *surfaces, solids, b);
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (const double share = open->brick(b)[i]; share > 0) wet.brick(b)[i] = share * cell.share(i, share);
    });
    return wet;
}

template <int D>
double measured_volume(const Grid<D>& grid, const Field<D, double>& phi,
                       const std::shared_ptr<const SolidSurfaces<D>>& surfaces) {
    if (surfaces->parts() == 0) return liquid_volume<D>(grid, phi, nullptr);
    const Field<D, double> wet = wet_cells<D>(grid, phi, surfaces);
    const auto cells = ordered_sum<double>("liquid volume", phi.set().count(), 0.0, [&](std::ptrdiff_t b) {
        return std::accumulate(wet.brick(b), wet.brick(b) + Brick<D>::cells, 0.0);
    });
    return cells * power(grid.dx, D);
}

#define TIDELOCK_INSTANTIATE(D)                                                                   \
    template std::optional<Field<D, double>> open_cells<D>(const Grid<D>&, const BrickSetPtr<D>&, \
                                                           const SolidSurfaces<D>&);              \
    template Field<D, double> wet_cells<D>(const Grid<D>&, const Field<D, double>&,               \
                                           const std::shared_ptr<const SolidSurfaces<D>>&);       \
    template double measured_volume<D>(const Grid<D>&, const Field<D, double>&,                   \
                                       const std::shared_ptr<const SolidSurfaces<D>>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
