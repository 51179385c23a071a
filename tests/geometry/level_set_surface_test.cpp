#include "geometry/level_set_surface.h"

#include <cmath>
#include <functional>
#include <numbers>

#include "base/parallel.h"
#include "geometry/mesh_doctor.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

template <int D>
Field<D, double> fill(const Grid<D>& grid, const std::function<double(const Vec<D>&)>& distance) {
    Field<D, double> phi(make_dense<D>(lattice_for<D>(grid.cells)), 3 * grid.dx);
    for (std::ptrdiff_t slot = 0; slot < phi.set().count(); ++slot)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(phi.set().brick(slot)) + local_coord<D>(i);
            phi.brick(slot)[i] = distance(grid.cell_centre(cell));
        }
    return phi;
}

Grid<3> cube(int n) { return {Coord3::Constant(n), 1.0 / n, Vec3(2, -1, 0.5)}; }

TriangleMesh sphere(int n, double radius) {
    const Grid<3> grid = cube(n);
    const Vec3 centre = grid.origin + Vec3(0.513, 0.491, 0.507);
    return level_set_surface(grid, fill<3>(grid, [&](const Vec3& x) { return (x - centre).norm() - radius; }));
}

TEST(LevelSetSurface, SphereIsSecondOrder) {
    // 20 cells across, then 40 and 80. Chords and linear interpolation are off by about h^2 / (8 r): 0.1 % of r here.
    const double r = 0.4, volume = 4.0 / 3 * std::numbers::pi * r * r * r, surface = 4 * std::numbers::pi * r * r;
    double volume_error[3], area_error[3];
    for (int level = 0; level < 3; ++level) {
        const TriangleMesh mesh = sphere(25 << level, r);
        EXPECT_TRUE(diagnose(mesh).faults.empty()) << diagnose(mesh).text();
        volume_error[level] = std::abs(signed_volume(mesh) / volume - 1);
        area_error[level] = std::abs(area(mesh) / surface - 1);
    }
    EXPECT_LT(volume_error[0], 0.01);
    EXPECT_LT(area_error[0], 0.01);
    for (int level = 0; level < 2; ++level) {
        EXPECT_NEAR(std::log2(volume_error[level] / volume_error[level + 1]), 2, 0.25);
        EXPECT_NEAR(std::log2(area_error[level] / area_error[level + 1]), 2, 0.25);
    }
}

TEST(LevelSetSurface, HalfFilledBoxIsClosedOnTheWalls) {
    // A tilted surface, so that the contact line runs through cells everywhere.
    const Grid<3> grid{Coord3(24, 20, 28), 0.05, Vec3(-1, 0.3, 2)};
    const Vec3 up = Vec3(0.1, 1, 0.07).normalized(), middle = 0.5 * (grid.origin + grid.upper());
    const TriangleMesh mesh = level_set_surface(grid, fill<3>(grid, [&](const Vec3& x) { return up.dot(x - middle); }));
    EXPECT_TRUE(diagnose(mesh).faults.empty()) << diagnose(mesh).text();
    // A plane through the middle halves the box, and a plane is met exactly but for the mean of crossings at the rim.
    const Vec3 size = grid.upper() - grid.origin;
    EXPECT_NEAR(signed_volume(mesh), 0.5 * size.prod(), 1e-3 * size.prod());
    const Bounds<3> box = bounds(mesh);
    EXPECT_EQ(box.low, grid.origin);
    EXPECT_NEAR(box.high[0], grid.upper()[0], 1e-12);
    EXPECT_NEAR(box.high[2], grid.upper()[2], 1e-12);
    EXPECT_LT(box.high[1], grid.upper()[1]);
}

TEST(LevelSetSurface, FullBoxIsTheBox) {
    const Grid<3> grid{Coord3(9, 17, 8), 0.1, Vec3::Zero()};
    const TriangleMesh mesh = level_set_surface(grid, fill<3>(grid, [](const Vec3&) { return -1.0; }));
    EXPECT_TRUE(diagnose(mesh).faults.empty()) << diagnose(mesh).text();
    const Vec3 size = grid.upper() - grid.origin;
    EXPECT_NEAR(signed_volume(mesh), size.prod(), 1e-12);
    EXPECT_NEAR(area(mesh), 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]), 1e-12);
}

