#include "couple/solid_obstacles.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/random.h"
#include "fluid/smoke.h"
#include "fluid/visible_velocity.h"
#include "geometry/mesh_shape.h"
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

/// A shape that counts how often it is asked.
template <int D>
class CountingShape final : public Shape<D> {
  public:
    CountingShape(std::shared_ptr<const Shape<D>> of, std::atomic<int>& asked) : of_(std::move(of)), asked_(asked) {}
    [[nodiscard]] double distance(const Vec<D>& x) const override { return ++asked_, of_->distance(x); }
    [[nodiscard]] Vec<D> gradient(const Vec<D>& x) const override { return ++asked_, of_->gradient(x); }
    [[nodiscard]] Bounds<D> bounding_box() const override { return of_->bounding_box(); }
    [[nodiscard]] MassProperties<D> mass_properties() const override { return of_->mass_properties(); }
    [[nodiscard]] Surface<D> surface_mesh(int resolution) const override { return of_->surface_mesh(resolution); }

  private:
    std::shared_ptr<const Shape<D>> of_;
    std::atomic<int>& asked_;
};

/// Solids of several kinds that tumble past each other.
struct Tumblers {
    Grid<3> grid{Coord3::Constant(32), 1.0 / 32, Vec3::Zero()};
    BrickSetPtr<3> set = smoke_bricks<3>(grid, {});
    std::atomic<int> asked = 0;
    std::vector<RigidBody<3>> bodies;
    std::vector<Pose<3>> before;

    explicit Tumblers(const Random& random) {
        const TriangleMesh ring = Torus(0.15, 0.06).surface_mesh(24);
        add(std::make_shared<MeshShape>(ring, MeshDistanceOptions{0.01, 6, 24}), 0, random);
        add(std::make_shared<Box<3>>(Vec3(0.3, 0.2, 0.05)), 0, random);
        add(std::make_shared<Sphere<3>>(0.2), 0.02, random);
    }
    void add(std::shared_ptr<const Shape<3>> shape, double thickness, const Random& random) {
        const auto seed = bodies.size();
        RigidBody<3>& body = bodies.emplace_back();
        const auto turn = [&](std::uint64_t k) {
            return Spin<3>(3 * (random.point<3>(seed + k) - Vec3::Constant(0.5)));
        };
        set_shape<3>(body, std::make_shared<CountingShape<3>>(std::move(shape), asked), 1, thickness,
                     {Vec3::Constant(0.3) + 0.4 * random.point<3>(seed + 100), Rotation<3>().turned(turn(200))},
                     "body");
        before.push_back(body.pose());
        body.position += 0.08 * (random.point<3>(seed + 300) - Vec3::Constant(0.5));
        body.rotation = body.rotation.turned(0.3 * turn(400));
    }
    [[nodiscard]] SolidObstacles<3> moving() const {
        const std::vector<Twist<3>> twists(bodies.size(), Twist<3>::Zero());
        return {grid, *set, std::make_shared<const RigidSurfaces<3>>(bodies, before, twists), 0.1};
    }
    [[nodiscard]] double distance(const Vec3& x, Moment moment) const {
        double least = 1;
        for (std::size_t n = 0; n < bodies.size(); ++n) {
            const Pose<3> pose = moment == Moment::end ? bodies[n].pose() : before[n];
            least = std::min(least, bodies[n].distance(pose.to_body(x)));
        }
        return least;
    }
};

