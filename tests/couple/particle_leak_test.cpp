/// No particle enters a solid or passes one, however thin it is and however it moves (numerics/transport 2,
/// numerics/particles 4).
#include <gtest/gtest.h>

#include "couple/solid_obstacles.h"
#include "fluid/particle_motion.h"
#include "fluid/particle_seeding.h"

namespace tidelock {
namespace {

template <int D>
Rotation<D> turned_by(double angle) {
    Spin<D> turn = Spin<D>::Zero();
    turn[rotation_dof<D> - 1] = angle;
    return Rotation<D>().turned(turn);
}

/// A closed box full of particles, shaken and turned while a wind blows that knows nothing of it.
template <int D>
struct ShakenBox {
    static constexpr double size = 0.4;
    Grid<D> grid;
    std::vector<RigidBody<D>> bodies;
    Particles<D> particles;

    ShakenBox(bool shell, double wall_cells) {
        grid.cells = Coord<D>::Constant(D == 2 ? 64 : 32);
        grid.dx = 1.0 / grid.cells[0];
        const double wall = wall_cells * grid.dx;
        if (shell) {
            add(Vec<D>::Constant(size), Vec<D>::Zero(), wall);
        } else {
            for (int a = 0; a < D; ++a)
                for (double side : {-1.0, 1.0}) {
                    Vec<D> edges = Vec<D>::Constant(size + wall);
                    edges[a] = wall;
                    add(edges, 0.5 * size * side * Vec<D>::Unit(a), 0);
                }
        }
        particles = seed_particles<D>(
            grid, [&](const Vec<D>& x) { return (x - Vec<D>::Constant(0.5)).cwiseAbs().maxCoeff() - 0.5 * size; }, 1,
            false);
        (void)carve_particles<D>(
            particles, [&](const Vec<D>& x) { return distance(x); }, 0.02 * grid.dx);
    }
    void add(const Vec<D>& edges, const Vec<D>& offset, double thickness) {
        RigidBody<D> body;
        body.type = BodyType::kinematic;
        set_shape<D>(body, std::make_shared<Box<D>>(edges), 1, thickness, {Vec<D>::Constant(0.5), {}}, "wall");
        body.shape_offset = -offset;
        body.radius += offset.norm();
        Keyframes<D> keys;
        keys.smooth = true;
        for (int k = 0; k <= 4; ++k) {
            Vec<D> at = Vec<D>::Constant(0.5);
            at[0] += 0.1 * std::sin(2.0 * k);
            at[1] += 0.08 * std::cos(3.0 * k) - 0.08;
            keys.keys.push_back({0.1 * k, {at, turned_by<D>(0.2 * k)}});
        }
        body.motion = keys;
        bodies.push_back(body);
    }
    [[nodiscard]] double distance(const Vec<D>& x) const {
        double least = 1;
        for (const auto& body : bodies) least = std::min(least, body.distance(body.pose().to_body(x)));
        return least;
    }
    [[nodiscard]] bool inside(const Vec<D>& x) const {
        return (bodies[0].pose().to_body(x).cwiseAbs().array() < 0.5 * size).all();
    }

    /// Wind of `cells` cells a step that turns around from step to step; the bricks are those of the particles.
    void shake(int steps, double cells) {
        const double dt = 0.4 / steps;
        const auto count = particles.size();
        ASSERT_GT(count, 1000);
        std::ptrdiff_t squeezed = 0;
        for (int s = 0; s < steps; ++s) {
            const int rim = static_cast<int>(std::ceil(cells)) + 3;
            const auto set = bricks_of_particles<D>(grid, particles.position, rim);
            FaceField<D, double> u(set, 0.0);
            for (int a = 0; a < D; ++a) u[a].fill(cells * grid.dx / dt * std::sin(1.7 * s + a));
            std::vector<Pose<D>> before;
            std::vector<Twist<D>> twists;
            for (auto& body : bodies) {
                before.push_back(body.pose());
                move<D>(body, s * dt, dt);
                twists.push_back(body.twist());
            }
            const SolidObstacles<D> obstacles(grid, *set,
                                              std::make_shared<const RigidSurfaces<D>>(bodies, before, twists),
                                              2 * cells * std::sqrt(D) * grid.dx);
            const Sides<D> sides;
            const auto report = move_particles<D>({grid, sides, u, dt, &obstacles}, {}, particles);
            EXPECT_EQ(report.gone, 0);
            squeezed += report.squeezed;
            for (const Vec<D>& x : particles.position) {
                ASSERT_TRUE(inside(x)) << "step " << s << " at " << x.transpose();
                ASSERT_GT(distance(x), 0) << "step " << s << " at " << x.transpose();
            }
        }
        // A box leaves room for everything; a few in its corners may be caught between turning walls.
        EXPECT_LE(static_cast<double>(squeezed), 1e-3 * static_cast<double>(count));
    }
};

TEST(ParticleLeak, ShellHoldsParticlesIn2d) { ShakenBox<2>(true, 0.02).shake(40, 2); }
TEST(ParticleLeak, ShellHoldsParticlesInLargeSteps) { ShakenBox<2>(true, 0.02).shake(10, 5); }
TEST(ParticleLeak, WallsOfOneCellHoldParticlesIn2d) { ShakenBox<2>(false, 1.0).shake(40, 2); }
TEST(ParticleLeak, ThinWallsHoldParticlesIn2d) { ShakenBox<2>(false, 0.1).shake(40, 2); }
TEST(ParticleLeak, ShellHoldsParticlesIn3d) { ShakenBox<3>(true, 0.02).shake(8, 2); }
TEST(ParticleLeak, WallsOfOneCellHoldParticlesIn3d) { ShakenBox<3>(false, 1.0).shake(8, 2); }

}  // namespace
}  // namespace tidelock
