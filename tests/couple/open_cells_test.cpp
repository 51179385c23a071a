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

}  // namespace
}  // namespace tidelock
