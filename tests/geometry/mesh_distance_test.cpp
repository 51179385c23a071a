#include "geometry/mesh_distance.h"

#include <cmath>

#include "geometry/distance_band.h"
#include "geometry/mesh_repair.h"
#include "geometry/mesh_shape.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

/// Points in a box around the mesh, one and a half times its size.
Vec3 around(const Bounds<3>& box, const Random& random, std::uint64_t i) {
    return box.low + (1.5 * random.point<3>(i) - Vec3::Constant(0.25)).cwiseProduct(box.size());
}

/// Sign against ray parity, value against the exact distance, at n random points.
void check_distance(const TriangleMesh& mesh, std::uint64_t n, double voxel_size) {
    const MeshDistance distance(mesh, {voxel_size, 3});
    const double h = distance.voxel_size();
    const Random random(51);
    std::uint64_t inside = 0;
    double worst = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const Vec3 x = around(bounds(mesh), random, i);
        const double d = distance.distance(x), exact = distance.exact_distance(x);
        inside += exact < 0;
        if (std::abs(exact) > h) {
            ASSERT_EQ(d < 0, exact < 0) << "at " << x.transpose() << ": " << d << " against " << exact;
        }
        worst = std::max(worst, std::abs(d - exact));
        if (std::abs(exact) > 5 * h) {
            ASSERT_NEAR(d, exact, 1e-12 * h);  // beyond the band: the same numbers
        }
        ASSERT_NEAR(distance.gradient(x).norm(), 1, 1e-12);
    }
    // Trilinear interpolation of a function of slope one: at most half a cell's diagonal, even at creases.
    EXPECT_LT(worst, 0.87 * h);
    EXPECT_GT(inside, n / 50);
}

}  // namespace

TEST(MeshDistance, BunnySignAgreesWithRayParity) {
    TIDELOCK_READ_ASSET(mesh, "bunny.ply");
    check_distance(mesh, 10000, 0);
}

TEST(MeshDistance, DragonSignAgreesWithRayParity) {
    TIDELOCK_READ_ASSET(mesh, "dragon.ply");
    check_distance(mesh, 2000, 0.5);
}

TEST(MeshDistance, SmoothSurfaceIsSecondOrder) {
    // A finely meshed sphere: its own deviation, 1 - cos(pi / 400) = 3e-5, is below the interpolation error.
    const Sphere<3> sphere(1);
    const TriangleMesh mesh = sphere.surface_mesh(400);
    const Random random(52);
    const auto error = [&](double h) {
        const MeshDistance distance(mesh, {h, 3});
        double worst = 0;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const Vec3 x = random_direction<3>(random, i) * random.uniform(i, 20, 1 - h, 1 + h);
            worst = std::max(worst, std::abs(distance.distance(x) - sphere.distance(x)));
            EXPECT_LT((distance.gradient(x) - sphere.gradient(x)).norm(),
                      1.5 * h);  // first order: half a cell of turning
        }
        return worst;
    };
    // Trilinear interpolation errs by h^2 / 8 times the second derivatives: 1 / r in two directions, r > 1 - 2 h.
    for (const double h : {0.1, 0.05}) EXPECT_LT(error(h), h * h / (4 * (1 - 2 * h)) + 1e-4);
}

// Blocks of voxels around 0, some of them in the band: values at all eight voxels around a point, or none.
TEST(DistanceBand, FindsWhatWasStored) {
    const auto value = [](const Coord3& at) {
        const int radius = at.cwiseAbs().maxCoeff();
        if (radius > 140) return DistanceBand::beyond;
        if (radius < 100) return -DistanceBand::beyond;
        return static_cast<float>(radius - 120) + 0.25f;
    };
    DistanceBand band(Coord3::Constant(-2), Coord3::Constant(2));
    for (int i = -18; i < 18; ++i)
        for (int j = -18; j < 18; ++j)
            for (int k = -18; k < 18; ++k) {
                const Coord3 block(i, j, k);
                const int near =
                    (8 * block).cwiseAbs().cwiseMin((8 * block + Coord3::Constant(7)).cwiseAbs()).maxCoeff();
                if (near < 90)
                    band.set_block_side(block, true);
                else if (near <= 148)
                    band.add_block(block, value);
            }
    const Random random(4);
    int stored = 0;
    for (std::uint64_t k = 0; k < 20000; ++k) {
        const Coord3 at = (320 * (random.point<3>(k) - Vec3::Constant(0.5))).array().floor().cast<int>();
        DistanceBand::Corners found;
        bool all = true;
        for (int c = 0; c < 8; ++c) all = all && std::isfinite(value(at + Coord3(c & 1, c >> 1 & 1, c >> 2)));
        ASSERT_EQ(band.corners(at, found), all) << at.transpose();
        ASSERT_EQ(band.inside(at), value(at) < 0) << at.transpose();
        for (int c = 0; c < 8 && all; ++c) ASSERT_EQ(found.value[c], value(at + Coord3(c & 1, c >> 1 & 1, c >> 2)));
        stored += all ? 1 : 0;
    }
    EXPECT_GT(stored, 4000);
    EXPECT_FALSE(band.inside(Coord3::Constant(5000)));
}