TEST(LevelSetSurface, PoolWithBubbleAndDrop) {
    const Grid<3> grid = cube(40);
    const Vec3 low = grid.origin;
    const auto distance = [&](const Vec3& x) {
        const Vec3 y = x - low;
        const double pool = y[1] - 0.5, bubble = 0.1 - (y - Vec3(0.5, 0.25, 0.4)).norm();
        const double drop = (y - Vec3(0.3, 0.8, 0.5)).norm() - 0.08;
        return std::min(std::max(pool, bubble), drop);
    };
    const TriangleMesh mesh = level_set_surface(grid, fill<3>(grid, distance));
    const MeshReport report = diagnose(mesh);
    EXPECT_TRUE(report.faults.empty()) << report.text();
    EXPECT_EQ(report.components, 3);
    const double ball = 4.0 / 3 * std::numbers::pi;
    EXPECT_NEAR(signed_volume(mesh), 0.5 - ball * 1e-3 + ball * 0.08 * 0.08 * 0.08, 2e-4);
}

TEST(LevelSetSurface, NoiseIsClosed) {
    // Random values: every ambiguous cube there is, at the walls too. Edges may touch, but nothing is open.
    const Grid<3> grid{Coord3(18, 11, 10), 0.1, Vec3::Zero()};
    const Random random(7);
    auto phi = fill<3>(grid, [](const Vec3&) { return 0.0; });
    for (std::ptrdiff_t i = 0; i < phi.set().cells(); ++i)
        phi.data()[i] = random.uniform(static_cast<std::uint64_t>(i), 0, -0.1, 0.1);
    const MeshReport report = diagnose(level_set_surface(grid, phi));
    EXPECT_EQ(report.count(MeshFaultKind::open_edge), 0) << report.text();
    EXPECT_EQ(report.count(MeshFaultKind::inconsistent_edge), 0) << report.text();
    EXPECT_EQ(report.count(MeshFaultKind::not_finite), 0) << report.text();
    EXPECT_GT(report.signed_volume, 0);
}

TEST(LevelSetSurface, ThinFilmAndZerosAreHarmless) {
    const Grid<3> grid = cube(20);
    // A film of a third of a cell that some samples see and others miss, at a slant; then samples that are exactly 0.
    const Vec3 normal = Vec3(0.2, 1, 0.1).normalized(), middle = grid.origin + Vec3::Constant(0.5);
    const double thick = 0.3 / 20;
    const TriangleMesh film = level_set_surface(
        grid, fill<3>(grid, [&](const Vec3& x) { return std::abs(normal.dot(x - middle)) - 0.5 * thick; }));
    for (const Vec3& x : film.points) EXPECT_TRUE(x.allFinite());
    EXPECT_FALSE(film.triangles.empty());
    EXPECT_EQ(diagnose(film).count(MeshFaultKind::open_edge), 0) << diagnose(film).text();
    const double level = grid.cell_centre(Coord3(0, 9, 0))[1];
    const TriangleMesh flat = level_set_surface(grid, fill<3>(grid, [&](const Vec3& x) { return x[1] - level; }));
    EXPECT_TRUE(diagnose(flat).faults.empty()) << diagnose(flat).text();
    EXPECT_NEAR(signed_volume(flat), 9.5 / 20, 2e-3 / 20);
}

TEST(LevelSetSurface, NothingInsideIsAnEmptySurface) {
    const Grid<3> space = cube(12);
    EXPECT_TRUE(level_set_surface(space, fill<3>(space, [](const Vec3&) { return 1.0; })).points.empty());
    const Field<3, double> no_bricks(std::make_shared<BrickSet<3>>(lattice_for<3>(space.cells), std::vector<Coord3>{}));
    EXPECT_TRUE(level_set_surface(space, no_bricks).triangles.empty());
    const Grid<2> plane{Coord2(9, 7), 0.1, Vec2::Zero()};
    EXPECT_TRUE(level_set_surface(plane, fill<2>(plane, [](const Vec2&) { return 1.0; })).points.empty());
}

TEST(LevelSetSurface, SparseBricksGiveTheSameSurface) {
    const Grid<3> grid = cube(64);
    const Vec3 centre = grid.origin + Vec3(0.3, 0.4, 0.35);
    const auto dense = fill<3>(grid, [&](const Vec3& x) { return (x - centre).norm() - 0.15; });
    const auto near = make_where<3>(dense.set().lattice(), [&](const Coord3& b) {
        return (grid.brick_centre(b) - centre).norm() < 0.15 + 2 * grid.brick_half_diagonal();
    });
    ASSERT_LT(near->count(), dense.set().count() / 2);
    const TriangleMesh a = level_set_surface(grid, dense), b = level_set_surface(grid, dense.remapped(near));
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.triangles, b.triangles);
}

TEST(LevelSetSurface, SameBitsOnAnyThreads) {
    const auto run = [](int threads) {
        const ThreadLimit limit(threads);
        return sphere(48, 0.6);  // reaches through all walls
    };
    const TriangleMesh one = run(1), two = run(2);
    EXPECT_FALSE(one.triangles.empty());
    EXPECT_EQ(one.points, two.points);
    EXPECT_EQ(one.triangles, two.triangles);
}

