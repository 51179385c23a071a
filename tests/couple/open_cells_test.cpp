#include "couple/open_cells.h"

#include <gtest/gtest.h>

#include "geometry/shape.h"

namespace tidelock {
namespace {

RigidBody<2> box_at(const Vec2& size, const Vec2& at) {
    RigidBody<2> body;
    set_shape<2>(body, std::make_shared<Box<2>>(size), 1, 0, {at, {}}, "box");
    return body;
}

// A wall that stands on a floor: cells below its foot are closed, though neither box fills them alone, and the corner
// beside it is open by what both leave.
TEST(OpenCells, WhereSolidsMeetOnlyWhatBothLeaveIsOpen) {
    Grid<2> grid;
    grid.cells = Coord2(16, 16);
    grid.dx = 1;
    // The floor ends at y = 4.4, the wall reaches from x = 5.3 to 7.8.
    const std::vector<RigidBody<2>> bodies{box_at(Vec2(12, 3), Vec2(8, 2.9)), box_at(Vec2(2.5, 6), Vec2(6.55, 7.4))};
    const auto open = open_cells<2>(grid, make_dense<2>(lattice_for<2>(grid.cells)), *standing_surfaces<2>(bodies));
    ASSERT_TRUE(open);
    EXPECT_NEAR(open->at(Coord2(6, 4)), 0, 1e-12);
    EXPECT_NEAR(open->at(Coord2(5, 4)), 0.3 * 0.6, 0.04);  // a corner is cut as a plane in each quarter of the cell
    EXPECT_NEAR(open->at(Coord2(7, 4)), 0.2 * 0.6, 0.04);
    EXPECT_NEAR(open->at(Coord2(3, 4)), 0.6, 1e-12);
    EXPECT_NEAR(open->at(Coord2(5, 8)), 0.3, 1e-12);
    EXPECT_NEAR(open->at(Coord2(3, 8)), 1, 1e-12);
}

// One meter measures liquid after liquid as fresh ones would; beside a wall thinner than a cell each side counts its own.
TEST(OpenCells, AMeterServesMoreThanOnce) {
    Grid<2> grid;
    grid.cells = Coord2(64, 64);
    grid.dx = 1;
    const std::vector<RigidBody<2>> bodies{box_at(Vec2(0.7, 40), Vec2(31.8, 20))};
    const auto set = make_dense<2>(lattice_for<2>(grid.cells));
    const auto surfaces = standing_surfaces<2>(bodies);
    StandingObstacles<2> standing;
    VolumeMeter<2> meter(grid, set, surfaces, standing);
    for (const double level : {10.3, 25.0, 3.1}) {
        Field<2, double> phi(set, 5.0);
        for (const auto& brick : set->bricks())
            for (int i = 0; i < Brick<2>::cells; ++i) {
                const Coord2 cell = first_cell<2>(brick) + local_coord<2>(i);
                const Vec2 x = grid.cell_centre(cell);
                phi.ref(cell) = x[0] < 31.8 ? x[1] - level : 5;  // on the left of the wall
            }
        const double volume = meter.measure(phi);
        EXPECT_EQ(volume, measured_volume<2>(grid, phi, surfaces));
        EXPECT_NEAR(volume, 31.45 * level, 0.003 * 31.45 * level);  // without cells in the wall 1.4 % less
    }
}

}  // namespace
}  // namespace tidelock
