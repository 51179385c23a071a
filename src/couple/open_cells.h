/// What solids leave of the cells, and how much liquid is in it.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "grid/activation.h"
#include "solid/rigid_body.h"

namespace tidelock {

/// Signed distance to the nearest body, which must outlive it [m]; infinite without bodies.
template <int D>
DistanceFunction<D> distance_to_bodies(const std::vector<RigidBody<D>>& bodies) {
    return [&bodies](const Vec<D>& x) {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& body : bodies) least = std::min(least, body.distance(body.pose().to_body(x)));
        return least;
    };
}

/// Share of each cell that is not solid, by its centre's distance; empty without bodies.
template <int D>
std::optional<Field<D, double>> open_cells(const Grid<D>& grid, const BrickSetPtr<D>& set,
                                           const std::vector<RigidBody<D>>& bodies);

/// Volume of the liquid {phi < 0} outside of the bodies [m^D]. The level set goes on into solids; a cell whose centre
/// lies in one is open on the side of the nearest surface, and what is there decides: behind a thin wall that is not
/// the liquid in front of it.
template <int D>
double measured_volume(const Grid<D>& grid, const Field<D, double>& phi, const std::vector<RigidBody<D>>& bodies);

}  // namespace tidelock
