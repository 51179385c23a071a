#include "geometry/mesh_queries.h"

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "geometry/shape.h"
#include "geometry/testing.h"
#include "geometry/triangle.h"

namespace tidelock {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A plain intersection (Moeller and Trumbore's form), written apart from the library's.
std::optional<double> brute_hit(const TriangleMesh& mesh, const Vec3& a, const Vec3& b, int* triangle) {
    std::optional<double> best;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto& [p, q, r] = mesh.triangles[i];
        const Vec3 u = mesh.points[q] - mesh.points[p], v = mesh.points[r] - mesh.points[p], d = b - a;
        const Vec3 n = d.cross(v);
        const double det = u.dot(n);
        if (det == 0) continue;
        const Vec3 s = a - mesh.points[p], k = s.cross(u);
        const double beta = s.dot(n) / det, gamma = d.dot(k) / det, t = v.dot(k) / det;
        if (beta < 0 || gamma < 0 || beta + gamma > 1 || t < 0 || t > 1 || (best && *best <= t)) continue;
        best = t;
        *triangle = static_cast<int>(i);
    }
    return best;
}

/// Distance by minimising over a triangle's faces, edges and corners separately.
double brute_distance(const TriangleMesh& mesh, const Vec3& x) {
    double best = infinity;
    for (const auto& triangle : mesh.triangles) {
        const Vec3 p[3] = {mesh.points[triangle[0]], mesh.points[triangle[1]], mesh.points[triangle[2]]};
        bool above = true;
        const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = p[k], e = p[(k + 1) % 3] - a;
            above = above && n.cross(e).dot(x - a) >= 0;
            const double s = std::min(1.0, std::max(0.0, (x - a).dot(e) / e.squaredNorm()));
            best = std::min(best, (x - a - s * e).norm());
        }
        if (above) best = std::min(best, std::abs(n.dot(x - p[0])));
    }
    return best;
}

Vec3 around(const Bounds<3>& box, const Random& random, std::uint64_t i) {
    return box.low + (1.6 * random.point<3>(i) - Vec3::Constant(0.3)).cwiseProduct(box.size());
}

/// All queries against brute force at `n` random places.
void check_queries(const MeshQueries& queries, const TriangleMesh& mesh, std::uint64_t n, std::uint64_t seed) {
    const Random random(seed);
    const Bounds<3> box = bounds(mesh);
    const double scale = box.diagonal();
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const Vec3 a = around(box, random, 2 * i), b = around(box, random, 2 * i + 1);
        int triangle = -1;
        const auto expected = brute_hit(mesh, a, b, &triangle);
        const auto hit = queries.segment_hit(a, b);
        ASSERT_EQ(hit.has_value(), expected.has_value()) << i;
        if (hit) {
            ++hits;
            ASSERT_NEAR(hit->t, *expected, 1e-11);  // doubles on both sides; grazing hits lose digits
            ASSERT_EQ(hit->triangle, triangle);
            Vec3 x = Vec3::Zero();
            for (int k = 0; k < 3; ++k) x += hit->weights[k] * mesh.points[mesh.triangles[triangle][k]];
            ASSERT_LT((x - (a + hit->t * (b - a))).norm(), 1e-10 * scale);
            ASSERT_NEAR(hit->normal.dot(area_normal(mesh, triangle).normalized()), 1, 1e-12);
        }
        const auto closest = queries.closest_point(a, infinity);
        ASSERT_TRUE(closest.has_value());
        ASSERT_NEAR(closest->distance, brute_distance(mesh, a), 1e-12 * scale);  // doubles on both sides
        ASSERT_NEAR((closest->point - a).norm(), closest->distance, 1e-13 * scale);
        // Within reach and just out of reach.
        ASSERT_TRUE(queries.closest_point(a, closest->distance * 1.001).has_value());
        ASSERT_FALSE(queries.closest_point(a, closest->distance * 0.999).has_value());
    }
    EXPECT_GT(hits, n / 10);  // the test did see hits
    EXPECT_LT(hits, n);
}

}  // namespace

TEST(Triangle, ClosestWeightsOnSliversAndPoints) {
    const Vec3 x(0.3, 1, 0);
    // Collapsed to a segment, and to a point.
    EXPECT_LT((closest_weights(x, {0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}) - Vec3(0.7, 0.3, 0)).norm(), 1e-15);
    EXPECT_NEAR(closest_weights(x, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}).sum(), 1, 1e-15);
    EXPECT_FALSE(meet_plane(x, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}).exists);
    EXPECT_FALSE(meet_plane(x, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}).exists);
}

TEST(MeshQueries, AgreeWithBruteForceOnATorusFarFromTheOrigin) {
    TriangleMesh mesh = Torus(0.8, 0.3).surface_mesh(20);
    transform(mesh, random_rotation(Random(1), 0), {100, -50, 20});
    check_queries(MeshQueries(mesh), mesh, 1000, 41);
}

