#include "geometry/mesh_io.h"

#include <bit>
#include <cstdint>
#include <fstream>

#include "geometry/mesh_doctor.h"
#include "geometry/shape.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

void write_text(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

std::string read_error(const std::filesystem::path& file) {
    return error_of([&] { static_cast<void>(read_mesh(file)); });
}

/// A torus with coordinates that a float holds exactly.
TriangleMesh float_torus() {
    TriangleMesh mesh = Torus(0.8, 0.3).surface_mesh(12);
    for (Vec3& x : mesh.points) x = x.cast<float>().cast<double>();
    return mesh;
}

std::string binary_stl(const TriangleMesh& mesh) {
    std::string out(80, ' ');
    const auto put = [&out](auto value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const auto& triangle : mesh.triangles) {
        for (int k = 0; k < 3; ++k) put(0.0f);
        for (const int i : triangle) {
            for (int a = 0; a < 3; ++a) put(static_cast<float>(mesh.points[i][a]));
        }
        put(std::uint16_t{0});
    }
    return out;
}

std::string ascii_stl(const TriangleMesh& mesh) {
    std::string out = "solid part\n";
    for (const auto& triangle : mesh.triangles) {
        out += "facet normal 0 0 0\nouter loop\n";
        for (const int i : triangle) {
            out +=
                fmt::format("vertex {:.9g} {:.9g} {:.9g}\n", mesh.points[i][0], mesh.points[i][1], mesh.points[i][2]);
        }
        out += "endloop\nendfacet\n";
    }
    return out + "endsolid part\n";
}

/// Same triangles in the same order with the same corner positions, whatever the numbering of the points.
void expect_same(const TriangleMesh& a, const TriangleMesh& b, double tolerance) {
    ASSERT_EQ(a.points.size(), b.points.size());
    ASSERT_EQ(a.triangles.size(), b.triangles.size());
    for (std::size_t t = 0; t < a.triangles.size(); ++t) {
        for (int k = 0; k < 3; ++k) {
            ASSERT_LE((a.points[a.triangles[t][k]] - b.points[b.triangles[t][k]]).norm(), tolerance);
        }
    }
}

}  // namespace

TEST(MeshIo, PlyRoundTrip) {
    const Folder folder;
    write_mesh(folder / "a.ply", float_torus());
    expect_same(read_mesh(folder / "a.ply"), float_torus(), 0);  // floats go and come back exactly
}

TEST(MeshIo, PlyInAllItsForms) {
    const Folder folder;
    const std::string elements =
        "comment x\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\n"
        "element face 1\nproperty list uchar uint vertex_index\nproperty short flag\nelement other 0\nend_header\n";
    // A quadrilateral with coordinates that only double holds.
    write_text(folder / "ascii.ply", "ply\r\nformat ascii 1.0\r\n" + elements +
                                         "0 0 0 255\n1 0 0 1\n1 0.1 0 2\n+0 1e-1 -0 3\n4 0 1 2 3 -7\n");
    std::string big = "ply\nformat binary_big_endian 1.0\n" + elements;
    const auto put = [&big](auto value) {
        std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
        big.append(bytes.rbegin(), bytes.rend());
    };
    for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0.1, 0), Vec3(0, 0.1, 0)}) {
        for (int a = 0; a < 3; ++a) put(x[a]);
        put(std::uint8_t{7});
    }
    put(std::uint8_t{4});
    for (std::uint32_t i = 0; i < 4; ++i) put(i);
    put(std::int16_t{-7});
    write_text(folder / "big.ply", big);
    for (const char* name : {"ascii.ply", "big.ply"}) {
        const TriangleMesh mesh = read_mesh(folder / name);
        ASSERT_EQ(mesh.triangles.size(), 2u);
        EXPECT_EQ(mesh.points[2], Vec3(1, 0.1, 0));
        EXPECT_NEAR(area(mesh), 0.1, 1e-16);
    }
    // Cut off anywhere, it is refused and never crashes.
    for (std::size_t n = 1; n < big.size(); ++n) {
        write_text(folder / "cut.ply", big.substr(0, n));
        ASSERT_NE(read_error(folder / "cut.ply"), "");
    }
}

TEST(MeshIo, PlyHeadersAreChecked) {
    const Folder folder;
    const auto error = [&](const std::string& text) {
        write_text(folder / "a.ply", text);
        return read_error(folder / "a.ply");
    };
    expect_contains(error("plx\n"), "must begin with 'ply'");
    expect_contains(error("ply\nformat pdf 1.0\nend_header\n"), "unknown format 'pdf', allowed: ascii");
    expect_contains(error("ply\nformat ascii 1.0\nelement vertex\nend_header\n"), "damaged element");
    expect_contains(error("ply\nformat ascii 1.0\nproperty float x\nend_header\n"), "before any element");
    expect_contains(error("ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n"), "type 'quad'");
    expect_contains(error("ply\nformat ascii 1.0\nelement vertex 1\nproperty float\nend_header\n"), "damaged property");
    expect_contains(error("ply\nformat ascii 1.0\nspoon\nend_header\n"), "unknown word in its header: spoon");
    expect_contains(error("ply\nformat ascii 1.0\n"), "ends within its header");
    // A count that the file cannot hold must not be allocated.
    expect_contains(error("ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nend_header\n1\n"),
                    "ends too early");
    expect_contains(error("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\nfive\n"),
                    "not a number: five");
}