// Samples are hidden from a point exactly if looking along the way to each of them says so, at both ends of the step,
// for a fraction of the asking.
TEST(SolidObstacles, KnownPlacesHideWhatLookingSays) {
    int in_sight = 0, hidden = 0, asked = 0, asked_one_by_one = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Random random(seed);
        Tumblers solids(random);
        const auto obstacles = solids.moving();
        const double dx = solids.grid.dx;
        for (std::uint64_t k = 0; k < 20000; ++k) {
            const Vec3 x = random.point<3>(1000 + k);
            const Moment moment = k % 2 == 0 ? Moment::beginning : Moment::end;
            const double room = solids.distance(x, moment);
            if (room <= 0 || room > 1.5 * dx) continue;
            const int axis = static_cast<int>(k / 2 % 4);
            const Vec3 offset = axis == 3 ? Centring<3>::cell().offset : Centring<3>::face(axis).offset;
            const GridSample<3> low{axis, (solids.grid.to_cells(x) - offset).array().floor().cast<int>()};
            if (low.at.minCoeff() < 0 || low.at.maxCoeff() > 30) continue;
            const auto look = [&] { return obstacles.hidden(x, obstacles.clearance(x, 2 * dx)[moment], moment, low); };
            (void)look();  // places are measured once
            const int start = solids.asked;
            const unsigned found = look();
            const int between = solids.asked;
            for (int n = 0; n < 8; ++n) {
                const Vec3 y = solids.grid.to_world(low.upper(n).at.cast<double>() + offset);
                Vec3 velocity;
                const bool hides =
                    moment == Moment::end ? obstacles.hides_after(x, y) : obstacles.hides(x, y, velocity);
                EXPECT_EQ(found >> n & 1, hides ? 1u : 0u) << x.transpose() << " to " << y.transpose();
                (hides ? hidden : in_sight)++;
            }
            asked += between - start;
            asked_one_by_one += solids.asked - between;
        }
    }
    EXPECT_GT(hidden, 1000);
    EXPECT_GT(in_sight, 1000);
    EXPECT_LT(2 * asked, asked_one_by_one);
}

// A clearance is never more than there is, at either end of the step and in between; what asks for little of it gets
// that without asking the solid.
TEST(SolidObstacles, ClearancesAreLowerBounds) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Random random(seed);
        Tumblers solids(random);
        const auto obstacles = solids.moving();
        const double dx = solids.grid.dx;
        int far = 0, asked = 0;
        for (const int pass : {0, 1})
            for (std::uint64_t k = 0; k < 4000; ++k) {
                const Vec3 x = random.point<3>(1000 + k);
                const int start = solids.asked;
                const Clearance found = obstacles.clearance(x, 2 * dx);
                if (pass == 1 && found.least >= 2 * dx) ++far, asked += solids.asked - start;
                for (const Moment moment : {Moment::beginning, Moment::end}) {
                    const double room = solids.distance(x, moment);
                    EXPECT_LE(found[moment], room + 1e-9);
                    EXPECT_LE(found.least, found[moment]);
                    if (found[moment] < 2 * dx && found.least < 2 * dx && room < 2 * dx) {
                        EXPECT_NEAR(found[moment], room, 1e-9);
                    }
                }
            }
        EXPECT_GT(far, 500);
        EXPECT_LT(asked, far);  // those a little more than that away
    }
}

// Solids that stand are measured once for all stages of a step, whatever velocities they are given.
TEST(SolidObstacles, StandingSolidsAreMeasuredOnce) {
    const Random random(3);
    Tumblers solids(random);
    for (auto& body : solids.bodies) body.velocity = Vec3(1, 2, 3);
    StandingObstacles<3> standing;
    const auto look = [&](const SolidObstacles<3>& obstacles) {
        unsigned sum = 0;
        for (std::uint64_t k = 0; k < 500; ++k) {
            const Vec3 x = random.point<3>(1000 + k);
            const GridSample<3> low{0, solids.grid.to_cells(x).cast<int>().cwiseMin(30)};
            sum = 31 * sum + obstacles.hidden(x, obstacles.clearance(x, 0.06)[Moment::end], Moment::end, low);
        }
        return sum;
    };
    const unsigned first = look(standing.on(solids.grid, solids.set, standing_surfaces<3>(solids.bodies)));
    const int asked_first = solids.asked.exchange(0);
    std::vector<Pose<3>> poses;
    for (const auto& body : solids.bodies) poses.push_back(body.pose());
    const auto without_motion = std::make_shared<const RigidSurfaces<3>>(
        solids.bodies, poses, std::vector<Twist<3>>(poses.size(), Twist<3>::Zero()));
    const auto resting = standing.on(solids.grid, solids.set, without_motion);
    EXPECT_EQ(look(resting), first);
    EXPECT_LT(4 * solids.asked, asked_first);
    EXPECT_EQ(resting.solid_velocity(solids.bodies[1].position), Vec3(Vec3::Zero()));
    solids.bodies[1].position[0] += 0.05;
    const auto moved = standing.on(solids.grid, solids.set, standing_surfaces<3>(solids.bodies));
    EXPECT_NE(look(moved), first);
    EXPECT_EQ(look(moved), look(standing_obstacles<3>(solids.grid, *solids.set, standing_surfaces<3>(solids.bodies))));
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
