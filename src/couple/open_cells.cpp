#include "couple/open_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/math.h"
#include "base/parallel.h"
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
    counted_ = open_->remapped(set_);
    parallel_for("cells in solids", set_->count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (double& share = counted_->brick(b)[i]; share < 0.5) share = 0;
    });
}

template <int D>
auto VolumeMeter<D>::cells_beside(std::ptrdiff_t slot) const -> std::vector<Beside> {
    std::vector<Beside> out;
    const Coord<D> corner = first_cell<D>(set_->brick(slot));
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const Coord<D> cell = corner + local_coord<D>(i);
        const double share = open_->brick(slot)[i];
        if (share > 0 && share < 0.5 && grid_.contains(cell))
            out.push_back({share, way_out<D>(grid_, *surfaces_, grid_.cell_centre(cell))});
    }
    return out;
}

template <int D>
double VolumeMeter<D>::measure(const Field<D, double>& phi) {
    if (!open_) return liquid_volume<D>(grid_, phi, nullptr);
    const double shallow = 0.5 * grid_.dx;
    std::vector<char> wet(static_cast<std::size_t>(set_->count()) + 1);
    parallel_for("wet bricks", set_->count(), [&](std::ptrdiff_t b) {
        const double* values = phi.brick(b);
        wet[static_cast<std::size_t>(b)] = *std::min_element(values, values + Brick<D>::cells) < shallow ? 1 : 0;
    });
    const auto beside = ordered_sum<double>("liquid beside solids", set_->count(), 0.0, [&](std::ptrdiff_t b) {
        // The place of a cell is less than a cell from it: what is seen there lies in the bricks around.
        if (std::ranges::none_of(set_->neighbours(b), [&](auto n) { return wet[static_cast<std::size_t>(n)] != 0; }))
            return 0.0;
        BesideInBrick& cells = beside_[static_cast<std::size_t>(b)];
        if (!cells) cells = cells_beside(b);
        VisibleSurface<D> surface(grid_, phi, &*solids_);
        double sum = 0;
        for (const Beside& at : *cells) sum += at.share * std::clamp(0.5 - surface.read(at.place) / grid_.dx, 0.0, 1.0);
        return sum;
    });
    return liquid_volume<D>(grid_, phi, &*counted_) + beside * power(grid_.dx, D);
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
