#include "couple/solid_obstacles.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "fluid/smoke.h"
#include "fluid/visible_velocity.h"
#include "geometry/shape.h"

namespace tidelock {
namespace {

/// A ball that moves by `way` and turns by `turn` in the step.
struct MovingBall {
    Grid<2> grid;
    BrickSetPtr<2> set;
    std::vector<RigidBody<2>> bodies{1};
    Pose<2> before;

    explicit MovingBall(const Vec2& way, double turn = 0) {
        grid.cells = Coord2(64, 64);
        grid.dx = 1.0 / 64;
        set = smoke_bricks<2>(grid, {});
        set_shape<2>(bodies[0], std::make_shared<Sphere<2>>(0.2), 1, 0, {Vec2(0.5, 0.5), {}}, "ball");
        before = bodies[0].pose();
        bodies[0].position += way;
        bodies[0].rotation = Rotation<2>(turn);
    }
    [[nodiscard]] SolidObstacles<2> obstacles() const {
        const std::vector<Pose<2>> poses{before};
        const std::vector<Twist<2>> twists{bodies[0].twist()};
        return {grid, *set, std::make_shared<const RigidSurfaces<2>>(bodies, poses, twists), 0.2};
    }
};

// numerics/transport 2: a ray that meets a solid stops just before it, on the side of the arrival, and sees the samples
// there.
TEST(SolidObstacles, ClippedWaysEndNextToTheSolidAndSeeTheFluid) {
    for (const Vec2& way : {Vec2(0, 0), Vec2(0.03, -0.01)}) {
        const MovingBall ball(way, 0.2);
        const auto obstacles = ball.obstacles();
        const Random random(5);
        const double touch = 1e-3 * ball.grid.dx;
        int clipped = 0;
        for (std::uint64_t k = 0; k < 2000; ++k) {
            const double around = 6.28 * random.uniform(k, 0), aim = around + random.uniform(k, 1) - 0.5;
            const double away = 0.2 + 0.03 * random.uniform(k, 2) + 2 * touch;
            const Vec2 arrival = ball.bodies[0].position + away * Vec2(std::cos(around), std::sin(around));
            Vec2 departure = arrival - way - 0.06 * Vec2(std::cos(aim), std::sin(aim));
            const Vec2 asked = departure;
            ASSERT_TRUE(obstacles.clip(arrival, departure));
            // Seen from the ball, the way is a straight line that must end on the circle (or miss it).
            const double left = (departure - ball.before.position).norm() - 0.2;
            EXPECT_GT(left, touch);
            if (departure == asked) continue;
            ++clipped;
            EXPECT_LT(left, 12 * touch);  // a step of the trace leaves 1/11 of the distance: 1 - 1/1.1
            Vec2 velocity;
            const Vec2 out = departure + ball.grid.dx * (departure - ball.before.position).normalized();
            EXPECT_FALSE(obstacles.hides(departure, out, velocity));
        }
        EXPECT_GT(clipped, 1500);
    }
}

// What clearances say is what looking says, at both ends of the step; and they say it of most faces in sight.
TEST(SolidObstacles, ClearancesShowNoFaceThatIsHidden) {
    for (const Vec2& way : {Vec2(0, 0), Vec2(0.03, -0.01)}) {
        const MovingBall ball(way, 0.2);
        const auto obstacles = ball.obstacles();
        const Random random(7);
        int shown = 0, in_sight = 0;
        for (std::uint64_t k = 0; k < 4000; ++k) {
            const double around = 6.28 * random.uniform(k, 0), away = 0.2 + 0.06 * random.uniform(k, 1);
            const Vec2 x = ball.bodies[0].position + away * Vec2(std::cos(around), std::sin(around));
            const int axis = static_cast<int>(k % 2);
            Coord2 face = ball.grid.to_cells(x).cast<int>();
            for (int a = 0; a < 2; ++a) face[a] += static_cast<int>(3 * random.uniform(k, 2u + a)) - 1;
            const Vec2 y = ball.grid.position(face, Centring<2>::face(axis));
            const Moment moment = k % 4 < 2 ? Moment::beginning : Moment::end;
            Vec2 velocity;
            const bool sight = moment == Moment::end ? !obstacles.hides_after(x, y) : !obstacles.hides(x, y, velocity);
            const bool shows = obstacles.shows_face(x, obstacles.clearance(x)[moment], moment, axis, face);
            EXPECT_TRUE(sight || !shows) << x.transpose() << " to " << y.transpose();
            in_sight += sight;
            shown += shows;
        }
        EXPECT_GT(shown, in_sight / 2);
    }
}

// Liquid slips along a wall of any turn: a point beside it reads the flow that it sees, without a shear, and across the
// wall what the wall does.
TEST(SolidObstacles, FlowAlongAWallIsReadAsItIs) {
    Grid<2> grid;
    grid.cells = Coord2(64, 64);
    grid.dx = 1.0 / 64;
    const auto set = smoke_bricks<2>(grid, {});
    for (const double angle : {0.0, 0.3, 1.1}) {
        const Vec2 along(std::cos(angle), std::sin(angle)), across(-along[1], along[0]);
        std::vector<RigidBody<2>> bodies(1);
        set_shape<2>(bodies[0], std::make_shared<Box<2>>(Vec2(1.0, 0.2)), 1, 0,
                     {Vec2(0.5, 0.5) - 0.1 * across, Rotation<2>(angle)}, "wall");
        bodies[0].velocity = 0.5 * across;
        const SolidObstacles<2> obstacles = standing_obstacles<2>(grid, *set, standing_surfaces<2>(bodies));
        const Vec2 flow = 3 * along + 0.5 * across;
        FaceField<2, double> u(set, 0.0);
        for (int a = 0; a < 2; ++a) u[a].fill(flow[a]);
        const Random random(3);
        for (const Moment moment : {Moment::beginning, Moment::end}) {
            VisibleVelocity<2> view(grid, u, &obstacles, moment);
            for (std::uint64_t k = 0; k < 500; ++k) {
                const Vec2 x = Vec2(0.5, 0.5) + (random.uniform(k, 0) - 0.5) * 0.6 * along +
                               (0.02 + 0.9 * random.uniform(k, 1)) * grid.dx * across;
                Mat<2> affine;
                const Vec2 v = view.read(x, affine);
                EXPECT_NEAR((v - flow).norm(), 0, 1e-9) << angle;
                EXPECT_NEAR(affine.norm() * grid.dx, 0, 1e-9) << angle;
            }
        }
    }
}

}  // namespace
}  // namespace tidelock
