#include "geometry/ply.h"

#include <fstream>
#include <limits>

#include "geometry/shape.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

TEST(Ply, SurfaceWithVelocitiesComesBack) {
    const Folder folder;
    const TriangleMesh mesh = Torus(0.8, 0.3).surface_mesh(12);
    std::vector<Vec3> velocity;
    for (const Vec3& x : mesh.points) velocity.emplace_back(-x[2], 0.5, x[0]);
    write_ply(folder / "000012.ply", mesh, velocity);
    const PlySurface back = read_ply_surface(folder / "000012.ply");
    EXPECT_EQ(back.mesh.triangles, mesh.triangles);
    ASSERT_EQ(back.mesh.points.size(), mesh.points.size());
    ASSERT_EQ(back.velocity.size(), mesh.points.size());
    for (std::size_t i = 0; i < velocity.size(); ++i) {
        EXPECT_EQ(back.mesh.points[i], mesh.points[i].cast<float>().cast<double>());
        EXPECT_EQ(back.velocity[i], velocity[i].cast<float>().cast<double>());
    }
}

TEST(Ply, HeaderIsWhatOtherProgramsExpect) {
    const Folder folder;
    TriangleMesh mesh;
    mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    mesh.triangles = {{0, 1, 2}};
    write_ply(folder / "a.ply", mesh, std::vector<Vec3>(3, Vec3(1, 2, 3)));
    std::ifstream in(folder / "a.ply", std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    const std::string header =
        "ply\nformat binary_little_endian 1.0\ncomment tidelock\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nproperty float vx\nproperty float vy\nproperty float vz\nelement face 1\n"
        "property list uchar int vertex_indices\nend_header\n";
    EXPECT_EQ(bytes.substr(0, header.size()), header);
    EXPECT_EQ(bytes.size(), header.size() + 3 * 24 + 13);
}

TEST(Ply, EmptySurfaceIsAFile) {
    const Folder folder;
    write_ply(folder / "none.ply", TriangleMesh{});
    const PlySurface back = read_ply_surface(folder / "none.ply");
    EXPECT_TRUE(back.mesh.points.empty() && back.mesh.triangles.empty() && back.velocity.empty());
}

TEST(Ply, OutlineComesBackAsEdges) {
    const Folder folder;
    const Polyline line{{Vec2(0, 0), Vec2(2, 0), Vec2(0, 1)}, {{0, 1}, {1, 2}, {2, 0}}};
    write_ply(folder / "line.ply", line, std::vector<Vec2>{Vec2(1, 2), Vec2(3, 4), Vec2(5, 6)});
    const PlySurface back = read_ply_surface(folder / "line.ply");
    EXPECT_EQ(back.edges, line.segments);
    EXPECT_EQ(back.mesh.points[1], Vec3(2, 0, 0));
    EXPECT_EQ(back.velocity[2], Vec3(5, 6, 0));
}

TEST(Ply, RefusesWhatItCannotWrite) {
    const Folder folder;
    TriangleMesh mesh = Sphere<3>(1).surface_mesh(8);
    const auto file = folder / "bad.ply";
    expect_contains(error_of([&] { write_ply(file, mesh, std::vector<Vec3>(2, Vec3::Zero())); }), "2 velocities");
    mesh.points[1][2] = std::numeric_limits<double>::quiet_NaN();
    expect_contains(error_of([&] { write_ply(file, mesh); }), "not finite");
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Ply, RefusesEdgesOutOfRange) {
    const Folder folder;
    std::ofstream(folder / "e.ply") << "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                                       "property float z\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n"
                                       "end_header\n0 0 0\n0 1\n";
    expect_contains(error_of([&] { static_cast<void>(read_ply_surface(folder / "e.ply")); }), "refers to point 1");
}

}  // namespace
}  // namespace tidelock
