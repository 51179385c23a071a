#include "couple/cut_surface.h"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "base/parallel.h"
#include "geometry/level_set_surface.h"
#include "geometry/mesh_doctor.h"

namespace tidelock {
namespace {

template <int D>
Field<D, double> fill(const Grid<D>& grid, const std::function<double(const Vec<D>&)>& level) {
    Field<D, double> phi(make_dense<D>(lattice_for_faces<D>(grid.cells)), 3 * grid.dx);
    for (std::ptrdiff_t slot = 0; slot < phi.set().count(); ++slot)
        for (int i = 0; i < Brick<D>::cells; ++i)
            phi.brick(slot)[i] = level(grid.cell_centre(first_cell<D>(phi.set().brick(slot)) + local_coord<D>(i)));
    return phi;
}

template <int D>
std::vector<RigidBody<D>> one_body(std::shared_ptr<const Shape<D>> shape, const Placement<D>& place, double skin = 0) {
    std::vector<RigidBody<D>> bodies(1);
    bodies[0].name = "body";
    bodies[0].type = BodyType::fixed;
    set_shape<D>(bodies[0], std::move(shape), 1000, skin, place, "body");
    return bodies;
}

template <int D>
Surface<D> cut(const Grid<D>& grid, const Field<D, double>& phi, const std::vector<RigidBody<D>>& bodies,
               double overlap = 0) {
    return cut_surface<D>(grid, phi, standing_surfaces<D>(bodies), overlap);
}

/// The deepest and the shallowest of the points within a cell of the solid [m].
template <int D>
std::pair<double, double> depth_range(const Surface<D>& surface, const RigidBody<D>& body, double near) {
    std::pair<double, double> out{1e9, -1e9};
    for (const Vec<D>& x : surface.points) {
        const double psi = body.distance(body.pose().to_body(x));
        if (psi < near) out = {std::min(out.first, psi), std::max(out.second, psi)};
    }
    return out;
}

Placement<3> turned(const Vec3& at, double degrees) {
    return {at, Rotation<3>(Eigen::Quaterniond(
                    Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3(0.3, 0.2, 1).normalized())))};
}

void expect_closed(const TriangleMesh& mesh) {
    const MeshReport report = diagnose(mesh);
    EXPECT_EQ(report.count(MeshFaultKind::open_edge), 0) << report.text();
    EXPECT_EQ(report.count(MeshFaultKind::inconsistent_edge), 0) << report.text();
    EXPECT_EQ(report.count(MeshFaultKind::not_finite), 0) << report.text();
}

// A crate under water, at a slant: its volume is missing, but for what chords take at its edges: triangles with legs of at
// most half a cell and an area of at most h^2 / 16, along 4 m.
TEST(CutSurface, SunkenCrateTakesItsVolume) {
    const Grid<3> grid{Coord3(24, 22, 26), 0.05, Vec3(-1, 0.3, 2)};
    const Vec3 middle = 0.5 * (grid.origin + grid.upper());
    const double level = middle[1] + 0.31, pool = 1.2 * 1.3 * (level - grid.origin[1]);
    const auto phi = fill<3>(grid, [&](const Vec3& x) { return x[1] - level; });
    const auto bodies =
        one_body<3>(std::make_shared<Box<3>>(Vec3(0.33, 0.4, 0.27)), turned(middle - Vec3(0, 0.12, 0), 25));
    const TriangleMesh mesh = cut(grid, phi, bodies);
    expect_closed(mesh);
    EXPECT_NEAR(signed_volume(mesh), pool - 0.33 * 0.4 * 0.27, 4 * grid.dx * grid.dx / 16);
    EXPECT_NEAR(signed_volume(level_set_surface(grid, phi)), pool, 1e-3 * pool);  // the level set knows nothing of it
    EXPECT_EQ(diagnose(mesh).components, 2);
    const auto [least, most] = depth_range<3>(mesh, bodies[0], grid.dx);
    EXPECT_NEAR(least, 0, 1e-6 * grid.dx);
    EXPECT_NEAR(most, 0, 0.05 * grid.dx);  // where three of its faces meet
}

// Half under water: the contact line lies on the crate and on the water's surface.
TEST(CutSurface, FloatingCrateIsCutAtItsWaterline) {
    const Grid<3> grid{Coord3::Constant(24), 1.0 / 24, Vec3::Zero()};
    const double level = 0.517;
    const auto phi = fill<3>(grid, [&](const Vec3& x) { return x[1] - level; });
    const auto bodies = one_body<3>(std::make_shared<Box<3>>(Vec3(0.3, 0.3, 0.3)), {Vec3(0.49, 0.53, 0.51), {}});
    const TriangleMesh mesh = cut(grid, phi, bodies);
    expect_closed(mesh);
    EXPECT_NEAR(signed_volume(mesh), level - 0.09 * (level - 0.38), 1e-3 * level);
    EXPECT_GT(depth_range<3>(mesh, bodies[0], grid.dx).first, -1e-6);
    for (const Vec3& x : mesh.points) EXPECT_LT(x[1], level + 0.02 * grid.dx);
}

// A wall far thinner than a cell, at a slant, water at two heights: two pieces, each with its volume. Without the wall
// they are one. The level set changes at the wall from cell to cell, so that near the wall heights are known to half a
// cell over half a cell: 1 % here.
TEST(CutSurface, ThinWallPartsTheLiquid) {
    const Grid<3> grid{Coord3(32, 24, 12), 0.04, Vec3::Zero()};
    for (const double thick : {0.02, 0.3, 0.8, 2.2}) {  // [cells]
        for (const double degrees : {0.0, 17.0, 31.0}) {
            SCOPED_TRACE(std::to_string(thick) + " cells, " + std::to_string(degrees) + " degrees");
            const double c = std::cos(degrees * std::numbers::pi / 180), s = std::sin(degrees * std::numbers::pi / 180);
            const Vec3 middle(0.63, 0.4, 0.24), normal(c, s, 0);
            const Eigen::AngleAxisd turn(degrees * std::numbers::pi / 180, Vec3::UnitZ());
            const auto bodies = one_body<3>(std::make_shared<Box<3>>(Vec3(thick * grid.dx, 6, 6)),
                                            {middle, Rotation<3>(Eigen::Quaterniond(turn))});
            const double left = 0.55, right = 0.31;
            const auto phi =
                fill<3>(grid, [&](const Vec3& x) { return x[1] - (normal.dot(x - middle) < 0 ? left : right); });
            const TriangleMesh mesh = cut(grid, phi, bodies);
            expect_closed(mesh);
            for (const auto& t : mesh.triangles) {
                int beyond = 0;
                for (const int p : t)
                    beyond += normal.dot(mesh.points[static_cast<std::size_t>(p)] - middle) > 0 ? 1 : 0;
                EXPECT_EQ(beyond % 3, 0) << "a triangle passes the wall";
            }
            EXPECT_GE(diagnose(mesh).components, 2);
            EXPECT_GT(depth_range<3>(mesh, bodies[0], grid.dx).first, -1e-3 * grid.dx);
            // Across z all is the same: areas of the plane, of trapezoids up to the wall's faces at half height.
            const double half = 0.5 * thick * grid.dx / c;
            const auto wall = [&](double y) { return middle[0] - (y - middle[1]) * s / c; };
            const double area = left * (wall(0.5 * left) - half) + right * (1.28 - wall(0.5 * right) - half);
            EXPECT_NEAR(signed_volume(mesh) / 0.48, area, 0.01 * area);
        }
    }
}

// Shells are skins: water inside and outside of one are two pieces.
TEST(CutSurface, ShellsPartTheLiquid) {
    const Grid<3> grid{Coord3::Constant(20), 0.05, Vec3::Zero()};
    const auto bodies = one_body<3>(std::make_shared<Sphere<3>>(0.3), {Vec3(0.5, 0.5, 0.5), {}}, 0.02 * grid.dx);
    const auto phi = fill<3>(grid, [](const Vec3&) { return -0.1; });
    const TriangleMesh mesh = cut(grid, phi, bodies);
    expect_closed(mesh);
    EXPECT_EQ(diagnose(mesh).components, 3);  // the outer one has two
    EXPECT_NEAR(signed_volume(mesh), 1, 2e-3);
}

// The level set of a full glass may say liquid or air in its wall, and even liquid beyond: what is inside is seen.
TEST(CutSurface, GlassEndsItsWater) {
    const Grid<2> plane{Coord2(40, 40), 0.025, Vec2::Zero()};
    const double inner = 0.3;
    const auto outside = [&](const Vec2& x) { return (x - Vec2(0.5, 0.5)).norm() - inner; };
    const std::function<double(const Vec2&)> levels[] = {
        [&](const Vec2& x) { return outside(x) - 0.1 * plane.dx; },
        [&](const Vec2& x) { return outside(x) - 0.6 * plane.dx; },
        [&](const Vec2& x) { return outside(x) - 2.2 * plane.dx; },
        // Air from the wall's first cell on.
        [&](const Vec2& x) { return outside(x) < 0 ? std::min(outside(x), -0.5 * plane.dx) : 0.5 * plane.dx; }};
    for (const auto& level : levels) {
        SCOPED_TRACE(&level - levels);
        const auto bodies =
            one_body<2>(std::make_shared<Sphere<2>>(inner + 2 * plane.dx), {Vec2(0.5, 0.5), {}}, 4 * plane.dx);
        const Polyline line = cut(plane, fill<2>(plane, level), bodies);
        // Round as 24 half cells a radius are.
        EXPECT_NEAR(signed_area(line), std::numbers::pi * inner * inner, 2e-3 * std::numbers::pi * inner * inner);
        EXPECT_GT(depth_range<2>(line, bodies[0], plane.dx).first, -1e-9);
    }
}

TEST(CutSurface, OverlapIsWhatWasAskedFor) {
    const Grid<3> grid{Coord3::Constant(20), 0.05, Vec3::Zero()};
    const auto phi = fill<3>(grid, [](const Vec3& x) { return x[1] - 0.512; });
    const auto bodies = one_body<3>(std::make_shared<Sphere<3>>(0.25), {Vec3(0.5, 0.45, 0.5), {}});
    for (const double overlap : {0.01, 0.03}) {
        const TriangleMesh mesh = cut(grid, phi, bodies, overlap);
        expect_closed(mesh);
        const double r = 0.25 - overlap, up = 0.512 - 0.45;
        const double wet = std::numbers::pi / 3 * (r + up) * (r + up) * (2 * r - up);  // of the smaller ball
        // As round as 8 half cells a radius are, or a little better.
        EXPECT_NEAR(0.512 - signed_volume(mesh), wet, 0.015 * wet);
        EXPECT_NEAR(depth_range<3>(mesh, bodies[0], 0).first, -overlap, 1e-3 * grid.dx);
    }
}

TEST(CutSurface, FarFromSolidsItIsTheLevelSets) {
    const Grid<3> grid{Coord3::Constant(24), 1.0 / 24, Vec3::Zero()};
    const auto phi = fill<3>(grid, [](const Vec3& x) { return (x - Vec3(0.5, 0.3, 0.5)).norm() - 0.2; });
    const auto far = one_body<3>(std::make_shared<Sphere<3>>(0.1), {Vec3(0.5, 0.85, 0.5), {}});
    EXPECT_EQ(cut(grid, phi, far).points, level_set_surface(grid, phi).points);
    EXPECT_EQ(cut(grid, phi, {}).points, level_set_surface(grid, phi).points);
    // Beside a solid the rest is not finer than it was, and as round.
    const auto near = one_body<3>(std::make_shared<Sphere<3>>(0.1), {Vec3(0.5, 0.55, 0.5), {}});
    const TriangleMesh mesh = cut(grid, phi, near), plain = level_set_surface(grid, phi);
    expect_closed(mesh);
    EXPECT_LT(mesh.points.size(), 2 * plain.points.size());
    for (const Vec3& x : mesh.points)
        if (x[1] < 0.35) {
            EXPECT_NEAR((x - Vec3(0.5, 0.3, 0.5)).norm(), 0.2, 0.02 * grid.dx);
        }
}

TEST(CutSurface, SameBitsOnAnyThreads) {
    const Grid<3> grid{Coord3::Constant(24), 1.0 / 24, Vec3::Zero()};
    const auto phi = fill<3>(grid, [](const Vec3& x) { return x[1] - 0.5 - 0.1 * x[0]; });
    const auto bodies = one_body<3>(std::make_shared<Sphere<3>>(0.2), {Vec3(0.45, 0.55, 0.5), {}});
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return cut(grid, phi, bodies);
    };
    const TriangleMesh one = run(1), two = run(2);
    EXPECT_FALSE(one.triangles.empty());
    EXPECT_EQ(one.points, two.points);
    EXPECT_EQ(one.triangles, two.triangles);
}

