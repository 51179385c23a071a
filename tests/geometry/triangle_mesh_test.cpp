#include "geometry/triangle_mesh.h"

#include "geometry/shape.h"
#include "geometry/testing.h"

namespace tidelock {

/// A tetrahedron with known moments, off the origin: the corner (0,0,0), e1, e2, e3 moved by `offset`.
TriangleMesh tetrahedron(const Vec3& offset) {
    TriangleMesh mesh{{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()},
                      {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    transform(mesh, Mat3::Identity(), offset);
    return mesh;
}

TEST(TriangleMesh, TetrahedronHasItsClosedForm) {
    const auto mass = mass_properties(tetrahedron({5, -3, 2}));
    // Exact: V = 1/6, centre at 1/4, diagonal inertia 1/80 * ... : I_xx = 2 (1/60 - V/16) = 1/80, I_xy = V/16 - 1/120.
    EXPECT_NEAR(mass.volume, 1.0 / 6, 1e-15);
    EXPECT_LT((mass.centre - Vec3(5.25, -2.75, 2.25)).norm(), 1e-14);
    EXPECT_NEAR(mass.inertia(0, 0), 1.0 / 80, 1e-15);
    EXPECT_NEAR(mass.inertia(0, 1), 1.0 / 96 - 1.0 / 120, 1e-15);
    EXPECT_NEAR(area(tetrahedron({0, 0, 0})), 1.5 + std::sqrt(3) / 2, 1e-15);
}

TEST(TriangleMesh, InertiaTurnsWithTheMesh) {
    const Random random(5);
    const TriangleMesh original = tetrahedron({0.3, 0.1, -0.2});
    const auto before = mass_properties(original);
    for (std::uint64_t i = 0; i < 20; ++i) {
        const Mat3 R = random_rotation(random, i);
        const Vec3 offset = 10 * random.point<3>(i);
        TriangleMesh moved = original;
        transform(moved, R, offset);
        const auto after = mass_properties(moved);
        // I' = R I R^T, c' = R c + t: rounding of coordinates of size 10.
        EXPECT_LT((after.inertia - R * before.inertia * R.transpose()).norm(), 1e-13);
        EXPECT_LT((after.centre - (R * before.centre + offset)).norm(), 1e-13);
        EXPECT_NEAR(after.volume, before.volume, 1e-14);
    }
}

TEST(TriangleMesh, BunnyInertiaTurnsWithTheMesh) {
    TIDELOCK_READ_ASSET(mesh, "bunny.ply");
    const auto before = mass_properties(mesh);
    const Mat3 R = random_rotation(Random(6), 0);
    transform(mesh, R, {1, 2, 3});
    const auto after = mass_properties(mesh);
    // 3674 terms with roundings of 1e-16 each, partly cancelling.
    EXPECT_LT((after.inertia - R * before.inertia * R.transpose()).norm(), 1e-12 * before.inertia.norm());
    EXPECT_NEAR(after.volume, before.volume, 1e-12 * before.volume);
}

TEST(TriangleMesh, MirroringKeepsNormalsOutward) {
    TriangleMesh mesh = tetrahedron({0, 0, 0});
    transform(mesh, Vec3(-2, 1, 1).asDiagonal(), Vec3::Zero());
    EXPECT_NEAR(signed_volume(mesh), 2.0 / 6, 1e-15);
    EXPECT_GT(area_normal(mesh, 3).y(), 0);
    flip(mesh);
    EXPECT_NEAR(signed_volume(mesh), -2.0 / 6, 1e-15);
    expect_contains(error_of([&] { static_cast<void>(mass_properties(mesh)); }), "must be > 0");
}

TEST(TriangleMesh, BoundsAndEmptiness) {
    const auto box = bounds(tetrahedron({1, 2, 3}));
    EXPECT_EQ(box.low, Vec3(1, 2, 3));
    EXPECT_EQ(box.high, Vec3(2, 3, 4));
    EXPECT_NEAR(box.diagonal(), std::sqrt(3), 1e-15);
    EXPECT_TRUE(bounds(TriangleMesh{}).empty());
    EXPECT_EQ(signed_volume({}), 0);
    EXPECT_EQ(area(TriangleMesh{}), 0);
}

}  // namespace tidelock