TEST(MeshIo, ObjRoundTrip) {
    const Folder folder;
    write_mesh(folder / "a.OBJ", float_torus());
    // assimp's text-to-number conversion is good to a rounding or two of a float: 1.1 * 6e-8 each.
    expect_same(read_mesh(folder / "a.OBJ"), float_torus(), 3e-7);
}

TEST(MeshIo, StlIsWelded) {
    const Folder folder;
    write_text(folder / "binary.stl", binary_stl(float_torus()));
    expect_same(read_mesh(folder / "binary.stl"), float_torus(), 0);
    write_text(folder / "ascii.stl", ascii_stl(float_torus()));
    expect_same(read_mesh(folder / "ascii.stl"), float_torus(), 3e-7);
    for (const char* name : {"binary.stl", "ascii.stl"}) {
        const MeshReport report = diagnose(read_mesh(folder / name));
        EXPECT_TRUE(report.faults.empty()) << report.text();
    }
}

TEST(MeshIo, ObjPolygonsBecomeTriangles) {
    const Folder folder;
    // A cube of quadrilaterals in two groups, with normals, a comment and negative zero.
    write_text(folder / "cube.obj",
               "# cube\ng one\nv 0 0 -0.0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nvn 0 0 1\n"
               "f 4//1 3//1 2//1 1//1\nf 5//1 6//1 7//1 8//1\nf 1//1 2//1 6//1 5//1\ng two\n"
               "f 2//1 3//1 7//1 6//1\nf 3//1 4//1 8//1 7//1\nf 4//1 1//1 5//1 8//1\n");
    const TriangleMesh mesh = read_mesh(folder / "cube.obj");
    EXPECT_EQ(mesh.points.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_NEAR(signed_volume(mesh), 1, 1e-15);
    EXPECT_TRUE(diagnose(mesh).closed()) << diagnose(mesh).text();
}

TEST(MeshIo, ReadingSaysWhatIsWrong) {
    const Folder folder;
    EXPECT_EQ(read_error(folder / "none.obj"), (folder / "none.obj").string() + ": no such file");
    write_text(folder / "a.fbx", "x");
    expect_contains(read_error(folder / "a.fbx"), "unknown kind of mesh '.fbx', allowed: .obj, .ply, .stl");
    expect_contains(read_error(folder / "a"), "unknown kind of mesh ''");
    for (const char* name : {"empty.obj", "empty.ply", "empty.stl"}) {
        write_text(folder / name, "");
        expect_contains(read_error(folder / name), "is empty");
    }
    std::filesystem::create_directory(folder / "folder.obj");
    expect_contains(read_error(folder / "folder.obj"), "is not a file");
}

TEST(MeshIo, GarbageIsRefused) {
    const Folder folder;
    std::string noise;
    for (std::uint64_t i = 0; i < 4000; ++i) noise += static_cast<char>(Random(3).bits(i) & 0xff);
    for (const char* name : {"noise.obj", "noise.ply", "noise.stl"}) {
        write_text(folder / name, noise);
        expect_contains(read_error(folder / name), name);
    }
    // Half of a good file.
    write_mesh(folder / "whole.ply", float_torus());
    std::ifstream in(folder / "whole.ply", std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    write_text(folder / "half.ply", whole.substr(0, whole.size() / 2));
    expect_contains(read_error(folder / "half.ply"), "half.ply");
    const std::string stl = binary_stl(float_torus());
    write_text(folder / "half.stl", stl.substr(0, stl.size() / 2));
    expect_contains(read_error(folder / "half.stl"), "half.stl");
}

TEST(MeshIo, DamagedContentIsRefused) {
    const Folder folder;
    write_text(folder / "points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    expect_contains(read_error(folder / "points.obj"), "points.obj");
    write_text(folder / "lines.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\n");
    expect_contains(read_error(folder / "lines.obj"), "holds no triangles");
    write_text(folder / "range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n");
    expect_contains(read_error(folder / "range.obj"), "range.obj");
    write_text(folder / "nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_contains(read_error(folder / "nan.obj"), "coordinates must be finite");
    const std::string header =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    write_text(folder / "range.ply", header + "0 0 0\n1 0 0\n0 1 0\n3 0 1 5\n");
    expect_contains(read_error(folder / "range.ply"), "range.ply");
    write_text(folder / "inf.ply", header + "0 0 0\ninf 0 0\n0 1 0\n3 0 1 2\n");
    expect_contains(read_error(folder / "inf.ply"), "coordinates must be finite");
}

TEST(MeshIo, WritingIsAtomicAndSaysWhatIsWrong) {
    const Folder folder;
    expect_contains(error_of([&] { write_mesh(folder / "a.stl", float_torus()); }), "allowed: .ply, .obj");
    expect_contains(error_of<FileError>([&] { write_mesh(folder / "no/a.ply", float_torus()); }),
                    "No such file or directory");
    // The target is a folder: renaming fails, and nothing is left behind.
    std::filesystem::create_directory(folder / "taken.ply");
    expect_contains(error_of<FileError>([&] { write_mesh(folder / "taken.ply", float_torus()); }), "cannot be written");
    write_mesh(folder / "b.ply", float_torus());
    write_mesh(folder / "b.ply", float_torus());  // replaces
    int entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / ".")) entries += !entry.path().empty();
    EXPECT_EQ(entries, 2);
}

TEST(MeshIo, AssetsAgreeBetweenFormats) {
    TIDELOCK_READ_ASSET(ply, "bunny.ply");
    TIDELOCK_READ_ASSET(obj, "bunny.obj");
    // Coordinates up to 10; assimp's text conversion is a rounding or two of a float.
    expect_same(ply, obj, 3e-6);
}

}  // namespace tidelock
