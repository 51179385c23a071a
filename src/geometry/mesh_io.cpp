#include "geometry/mesh_io.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <map>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "geometry/ply.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;

std::string extension(const fs::path& file) {
    std::string text = file.extension().string();
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

void check_readable(const fs::path& file) {
    const std::string kind = extension(file);
    if (kind != ".obj" && kind != ".ply" && kind != ".stl") {
        throw InputError(file.string(), "unknown kind of mesh '{}', allowed: .obj, .ply, .stl", kind);
    }
    std::error_code error;
    if (!fs::exists(file, error)) throw InputError(file.string(), "no such file");
    if (!fs::is_regular_file(file, error)) throw InputError(file.string(), "is not a file");
    const auto size = fs::file_size(file, error);
    if (error) throw InputError(file.string(), "cannot be read: {}", error.message());
    if (size == 0) throw InputError(file.string(), "is empty");
}

/// Builds a mesh whose points are numbered by their coordinates, in order of first use.
class Welder {
  public:
    explicit Welder(std::string place) : place_(std::move(place)) {}
    void add(const Vec3& a, const Vec3& b, const Vec3& c) { mesh_.triangles.push_back({index(a), index(b), index(c)}); }
    TriangleMesh take() {
        if (mesh_.triangles.empty()) throw InputError(place_, "holds no triangles");
        return std::move(mesh_);
    }

  private:
    int index(const Vec3& x) {
        if (!x.allFinite()) {
            throw InputError(place_, "holds a point [{}, {}, {}], coordinates must be finite", x[0], x[1], x[2]);
        }
        // + 0 turns -0 into 0: the same place, so the same point.
        const std::array<double, 3> key{x[0] + 0.0, x[1] + 0.0, x[2] + 0.0};
        const auto [place, fresh] = known_.try_emplace(key, static_cast<int>(mesh_.points.size()));
        if (fresh) mesh_.points.emplace_back(key[0], key[1], key[2]);
        return place->second;
    }
    std::string place_;
    TriangleMesh mesh_;
    std::map<std::array<double, 3>, int> known_;
};

void append(const aiMesh& part, const std::string& place, Welder& welder) {
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
        const aiFace& face = part.mFaces[f];
        if (face.mNumIndices != 3) continue;  // points and lines; polygons are triangles by now
        Vec3 corner[3];
        for (unsigned k = 0; k < 3; ++k) {
            const unsigned i = face.mIndices[k];
            if (i >= part.mNumVertices) {
                throw InputError(place, "triangle {} refers to point {}, allowed: 0 to {}", f, i,
                                 part.mNumVertices - 1);
            }
            corner[k] = Vec3(part.mVertices[i].x, part.mVertices[i].y, part.mVertices[i].z);
        }
        welder.add(corner[0], corner[1], corner[2]);
    }
}

TriangleMesh weld(const TriangleMesh& mesh, const std::string& place) {
    Welder welder(place);
    for (const auto& [a, b, c] : mesh.triangles) welder.add(mesh.points[a], mesh.points[b], mesh.points[c]);
    return welder.take();
}

std::string as_obj(const TriangleMesh& mesh) {
    std::string out = "# tidelock\n";
    // {:.9g} brings every float back exactly; more digits would be lost on reading.
    for (const Vec3& x : mesh.points) out += fmt::format("v {:.9g} {:.9g} {:.9g}\n", x.x(), x.y(), x.z());
    for (const auto& [a, b, c] : mesh.triangles) out += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    return out;
}

}  // namespace

TriangleMesh read_mesh(const fs::path& file) {
    check_readable(file);
    const std::string place = file.string();
    if (extension(file) == ".ply") return weld(read_ply(file), place);
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(place, aiProcess_Triangulate);
    if (!scene) throw InputError(place, "is not a readable {} mesh: {}", extension(file), importer.GetErrorString());
    Welder welder(place);
    for (unsigned m = 0; m < scene->mNumMeshes; ++m) append(*scene->mMeshes[m], place, welder);
    return welder.take();
}

void write_mesh(const fs::path& file, const TriangleMesh& mesh) {
    const std::string kind = extension(file);
    if (kind != ".ply" && kind != ".obj") {
        throw InputError(file.string(), "unknown kind of mesh to write '{}', allowed: .ply, .obj", kind);
    }
    if (kind == ".ply")
        write_ply(file, mesh);
    else
        write_file_atomically(file, as_obj(mesh));
}

}  // namespace tidelock
