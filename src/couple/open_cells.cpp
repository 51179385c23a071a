#include "couple/open_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/math.h"
#include "base/parallel.h"
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
    WetCell(const Grid<D>& grid, const Field<D, double>& phi, const SolidObstacles<D>& solids, std::ptrdiff_t slot)
        : grid_(grid),
          phi_(phi),
          solids_(solids),
          slot_(slot),
          corner_(first_cell<D>(phi.set().brick(slot))),
          sampler_(phi, Centring<D>::cell(), grid) {}

    /// Of the part that is not solid of a cell with its centre in the fluid.
    [[nodiscard]] double share(int local) {
        const Coord<D> cell = corner_ + local_coord<D>(local);
        if (!grid_.contains(cell)) return 0;
        const Vec<D> centre = grid_.cell_centre(cell);
        const double value = phi_.brick(slot_)[local];
        const bool cut = std::abs(value) < std::sqrt(double{D}) * grid_.dx;
        if (!cut || !solids_.near_brick(slot_) || !near_solid(grid_, solid_clearance<D>(grid_, &solids_, centre)))
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
    const SolidObstacles<D>& solids_;
    std::ptrdiff_t slot_;
    Coord<D> corner_;
    Sampler<D, double> sampler_;
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
VolumeMeter<D>::VolumeMeter(const Grid<D>& grid, BrickSetPtr<D> set, std::shared_ptr<const SolidSurfaces<D>> surfaces,
                            StandingObstacles<D>& standing)
    : grid_(grid), set_(std::move(set)), surfaces_(std::move(surfaces)), open_(open_cells<D>(grid, set_, *surfaces_)) {
    if (!open_) return;
    solids_.emplace(standing.on(grid, set_, surfaces_));
    beside_.resize(static_cast<std::size_t>(set_->count()));
}

template <int D>
auto VolumeMeter<D>::cells_beside(std::ptrdiff_t slot) const -> std::vector<Beside> {
    std::vector<Beside> out;
    const Coord<D> corner = first_cell<D>(set_->brick(slot));
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const Coord<D> cell = corner + local_coord<D>(i);
        const double share = open_->brick(slot)[i];
        if (share > 0 && share < 0.5 && grid_.contains(cell))
            out.push_back({i, share, way_out<D>(grid_, *surfaces_, grid_.cell_centre(cell))});
    }
    return out;
}

template <int D>
std::vector<char> VolumeMeter<D>::wet_bricks(const Field<D, double>& phi) const {
    const double near = std::sqrt(double{D}) * grid_.dx;
    std::vector<char> wet(static_cast<std::size_t>(set_->count()) + 1);
    parallel_for("wet bricks", set_->count(), [&](std::ptrdiff_t b) {
        const double* values = phi.brick(b);
        wet[static_cast<std::size_t>(b)] = *std::min_element(values, values + Brick<D>::cells) < near ? 1 : 0;
    });
    return wet;
}

template <int D>
void VolumeMeter<D>::measure_brick(const Field<D, double>& phi, const std::vector<char>& wet, std::ptrdiff_t slot,
                                   double* out) {
    std::fill_n(out, Brick<D>::cells, 0.0);
    if (wet[static_cast<std::size_t>(slot)] != 0) {
        WetCell<D> cell(grid_, phi, *solids_, slot);
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (const double share = open_->brick(slot)[i]; share >= 0.5) out[i] = share * cell.share(i);
    }
    // The place of a cell is less than a cell from it: what is seen there lies in the bricks around.
    if (std::ranges::none_of(set_->neighbours(slot), [&](auto n) { return wet[static_cast<std::size_t>(n)] != 0; }))
        return;
    BesideInBrick& cells = beside_[static_cast<std::size_t>(slot)];
    if (!cells) cells = cells_beside(slot);
    VisibleSurface<D> surface(grid_, phi, &*solids_);
    for (const Beside& at : *cells)
        out[at.local] = at.share * std::clamp(0.5 - surface.read(at.place) / grid_.dx, 0.0, 1.0);
}

template <int D>
Field<D, double> VolumeMeter<D>::wet_cells(const Field<D, double>& phi) {
    if (!open_) return wet_share<D>(grid_, phi);
    Field<D, double> out(set_, 0.0);
    const std::vector<char> wet = wet_bricks(phi);
    parallel_for("wet cells", set_->count(), [&](std::ptrdiff_t b) { measure_brick(phi, wet, b, out.brick(b)); });
    return out;
}

template <int D>
double VolumeMeter<D>::measure(const Field<D, double>& phi) {
    if (!open_) return liquid_volume<D>(grid_, phi);
    const std::vector<char> wet = wet_bricks(phi);
    const auto cells = ordered_sum<double>("liquid volume", set_->count(), 0.0, [&](std::ptrdiff_t b) {
        std::array<double, Brick<D>::cells> shares;
        measure_brick(phi, wet, b, shares.data());
        return std::accumulate(shares.begin(), shares.end(), 0.0);
    });
    return cells * power(grid_.dx, D);
}

template <int D>
double measured_volume(const Grid<D>& grid, const Field<D, double>& phi,
                       const std::shared_ptr<const SolidSurfaces<D>>& surfaces) {
    StandingObstacles<D> standing;
    return VolumeMeter<D>(grid, phi.set_ptr(), surfaces, standing).measure(phi);
}

#define TIDELOCK_INSTANTIATE(D)                                                                   \
    template std::optional<Field<D, double>> open_cells<D>(const Grid<D>&, const BrickSetPtr<D>&, \
                                                           const SolidSurfaces<D>&);              \
    template class VolumeMeter<D>;                                                                \
    template double measured_volume<D>(const Grid<D>&, const Field<D, double>&,                   \
                                       const std::shared_ptr<const SolidSurfaces<D>>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
