#include "geometry/mesh_repair.h"

#include "geometry/mesh_doctor.h"
#include "geometry/shape.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

void append(TriangleMesh& mesh, const TriangleMesh& other) {
    const int first = static_cast<int>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
}

TriangleMesh ball(double radius) { return Sphere<3>(radius).surface_mesh(12); }

}  // namespace

TEST(RepairOrientation, TurnsRandomTrianglesAndInsideOutShells) {
    TriangleMesh mesh = Torus(2, 0.5).surface_mesh(16);
    TriangleMesh hole = Torus(2, 0.2).surface_mesh(16);  // a cavity inside the ring
    append(mesh, hole);
    const double volume = signed_volume(Torus(2, 0.5).surface_mesh(16)) - signed_volume(hole);
    const Random random(31);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (random.uniform(t) < 0.6) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    }
    EXPECT_FALSE(diagnose(mesh).closed());
    EXPECT_GE(repair_orientation(mesh).size(), 1u);
    EXPECT_TRUE(diagnose(mesh).faults.empty()) << diagnose(mesh).text();
    EXPECT_NEAR(signed_volume(mesh), volume, 1e-13 * volume);  // a thousand roundings
    EXPECT_TRUE(repair_orientation(mesh).empty());             // nothing left to do
}

TEST(RepairOrientation, SaysWhatItDid) {
    TriangleMesh mesh = ball(1);
    flip(mesh);
    std::swap(mesh.triangles[9][0], mesh.triangles[9][1]);
    const auto messages = repair_orientation(mesh);
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0], "turned 1 flipped triangles");
    EXPECT_EQ(messages[1], "turned 1 inside-out components");
}

TEST(FillHoles, ClosesABoxWithoutItsLid) {
    TriangleMesh mesh = Box<3>({1, 2, 3}).surface_mesh(16);
    std::erase_if(mesh.triangles, [&](const auto& t) {
        return mesh.points[t[0]].y() > 0.999 && mesh.points[t[1]].y() > 0.999 && mesh.points[t[2]].y() > 0.999;
    });
    EXPECT_EQ(diagnose(mesh).count(MeshFaultKind::open_edge), 16);
    const auto messages = fill_holes(mesh);
    ASSERT_EQ(messages.size(), 1u);
    expect_contains(messages[0], "filled a hole of 16 edges around [");
    remove_redundant(mesh);  // the lid's inner points
    EXPECT_TRUE(diagnose(mesh).faults.empty()) << diagnose(mesh).text();
    EXPECT_NEAR(signed_volume(mesh), 6, 1e-13);  // a flat lid: exact
}

TEST(FillHoles, ManyHolesAlsoTouchingOnes) {
    TriangleMesh mesh = ball(1);
    const double volume = signed_volume(mesh);
    // Every fifth triangle: single holes, and some that touch at a point.
    std::size_t count = 0;
    std::erase_if(mesh.triangles, [&](const auto&) { return count++ % 5 == 0; });
    EXPECT_FALSE(diagnose(mesh).closed());
    EXPECT_GT(fill_holes(mesh).size(), 5u);
    EXPECT_TRUE(diagnose(mesh).closed()) << diagnose(mesh).text();
    EXPECT_NEAR(signed_volume(mesh), volume, 0.1 * volume);  // caps are flat: they cost some of the ball
    EXPECT_TRUE(fill_holes(mesh).empty());
}

TEST(RemoveRedundant, KeepsWhatCounts) {
    TriangleMesh mesh = ball(1);
    const double volume = signed_volume(mesh);
    const std::size_t triangles = mesh.triangles.size(), points = mesh.points.size();
    auto [a, b, c] = mesh.triangles[7];
    mesh.triangles.push_back({b, c, a});  // equal
    auto [d, e, f] = mesh.triangles[20];
    mesh.triangles.push_back({e, d, f});  // opposite, and
    mesh.triangles.push_back({f, d, e});  // equal again: one must stay
    mesh.triangles.push_back({0, 1, 1});  // collapsed
    mesh.points.emplace_back(9, 9, 9);    // unused
    const auto messages = remove_redundant(mesh);
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(messages[0], "removed 1 triangles with repeated points");
    EXPECT_EQ(messages[1], "removed 3 duplicate triangles");
    EXPECT_EQ(messages[2], "removed 1 unused points");
    EXPECT_EQ(mesh.triangles.size(), triangles);
    EXPECT_EQ(mesh.points.size(), points);
    EXPECT_TRUE(diagnose(mesh).faults.empty()) << diagnose(mesh).text();
    EXPECT_NEAR(signed_volume(mesh), volume, 1e-14);
    EXPECT_TRUE(remove_redundant(mesh).empty());
}

TEST(MergePoints, ClosesSeamsOfOtherRoundings) {
    TriangleMesh soup;  // every triangle with points of its own, each off by up to 4e-7
    const TriangleMesh whole = ball(1);
    const Random random(5);
    for (const auto& triangle : whole.triangles) {
        for (const int i : triangle) {
            Vec3 x = whole.points[i];
            for (int a = 0; a < 3; ++a)
                x[a] += random.uniform(soup.points.size(), static_cast<std::uint32_t>(a), -4e-7, 4e-7);
            soup.points.push_back(x);
        }
        const int n = static_cast<int>(soup.points.size());
        soup.triangles.push_back({n - 3, n - 2, n - 1});
    }
    EXPECT_FALSE(diagnose(soup).closed());
    const auto messages = repair(soup);
    EXPECT_TRUE(diagnose(soup).faults.empty()) << diagnose(soup).text();
    expect_contains(messages.front(), "merged ");
    EXPECT_EQ(soup.points.size(), whole.points.size());
    EXPECT_NEAR(signed_volume(soup), signed_volume(whole), 1e-5);  // points moved by 1e-6
}

// All faults that a file can have and that have a remedy, in one mesh.
TEST(Repair, MakesASolidOfWhatCanBeOne) {
    TriangleMesh mesh = Box<3>({1, 2, 3}).surface_mesh(4);
    const std::size_t whole = mesh.triangles.size();
    mesh.triangles.erase(mesh.triangles.begin() + 7);                           // a hole
    mesh.triangles.push_back(mesh.triangles[3]);                                // twice there
    std::swap(mesh.triangles[20][0], mesh.triangles[20][1]);                    // turned
    for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);  // inside out
    mesh.points.emplace_back(9, 9, 9);                                          // unused
    EXPECT_FALSE(diagnose(mesh).closed());
    const auto messages = repair(mesh);
    EXPECT_TRUE(diagnose(mesh).faults.empty()) << diagnose(mesh).text();
    EXPECT_EQ(mesh.triangles.size(), whole);
    EXPECT_NEAR(signed_volume(mesh), 6, 1e-13);
    EXPECT_GE(messages.size(), 4u);
    EXPECT_TRUE(repair(mesh).empty());
}

}  // namespace tidelock
