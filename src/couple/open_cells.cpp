#include "couple/open_cells.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/parallel.h"
#include "couple/solid_obstacles.h"
#include "fluid/visible_surface.h"
#include "fluid/volume.h"

namespace tidelock {

namespace {

/// A point a quarter of a cell out of the body that holds the centre deepest: on the side of the cell's open part,
/// though it may lie in the next cell. Where bodies meet it may lie in another: no liquid is in sight there, and the
/// little that is open of such a cell counts as empty.
template <int D>
Vec<D> way_out(const Grid<D>& grid, const std::vector<RigidBody<D>>& bodies, const Vec<D>& centre) {
    const RigidBody<D>* deepest = nullptr;
    double least = 0;
    for (const auto& body : bodies) {
        if ((centre - body.position).norm() > body.radius) continue;
        if (const double d = body.distance(body.pose().to_body(centre)); d < least) least = d, deepest = &body;
    }
    if (deepest == nullptr) return centre;
    const Pose<D> pose = deepest->pose();
    const Vec<D> place = pose.to_body(centre);
    return pose.to_world(place + (0.25 * grid.dx - least) * deepest->normal(place));
}

}  // namespace

template <int D>
std::optional<Field<D, double>> open_cells(const Grid<D>& grid, const BrickSetPtr<D>& set,
                                           const std::vector<RigidBody<D>>& bodies) {
    if (bodies.empty()) return {};
    Field<D, double> open(set, 1.0);
    parallel_for("open share of cells", set->count(), [&](std::ptrdiff_t b) {
        const Coord<D> corner = first_cell<D>(set->brick(b));
        const Vec<D> middle = grid.brick_centre(set->brick(b));
        const double reach = grid.brick_half_diagonal() + grid.dx;
        for (const auto& body : bodies) {
            const Pose<D> pose = body.pose();
            if ((middle - body.position).norm() > body.radius + reach || body.distance(pose.to_body(middle)) > reach)
                continue;
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const double d = body.distance(pose.to_body(grid.cell_centre(corner + local_coord<D>(i))));
                open.brick(b)[i] = std::min(open.brick(b)[i], std::clamp(0.5 + d / grid.dx, 0.0, 1.0));
            }
        }
    });
    return open;
}

template <int D>
double measured_volume(const Grid<D>& grid, const Field<D, double>& phi, const std::vector<RigidBody<D>>& bodies) {
    auto open = open_cells<D>(grid, phi.set_ptr(), bodies);
    if (!open) return liquid_volume<D>(grid, phi, nullptr);
    const SolidObstacles<D> solids = standing_obstacles<D>(grid, phi.set(), bodies);
    const auto beside = ordered_sum<double>("liquid beside solids", phi.set().count(), 0.0, [&](std::ptrdiff_t b) {
        VisibleSurface<D> surface(grid, phi, &solids);
        const Coord<D> corner = first_cell<D>(phi.set().brick(b));
        double sum = 0;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = corner + local_coord<D>(i);
            double& share = open->brick(b)[i];
            if (share <= 0 || share >= 0.5 || !grid.contains(cell)) continue;
            const double there = surface.read(way_out<D>(grid, bodies, grid.cell_centre(cell)));
            sum += share * std::clamp(0.5 - there / grid.dx, 0.0, 1.0);
            share = 0;  // liquid_volume leaves it out
        }
        return sum;
    });
    return liquid_volume<D>(grid, phi, &*open) + beside * power(grid.dx, D);
}

#define TIDELOCK_INSTANTIATE(D)                                                                   \
    template std::optional<Field<D, double>> open_cells<D>(const Grid<D>&, const BrickSetPtr<D>&, \
                                                           const std::vector<RigidBody<D>>&);     \
    template double measured_volume<D>(const Grid<D>&, const Field<D, double>&, const std::vector<RigidBody<D>>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
