#include "geometry/mesh_doctor.h"

#include <limits>

#include "geometry/shape.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

using Kind = MeshFaultKind;

TriangleMesh ball() { return Sphere<3>(1).surface_mesh(12); }

void append(TriangleMesh& mesh, const TriangleMesh& other) {
    const int first = static_cast<int>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
}

TriangleMesh moved(TriangleMesh mesh, double scale, const Vec3& offset) {
    transform(mesh, scale * Mat3::Identity(), offset);
    return mesh;
}

/// The only fault is `kind`, `count` times.
void expect_only(const TriangleMesh& mesh, Kind kind, int count, bool closed) {
    const MeshReport report = diagnose(mesh);
    ASSERT_EQ(report.faults.size(), 1u) << report.text();
    EXPECT_EQ(report.faults[0].kind, kind) << report.text();
    EXPECT_EQ(report.count(kind), count);
    EXPECT_EQ(report.closed(), closed);
    EXPECT_GT(report.text().size(), 20u);
}

}  // namespace

TEST(MeshDoctor, SoundMesh) {
    const MeshReport report = diagnose(ball());
    EXPECT_TRUE(report.closed());
    EXPECT_EQ(report.text(), "no faults");
    EXPECT_EQ(report.points - report.edges + report.triangles, 2);  // Euler, genus 0
    EXPECT_EQ(report.components, 1);
    EXPECT_EQ(report.count(Kind::open_edge), 0);
}

TEST(MeshDoctor, OpenEdges) {
    TriangleMesh mesh = ball();
    const auto gone = mesh.triangles.back();
    mesh.triangles.pop_back();
    expect_only(mesh, Kind::open_edge, 3, false);
    // The example is the middle of one of the missing triangle's sides.
    const Vec3 example = diagnose(mesh).faults[0].example;
    double nearest = 1;
    for (int k = 0; k < 3; ++k) {
        const Vec3 middle = 0.5 * (mesh.points[gone[k]] + mesh.points[gone[(k + 1) % 3]]);
        nearest = std::min(nearest, (example - middle).norm());
    }
    EXPECT_EQ(nearest, 0);
    expect_contains(diagnose(mesh).text(), "3 open edges, for example at [");
    expect_contains(diagnose(mesh).text(), "a repair can fill");
}

TEST(MeshDoctor, NonManifoldButClosed) {
    // Two tetrahedra that share one edge: four triangles meet there, two each way.
    TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 1}, {0, 1, -1}, {0, -1, 1}, {0, -1, -1}},
                      {{0, 2, 1}, {0, 3, 2}, {1, 2, 3}, {0, 1, 3}, {0, 1, 4}, {0, 4, 5}, {1, 5, 4}, {0, 5, 1}}};
    flip(mesh);
    expect_only(mesh, Kind::non_manifold_edge, 1, true);
    EXPECT_GT(diagnose(mesh).signed_volume, 0);
}

TEST(MeshDoctor, NonManifoldAndOpen) {
    // A fin on an edge: three triangles there, and two open edges.
    TriangleMesh mesh = ball();
    const auto [a, b, c] = mesh.triangles[40];
    const Vec3 tip = 2 * mesh.points[a];
    mesh.points.push_back(tip);
    mesh.triangles.push_back({a, b, static_cast<int>(mesh.points.size()) - 1});
    const MeshReport report = diagnose(mesh);
    EXPECT_EQ(report.count(Kind::non_manifold_edge), 1);
    EXPECT_EQ(report.count(Kind::inconsistent_edge), 1);
    EXPECT_EQ(report.count(Kind::open_edge), 2);
    EXPECT_FALSE(report.closed());
}

TEST(MeshDoctor, FlippedTriangle) {
    TriangleMesh mesh = ball();
    std::swap(mesh.triangles[40][0], mesh.triangles[40][1]);
    const MeshReport report = diagnose(mesh);
    EXPECT_EQ(report.count(Kind::flipped_triangle), 1);
    EXPECT_EQ(report.count(Kind::inconsistent_edge), 3);
    EXPECT_FALSE(report.closed());
    expect_contains(report.text(), "a repair can turn");
}

TEST(MeshDoctor, InsideOut) {
    TriangleMesh mesh = ball();
    flip(mesh);
    expect_only(mesh, Kind::inside_out_component, 1, false);
    append(mesh, moved(ball(), 1, {5, 0, 0}));
    expect_only(mesh, Kind::inside_out_component, 1, false);
    EXPECT_EQ(diagnose(mesh).components, 2);
}