// Water at 1 m/s beside a wall whose faces hold anything, and air behind it that moves at 50 m/s: none of it is seen.
TEST(CutSurface, VelocitiesAreTheFluids) {
    const Grid<3> grid{Coord3(24, 16, 12), 0.05, Vec3::Zero()};
    const double face = 0.613;
    const auto bodies = one_body<3>(std::make_shared<Box<3>>(Vec3(0.12, 4, 4)), {Vec3(face + 0.06, 0.4, 0.3), {}});
    const auto phi = fill<3>(grid, [&](const Vec3& x) { return std::max(x[1] - 0.42, x[0] - face); });
    FaceField<3, double> u(phi.set_ptr(), 0.0);
    for (int a = 0; a < 3; ++a)
        for (std::ptrdiff_t slot = 0; slot < u.set().count(); ++slot)
            for (int i = 0; i < Brick<3>::cells; ++i) {
                const Coord3 at = first_cell<3>(u.set().brick(slot)) + local_coord<3>(i);
                u[a].brick(slot)[i] = grid.position(at, Centring<3>::face(a))[0] > face ? 50 : a == 2 ? 1 : 0;
            }
    const auto surfaces = standing_surfaces<3>(bodies);
    const TriangleMesh mesh = cut_surface<3>(grid, phi, surfaces, 0);
    const auto velocity = cut_surface_velocity<3>(mesh.points, grid, u, surfaces);
    double most = 0;
    for (const Vec3& v : velocity) most = std::max(most, v.norm());
    EXPECT_NEAR(most, 1, 1e-9);
}

}  // namespace
}  // namespace tidelock
