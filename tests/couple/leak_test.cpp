/// Nothing passes a solid, however thin it is and however it moves (numerics/transport 2).
#include <gtest/gtest.h>

#include "methods/schur/schur.h"
#include "tank.h"

namespace tidelock {
namespace {

/// A box full of smoke in clear air, shaken and turned; returns what is outside at the end.
template <int D>
void shake(bool shell, double wall_cells, int steps) {
    const int n = D == 2 ? 64 : 32;
    Grid<D> grid;
    grid.cells = Coord<D>::Constant(n);
    grid.dx = 1.0 / n;
    World<D> world;
    world.domain.grid = grid;
    world.fluid = make_smoke<D>(grid, Sides<D>{}, 293);
    const double size = 0.4;
    const Vec<D> middle = Vec<D>::Constant(0.5);
    const auto add_wall = [&](const Vec<D>& edges, const Vec<D>& offset, double thickness) {
        RigidBody<D> body;
        body.name = "wall";
        body.type = BodyType::kinematic;
        set_shape<D>(body, std::make_shared<Box<D>>(edges), 1, thickness, {middle, {}}, "wall");
        body.shape_offset = -offset;
        // The points that look for other bodies move along.
        body.samples = std::make_shared<SurfaceSamples<D>>(body.shape->surface_mesh(64), body.shape_offset);
        body.radius += offset.norm();
        Keyframes<D> keys;
        keys.smooth = true;
        for (int k = 0; k <= 4; ++k) {
            Vec<D> at = middle;
            at[0] += 0.1 * std::sin(2.0 * k);
            at[1] += 0.08 * std::cos(3.0 * k) - 0.08;
            keys.keys.push_back({0.1 * k, {at, turned_by<D>(0.2 * k)}});
        }
        body.motion = keys;
        world.solids.bodies.push_back(body);
    };
    if (shell) {
        add_wall(Vec<D>::Constant(size), Vec<D>::Zero(), 0.02 * grid.dx);
    } else {
        const double wall = wall_cells * grid.dx;
        for (int a = 0; a < D; ++a)
            for (double side : {-1.0, 1.0}) {
                Vec<D> edges = Vec<D>::Constant(size + wall);
                edges[a] = wall;
                add_wall(edges, 0.5 * size * side * Vec<D>::Unit(a), 0);
            }
    }
    const auto inside = [&](const Vec<D>& x, double margin) {
        const auto& body = world.solids.bodies[0];
        const Vec<D> y = body.rotation.matrix().transpose() * (x - body.position);
        return (y.array().abs() < 0.5 * size + margin).all();
    };
    const auto amount = [&](bool outside_only) {
        double sum = 0;
        for (std::ptrdiff_t b = 0; b < world.smoke().set()->count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = first_cell<D>(world.smoke().set()->brick(b)) + local_coord<D>(i);
                if (!grid.contains(cell)) continue;
                if (outside_only && inside(grid.cell_centre(cell), 0)) continue;
                sum += std::abs(world.smoke().density.brick(b)[i]) * std::pow(grid.dx, D);
            }
        return sum;
    };
    const auto interface = build_interface<D>(grid, world.smoke().set(), RigidSurfaces<D>(world.solids.bodies),
                                              InterfaceScheme::constraint);
    for (std::ptrdiff_t b = 0; b < world.smoke().set()->count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(world.smoke().set()->brick(b)) + local_coord<D>(i);
            if (grid.contains(cell) && inside(grid.cell_centre(cell), 0) && interface.solid.brick(b)[i] == 0)
                world.smoke().density.brick(b)[i] = 1;
        }
    SmokeParameters<D> gas;
    gas.fluid_density = 1;
    gas.transport = Transport::maccormack;
    MethodSetup<D> setup;
    setup.fluid = gas;
    Schur<D> schur(setup, {});
    const double dt = 0.4 / steps;
    const double before = amount(false);
    double farthest = 0;
    for (int s = 0; s < steps; ++s) {
        const auto report = schur.advance(world, dt);
        farthest = std::max(farthest, world.solids.bodies[0].velocity.norm() * dt / grid.dx);
        ASSERT_LT(amount(true), 1e-12) << "step " << s;
    }
    EXPECT_GT(farthest, 0.3) << "the box must really be shaken";
    EXPECT_GT(amount(false), 0.3 * before) << "and the smoke must still be in it";
}

TEST(Leak, ShellHoldsSmokeIn2d) { shake<2>(true, 0, 40); }
TEST(Leak, ShellHoldsSmokeInLargeSteps) { shake<2>(true, 0, 10); }
TEST(Leak, WallsOfOneCellHoldSmokeIn2d) { shake<2>(false, 1.0, 40); }
TEST(Leak, ThinWallsHoldSmokeIn2d) { shake<2>(false, 0.1, 40); }
TEST(Leak, ShellHoldsSmokeIn3d) { shake<3>(true, 0, 16); }
TEST(Leak, ThinWallsHoldSmokeIn3d) { shake<3>(false, 0.3, 8); }

}  // namespace
}  // namespace tidelock