TEST(MeshDistance, CavitiesAreOutside) {
    TriangleMesh mesh = Sphere<3>(1).surface_mesh(48);
    TriangleMesh hole = Sphere<3>(0.6).surface_mesh(48);
    flip(hole);
    const int first = static_cast<int>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), hole.points.begin(), hole.points.end());
    for (const auto& [a, b, c] : hole.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
    const MeshDistance distance(mesh, {0.05, 3});
    // Meshes are inscribed: 1 - cos(pi / 48) = 2e-3 off, plus interpolation h^2 / 4.
    for (const double along : {0.0, 0.3, 0.55, 0.65, 0.8, 1.5}) {
        const Vec3 x(along, 0.01, 0.02);
        EXPECT_NEAR(distance.distance(x), std::max(0.6 - x.norm(), x.norm() - 1), 4e-3) << along;
    }
}

TEST(MeshDistance, OverlappingPartsAreOneSolid) {
    TriangleMesh mesh = Sphere<3>(1).surface_mesh(32);
    TriangleMesh other = mesh;
    transform(other, Mat3::Identity(), {0.8, 0, 0});
    const int first = static_cast<int>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
    const MeshDistance distance(mesh, {0.05, 3});
    EXPECT_LT(distance.distance({0.4, 0, 0}), 0);  // inside both
    EXPECT_LT(distance.distance({-0.5, 0, 0}), 0);
    EXPECT_GT(distance.distance({0.4, 1.2, 0}), 0);
}

TEST(MeshDistance, OptionsAreChecked) {
    const TriangleMesh mesh = Box<3>({1, 1, 1}).surface_mesh(4);
    expect_contains(error_of([&] { MeshDistance d(mesh, {-1, 3}); }), "must be finite and >= 0 m");
    expect_contains(error_of([&] { MeshDistance d(mesh, {0.1, 1}); }), "must be from 3 to 100 voxels, got 1");
    expect_contains(error_of([&] { MeshDistance d(mesh, {1e-6, 3}); }), "must be at least 1/5000");
    EXPECT_NEAR(MeshDistance(mesh).voxel_size(), std::sqrt(3) / 100, 1e-15);
}

TEST(MeshDistance, FarAwayIsFine) {
    const MeshDistance distance(Box<3>({1, 1, 1}).surface_mesh(4));
    EXPECT_NEAR(distance.distance({1e9, 0, 0}), 1e9 - 0.5, 1e-6);  // rounding of 1e9
    EXPECT_LT((distance.gradient({1e9, 0, 0}) - Vec3::UnitX()).norm(), 1e-9);
    EXPECT_NEAR(distance.distance({0, 0, 0}), -0.5, 1e-12);
}

// Beyond the band, the lattice gives a distance that is not much too small and never dangerously too great; the sign
// stays, and the band itself does not change.
TEST(MeshDistance, TheFarLatticeIsALowerBound) {
    TIDELOCK_READ_ASSET(mesh, "bunny.ply");
    MeshDistanceOptions options;
    const MeshDistance exact(mesh, options);
    options.far_cells = 32;
    const MeshDistance quick(mesh, options);
    const Bounds<3> box = bounds(mesh);
    const double spacing = box.diagonal() / options.far_cells;
    const Random random(5);
    double above = 0, below = 0;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Vec3 x = box.centre() + box.diagonal() * (random.point<3>(i) - Vec3::Constant(0.5)) * 1.4;
        const double d = exact.distance(x), q = quick.distance(x);
        if (std::abs(d) < 1.2 * exact.voxel_size()) {
            EXPECT_EQ(d, q);
            continue;
        }
        EXPECT_GT(d * q, 0);
        above = std::max(above, std::abs(q) - std::abs(d));
        below = std::max(below, std::abs(d) - std::abs(q));
    }
    EXPECT_GT(quick.distance(box.centre() + 3 * box.diagonal() * Vec3::UnitX()), 2 * box.diagonal());
    EXPECT_LT(above, 0.1 * spacing);
    EXPECT_LT(below, spacing);
    options.far_cells = -1;
    EXPECT_THROW(MeshDistance(mesh, options), InputError);
}

TEST(MeshShape, IsAShape) {
    TIDELOCK_READ_ASSET(mesh, "bunny.ply");
    const MeshShape shape(mesh);
    const auto mass = shape.mass_properties();
    EXPECT_NEAR(mass.volume, 194.288, 1e-3);
    EXPECT_EQ(shape.surface_mesh(3).triangles.size(), 3674u);
    EXPECT_LT(shape.distance(mass.centre), 0);
    EXPECT_TRUE(shape.bounding_box().contains(mass.centre));
    // Volume counted by voxels of the distance against the polyhedron's: 40^3 midpoints, of which some 6000 are near
    // the surface and err by up to half a cell, mostly cancelling.
    const Bounds<3> box = shape.bounding_box();
    double count = 0;
    for (int i = 0; i < 64000; ++i) {
        const Coord3 voxel(i % 40, i / 40 % 40, i / 1600);
        const Vec3 u = (voxel.cast<double>() + Vec3::Constant(0.5)) / 40;
        count += shape.distance(box.low + u.cwiseProduct(box.size())) < 0;
    }
    EXPECT_NEAR(count / 64000 * box.size().prod(), mass.volume, 0.02 * mass.volume);
}

TEST(MeshShape, OpenMeshIsRefusedWithTheDoctorsWords) {
    TriangleMesh mesh = Sphere<3>(1).surface_mesh(12);
    mesh.triangles.pop_back();
    const std::string message = error_of([&] { MeshShape shape(mesh, {}, "solids[1].shape"); });
    expect_contains(message, "solids[1].shape: mesh is not a closed solid:\n3 open edges");
    fill_holes(mesh);
    EXPECT_LT(MeshShape(mesh).distance(Vec3::Zero()), 0);
}

}  // namespace tidelock