TEST(LevelSetSurface, RefusesWhatIsNotANumber) {
    const Grid<3> grid = cube(8);
    auto phi = fill<3>(grid, [](const Vec3&) { return 1.0; });
    phi.ref(Coord3(3, 4, 5)) = std::nan("");
    expect_contains(error_of([&] { static_cast<void>(level_set_surface(grid, phi)); }), "(3, 4, 5)");
}

/// Every point has one segment that ends and one that begins there.
void expect_loops(const Polyline& line) {
    std::vector<int> balance(line.points.size(), 0), count(line.points.size(), 0);
    for (const auto& [a, b] : line.segments) ++balance[a], --balance[b], ++count[a];
    for (std::size_t i = 0; i < balance.size(); ++i) EXPECT_TRUE(balance[i] == 0 && count[i] == 1) << "point " << i;
}

TEST(LevelSetOutline, DiscIsSecondOrder) {
    double error[3];
    for (int level = 0; level < 3; ++level) {
        const int n = 25 << level;
        const Grid<2> grid{Coord2::Constant(n), 1.0 / n, Vec2(3, -2)};
        const Vec2 centre = grid.origin + Vec2(0.513, 0.491);
        const Polyline line =
            level_set_surface(grid, fill<2>(grid, [&](const Vec2& x) { return (x - centre).norm() - 0.4; }));
        expect_loops(line);
        error[level] = std::abs(signed_area(line) / (0.16 * std::numbers::pi) - 1);
    }
    EXPECT_LT(error[0], 0.01);
    for (int level = 0; level < 2; ++level) EXPECT_NEAR(std::log2(error[level] / error[level + 1]), 2, 0.3);
}

TEST(LevelSetOutline, PoolIsClosedOnTheWalls) {
    const Grid<2> grid{Coord2(33, 20), 0.05, Vec2(-1, 0.3)};
    const Vec2 up = Vec2(0.1, 1).normalized(), middle = 0.5 * (grid.origin + grid.upper());
    const auto pool = [&](const Vec2& x) { return up.dot(x - middle); };
    const Polyline line = level_set_surface(grid, fill<2>(grid, pool));
    expect_loops(line);
    // Straight lines are met exactly, and the contact line lies on a repeated row: off by half a cell's slope.
    const double whole = (grid.upper() - grid.origin).prod();
    EXPECT_NEAR(signed_area(line), 0.5 * whole, 1e-3 * whole);
    EXPECT_EQ(bounds(line).low, grid.origin);
    const Vec2 bubble = middle - Vec2(0.2, 0.25);
    const Polyline holed = level_set_surface(
        grid, fill<2>(grid, [&](const Vec2& x) { return std::max(pool(x), 0.2 - (x - bubble).norm()); }));
    expect_loops(holed);
    const double hole = 0.04 * std::numbers::pi;  // four cells a radius: the outline's chords take 1.4 %
    EXPECT_NEAR(signed_area(line) - signed_area(holed), hole, 0.02 * hole);
}

TEST(LevelSetOutline, FullBoxAndNoise) {
    const Grid<2> grid{Coord2(35, 20), 0.1, Vec2::Zero()};
    const Polyline full = level_set_surface(grid, fill<2>(grid, [](const Vec2&) { return -1.0; }));
    expect_loops(full);
    EXPECT_NEAR(signed_area(full), 7.0, 1e-12);
    const Random random(3);
    auto phi = fill<2>(grid, [](const Vec2&) { return 0.0; });
    for (std::ptrdiff_t i = 0; i < phi.set().cells(); ++i)
        phi.data()[i] = random.uniform(static_cast<std::uint64_t>(i), 0, -0.1, 0.1);
    expect_loops(level_set_surface(grid, phi));
}

TEST(LevelSetSurface, VelocityAtItsPoints) {
    const Grid<3> grid{Coord3(12, 10, 11), 0.1, Vec3(1, 2, 3)};
    FaceField<3, double> u(make_dense<3>(lattice_for_faces<3>(grid.cells)));
    const auto wanted = [](const Vec3& x) { return Vec3(1 + x[0] - x[2], 2 * x[1], x[0] + 3 * x[2]); };
    for (int a = 0; a < 3; ++a)
        for (std::ptrdiff_t slot = 0; slot < u.set().count(); ++slot)
            for (int i = 0; i < Brick<3>::cells; ++i)
                u[a].brick(slot)[i] = wanted(
                    grid.position(first_cell<3>(u.set().brick(slot)) + local_coord<3>(i), Centring<3>::face(a)))[a];
    const std::vector<Vec3> points{{1.4, 2.5, 3.6}, {1.61, 2.33, 3.17}};
    const auto found = velocity_at<3>(points, grid, u);
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT((found[i] - wanted(points[i])).norm(), 1e-12);
}

}  // namespace
}  // namespace tidelock
