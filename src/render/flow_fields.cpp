#include "render/flow_fields.h"

#include <cmath>

namespace tidelock {
namespace {

/// Calls f(cell) for every cell of the grid in an active brick and stores the result.
template <class F>
Field<2, double> each_cell(const FaceField<2, double>& velocity, const Grid<2>& grid, F&& f) {
    Field<2, double> out(velocity.set_ptr());
    parallel_for("flow field", velocity.set().count(), [&](std::ptrdiff_t slot) {
        for (int i = 0; i < Brick<2>::cells; ++i) {
            const Coord2 cell = first_cell<2>(velocity.set().brick(slot)) + local_coord<2>(i);
            if (grid.contains(cell)) out.brick(slot)[i] = f(cell);
        }
    });
    return out;
}

Vec2 middle_velocity(const FaceField<2, double>& u, const Coord2& cell) {
    return {0.5 * (u[0].at(cell) + u[0].at(cell + Coord2(1, 0))), 0.5 * (u[1].at(cell) + u[1].at(cell + Coord2(0, 1)))};
}

}  // namespace

Field<2, double> flow_speed(const FaceField<2, double>& velocity, const Grid<2>& grid) {
    return each_cell(velocity, grid, [&](const Coord2& cell) { return middle_velocity(velocity, cell).norm(); });
}

Field<2, double> flow_vorticity(const FaceField<2, double>& velocity, const Grid<2>& grid) {
    return each_cell(velocity, grid, [&](const Coord2& cell) {
        double slope[2];  // of the other component, along each axis
        for (int a = 0; a < 2; ++a) {
            Coord2 low = cell, high = cell;
            if (low[a] > 0) --low[a];
            if (high[a] < grid.cells[a] - 1) ++high[a];
            const int span = high[a] - low[a];
            const double change = middle_velocity(velocity, high)[1 - a] - middle_velocity(velocity, low)[1 - a];
            slope[a] = span > 0 ? change / (span * grid.dx) : 0.0;
        }
        return slope[0] - slope[1];
    });
}

}  // namespace tidelock