TEST(MeshDoctor, CavityIsNoFaultButMustPointInward) {
    TriangleMesh hollow = ball(), hole = moved(ball(), 0.5, {0.1, 0, 0});
    TriangleMesh wrong = hollow;
    append(wrong, hole);
    expect_only(wrong, Kind::inside_out_component, 1, false);
    flip(hole);
    append(hollow, hole);
    EXPECT_TRUE(diagnose(hollow).faults.empty()) << diagnose(hollow).text();
    append(hollow, moved(ball(), 0.2, {0.1, 0, 0}));  // a pebble in the cavity: outward again
    EXPECT_TRUE(diagnose(hollow).faults.empty()) << diagnose(hollow).text();
}

TEST(MeshDoctor, MoebiusBand) {
    TriangleMesh mesh;
    constexpr int n = 12;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * 3.14159265358979 * i / n;
        for (const double side : {-0.3, 0.3}) {
            const double rho = 1 + side * std::cos(angle / 2);
            mesh.points.emplace_back(rho * std::cos(angle), side * std::sin(angle / 2), rho * std::sin(angle));
        }
    }
    for (int i = 0; i < n; ++i) {
        const bool last = i + 1 == n;  // the half turn: the sides swap
        const int a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({b, d, c});
    }
    const MeshReport report = diagnose(mesh);
    EXPECT_EQ(report.count(Kind::one_sided_patch), 1) << report.text();
    EXPECT_FALSE(report.closed());
}

TEST(MeshDoctor, DegenerateTriangles) {
    // A point put on the middle of an edge: both neighbours are split, with a flat triangle between.
    TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0}},
                      {{0, 2, 1}, {0, 4, 3}, {4, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 1, 4}}};
    expect_only(mesh, Kind::degenerate_triangle, 1, true);
    TriangleMesh repeated = ball();
    repeated.triangles.push_back({0, 0, 1});
    EXPECT_EQ(diagnose(repeated).count(Kind::degenerate_triangle), 1);
    // Small is not degenerate.
    EXPECT_TRUE(diagnose(moved(ball(), 1e-9, {0, 0, 0})).faults.empty());
}

TEST(MeshDoctor, DuplicateTriangles) {
    TriangleMesh mesh = ball();
    auto [a, b, c] = mesh.triangles[7];
    mesh.triangles.push_back({b, c, a});
    EXPECT_EQ(diagnose(mesh).count(Kind::duplicate_triangle), 1);
    EXPECT_FALSE(diagnose(mesh).closed());  // three triangles at its edges
    mesh.triangles.push_back({b, a, c});    // and one the other way: balanced again
    EXPECT_EQ(diagnose(mesh).count(Kind::duplicate_triangle), 2);
    EXPECT_TRUE(diagnose(mesh).closed());
}

TEST(MeshDoctor, UnreferencedPoints) {
    TriangleMesh mesh = ball();
    mesh.points.emplace_back(1, 2, 3);
    expect_only(mesh, Kind::unreferenced_point, 1, true);
    EXPECT_EQ(diagnose(mesh).faults[0].example, Vec3(1, 2, 3));
}

TEST(MeshDoctor, DamageStopsTheExamination) {
    expect_only({}, Kind::no_triangles, 1, false);
    TriangleMesh index = ball();
    index.triangles[3][1] = 100000;
    index.triangles[5][1] = -1;
    expect_only(index, Kind::bad_index, 2, false);
    TriangleMesh infinite = ball();
    infinite.points[3].x() = std::numeric_limits<double>::infinity();
    expect_only(infinite, Kind::not_finite, 1, false);
}

TEST(MeshDoctor, BunnyIsClosed) {
    TIDELOCK_READ_ASSET(mesh, "bunny.ply");
    const MeshReport report = diagnose(mesh);
    EXPECT_TRUE(report.faults.empty()) << report.text();  // the base of this version has no holes
    EXPECT_EQ(report.triangles, 3674);
    EXPECT_NEAR(report.signed_volume, 194.288, 1e-3);  // computed independently in JavaScript from the package
}

TEST(MeshDoctor, DragonIsClosedButTouchesItself) {
    TIDELOCK_READ_ASSET(mesh, "dragon.ply");
    const MeshReport report = diagnose(mesh);
    RecordProperty("report", report.text());
    EXPECT_TRUE(report.closed()) << report.text();
    EXPECT_EQ(report.count(Kind::open_edge), 0);
    EXPECT_GT(report.count(Kind::non_manifold_edge), 0);
    EXPECT_NEAR(report.signed_volume, 59519.3, 0.1);  // computed independently in JavaScript from the package
}

}  // namespace tidelock