TEST(MeshQueries, AgreeWithBruteForceOnTheBunnyAlsoAfterRefit) {
    TIDELOCK_READ_ASSET(mesh, "bunny.ply");
    MeshQueries queries(mesh);
    check_queries(queries, mesh, 1000, 42);
    for (Vec3& x : mesh.points) x = Vec3(1.1 * x.x() + 0.2 * std::sin(x.y()), x.y() - 3, x.z() + 0.3 * std::cos(x.x()));
    queries.refit(mesh.points);
    check_queries(queries, mesh, 1000, 43);
    expect_contains(error_of([&] { queries.refit(std::vector<Vec3>(3, Vec3::Zero())); }), "must be 1839 as before");
    mesh.points[5].x() = std::nan("");
    expect_contains(error_of([&] { queries.refit(mesh.points); }), "must be finite");
}

TEST(MeshQueries, BatchesEqualSinglesOnAnyNumberOfThreads) {
    const TriangleMesh mesh = Torus(0.8, 0.3).surface_mesh(40);
    const MeshQueries queries(mesh);
    const Random random(44);
    std::vector<Segment> segments;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        segments.push_back({around(bounds(mesh), random, 2 * i), around(bounds(mesh), random, 2 * i + 1)});
    }
    const auto hits = queries.segment_hits(segments);
    const ThreadLimit limit(1);
    const auto serial = queries.segment_hits(segments);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const auto single = queries.segment_hit(segments[i].a, segments[i].b);
        ASSERT_EQ(hits[i].has_value(), single.has_value());
        ASSERT_EQ(hits[i].has_value(), serial[i].has_value());
        if (!single) continue;
        ASSERT_EQ(hits[i]->t, single->t);
        ASSERT_EQ(hits[i]->t, serial[i]->t);
        ASSERT_EQ(hits[i]->triangle, serial[i]->triangle);
    }
    EXPECT_TRUE(queries.segment_hits({}).empty());
}

TEST(MeshQueries, NothingLeaksThroughEdgesAndCorners) {
    // Segments aimed exactly at points and at edge middles of a closed mesh, from inside to outside: each must hit.
    const TriangleMesh mesh = Sphere<3>(1).surface_mesh(24);
    const MeshQueries queries(mesh);
    const Vec3 inside(0.013, 0.027, -0.011);
    const auto must_hit = [&](const Vec3& target) {
        const auto out = queries.segment_hit(inside, inside + 3 * (target - inside));
        const auto in = queries.segment_hit(inside + 3 * (target - inside), inside);
        ASSERT_TRUE(out && in);
        EXPECT_NEAR(out->t, 1.0 / 3, 1e-6);  // a neighbour of the edge may be taken up to the tolerance
        EXPECT_NEAR(in->t, 2.0 / 3, 1e-6);
        EXPECT_GT(out->normal.dot(target), 0);  // outward from both sides
        EXPECT_GT(in->normal.dot(target), 0);
    };
    for (const Vec3& x : mesh.points) must_hit(x);
    for (const auto& [a, b, c] : mesh.triangles) must_hit(0.5 * (mesh.points[a] + mesh.points[b]));
}

TEST(MeshQueries, EndsCountAndShortSegmentsWork) {
    const MeshQueries queries(Box<3>({2, 2, 2}).surface_mesh(4));
    EXPECT_TRUE(queries.segment_hit({0.3, 0.2, 0}, {0.3, 0.2, 1}));           // ends on the surface
    EXPECT_TRUE(queries.segment_hit({0.3, 0.2, 1}, {0.3, 0.2, 2}));           // starts there
    EXPECT_FALSE(queries.segment_hit({0.3, 0.2, 0}, {0.3, 0.2, 1 - 1e-12}));  // ends just before: decided in double
    EXPECT_TRUE(queries.segment_hit({0.3, 0.2, 1 - 1e-12}, {0.3, 0.2, 1 + 1e-12}));
    EXPECT_FALSE(queries.segment_hit({0.3, 0.2, 1}, {0.3, 0.2, 1}));
    EXPECT_NEAR(queries.segment_hit({0.3, 0.2, -5}, {0.3, 0.2, 5})->t, 0.4, 1e-15);  // the first of two
}

TEST(MeshQueries, InsideOfShapes) {
    const Random random(45);
    const Torus torus(0.8, 0.3);
    const MeshQueries queries(torus.surface_mesh(96));
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const Vec3 x = 2.4 * random.point<3>(i) - Vec3::Constant(1.2);
        // The mesh is inscribed: off by at most 1 - cos(pi / 96) = 5e-4 of the radii.
        if (std::abs(torus.distance(x)) > 1e-3) {
            ASSERT_EQ(queries.inside(x), torus.distance(x) < 0);
        }
    }
    // The centre of a box: symmetric rays run into edges, but not these.
    EXPECT_TRUE(MeshQueries(Box<3>({1, 1, 1}).surface_mesh(16)).inside(Vec3::Zero()));
}

TEST(MeshQueries, UnusableMeshesAreRefused) {
    expect_contains(error_of([] { MeshQueries queries(TriangleMesh{}); }), "missing triangles");
    expect_contains(error_of([] { MeshQueries queries(TriangleMesh{{Vec3::Zero()}, {{0, 1, 2}}}); }), "out of range");
    // Open meshes are fine: sheets can be hit.
    const MeshQueries sheet(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
    EXPECT_TRUE(sheet.segment_hit({0.2, 0.2, 1}, {0.2, 0.2, -1}));
    EXPECT_FALSE(sheet.segment_hit({0.8, 0.8, 1}, {0.8, 0.8, -1}));
}

}  // namespace tidelock
