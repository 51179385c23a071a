#include "io/usd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "base/file.h"
#include "geometry/ply.h"
#include "io/gltf_surface.h"

namespace tidelock {

std::string frame_name(int frame, const char* extension) { return fmt::format("{:06}.{}", frame, extension); }

namespace {

namespace fs = std::filesystem;

/// Names of USD: letters, digits and _, no digit first; none twice.
class Names {
  public:
    std::string unique(const std::string& wanted) {
        std::string name;
        for (const char c : wanted) {
            const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
            name += plain ? c : '_';
        }
        if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "_");
        std::string out = name;
        for (int n = 2; !taken_.insert(out).second; ++n) out = fmt::format("{}_{}", name, n);
        return out;
    }

  private:
    std::set<std::string> taken_;
};

/// A string with what the format escapes.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
    return out + "\"";
}

/// Indented lines, written as they come.
class Text {
  public:
    explicit Text(AtomicFile& file) : file_(file) {}
    ~Text() = default;
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;

    void line(const std::string& text) {
        pending_.append(4 * depth_, ' ');
        pending_ += text;
        pending_ += '\n';
        if (pending_.size() > (1 << 20)) flush();
    }
    void open(const std::string& text, const char* bracket = "{") {
        line(text + " " + bracket);
        ++depth_;
    }
    void close(const char* bracket = "}") {
        --depth_;
        line(bracket);
    }
    void flush() {
        file_.write(pending_);
        pending_.clear();
    }

  private:
    AtomicFile& file_;
    std::string pending_;
    std::size_t depth_ = 0;
};

template <class List, class Put>
std::string listed(const List& list, Put&& put) {
    std::string out = "[";
    for (const auto& x : list) {
        if (out.size() > 1) out += ", ";
        put(out, x);
    }
    return out + "]";
}

void put_point(std::string& out, const Vec3& x) {
    fmt::format_to(std::back_inserter(out), "({}, {}, {})", static_cast<float>(x[0]), static_cast<float>(x[1]),
                   static_cast<float>(x[2]));
}

std::string points_text(const std::vector<Vec3>& points) { return listed(points, put_point); }

std::string extent_text(const std::vector<Vec3>& points) {
    if (points.empty()) return "[(0, 0, 0), (0, 0, 0)]";
    Vec3 low = points[0], high = points[0];
    for (const Vec3& x : points) low = low.cwiseMin(x), high = high.cwiseMax(x);
    return points_text({low, high});
}

/// `faces` sides of `corners`.
std::string counts_text(std::size_t faces, int corners) {
    return listed(std::vector<int>(faces, corners), [](std::string& out, int n) { out += std::to_string(n); });
}

/// A surface of a frame in space; quads in the plane.
struct Shown {
    std::vector<Vec3> points, velocity;
    std::vector<int> indices;
    int corners = 3;
};

Shown shown_surface(const fs::path& file, double cell) {
    PlySurface surface = read_ply_surface(file);
    Shown out;
    if (surface.edges.empty()) {
        out.points = std::move(surface.mesh.points);
        out.velocity = std::move(surface.velocity);
        for (const auto& t : surface.mesh.triangles) out.indices.insert(out.indices.end(), t.begin(), t.end());
        return out;
    }
    out.corners = 4;
    const auto n = static_cast<int>(surface.mesh.points.size());
    for (const double z : {-0.5 * cell, 0.5 * cell}) {
        for (const Vec3& x : surface.mesh.points) out.points.emplace_back(x[0], x[1], z);
        out.velocity.insert(out.velocity.end(), surface.velocity.begin(), surface.velocity.end());
    }
    for (const auto& [a, b] : surface.edges) out.indices.insert(out.indices.end(), {a, b, b + n, a + n});
    return out;
}

void write_camera(Text& text, const ExportCamera& camera) {
    // Apertures are in tenths of a unit, and only their ratio to the focal length counts.
    constexpr double aperture = 24;
    const double aspect = static_cast<double>(camera.pixels_wide) / camera.pixels_high;
    const double high = camera.height > 0 ? 10 * camera.height : aperture;
    const Vec3 back = (camera.position - camera.target).normalized();
    const Vec3 right = camera.up.cross(back).normalized(), up = back.cross(right);
    const double away = (camera.position - camera.target).norm();
    text.open("def Camera \"Camera\"");
    text.line(fmt::format("token projection = \"{}\"", camera.height > 0 ? "orthographic" : "perspective"));
    text.line(fmt::format("float verticalAperture = {}", static_cast<float>(high)));
    text.line(fmt::format("float horizontalAperture = {}", static_cast<float>(aspect * high)));
    text.line(
        fmt::format("float focalLength = {}", static_cast<float>(0.5 * high / std::tan(0.5 * camera.vertical_fov))));
    text.line(fmt::format("float2 clippingRange = ({}, {})", static_cast<float>(1e-3 * away),
                          static_cast<float>(1e3 * away)));
    const auto row = [](const Vec3& v, int w) { return fmt::format("({}, {}, {}, {})", v[0], v[1], v[2], w); };
    text.line(fmt::format("matrix4d xformOp:transform = ( {}, {}, {}, {} )", row(right, 0), row(up, 0), row(back, 0),
                          row(camera.position, 1)));
    text.line("uniform token[] xformOpOrder = [\"xformOp:transform\"]");
    text.close();
}

void write_track(Text& text, const std::vector<GltfPose>& track) {
    const auto place = [](const GltfPose& p) {
        return fmt::format("({}, {}, {})", p.position[0], p.position[1], p.position[2]);
    };
    Eigen::Vector4d last = Eigen::Vector4d::UnitX();
    const auto turn = [&](const GltfPose& p) {
        Eigen::Vector4d q(p.rotation[0], p.rotation[1], p.rotation[2], p.rotation[3]);
        if (q.dot(last) < 0) q = -q;  // on the side of its predecessor: programs blend between them
        last = q;
        return fmt::format("({}, {}, {}, {})", static_cast<float>(q[0]), static_cast<float>(q[1]),
                           static_cast<float>(q[2]), static_cast<float>(q[3]));
    };
    if (track.size() == 1) {
        text.line("double3 xformOp:translate = " + place(track[0]));
        text.line("quatf xformOp:orient = " + turn(track[0]));
    } else {
        text.open("double3 xformOp:translate.timeSamples =");
        for (std::size_t k = 0; k < track.size(); ++k) text.line(fmt::format("{}: {},", k, place(track[k])));
        text.close();
        text.open("quatf xformOp:orient.timeSamples =");
        for (std::size_t k = 0; k < track.size(); ++k) text.line(fmt::format("{}: {},", k, turn(track[k])));
        text.close();
    }
    text.line(R"(uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"])");
}

void write_body(Text& text, const GltfBody& body, const std::string& name) {
    const GltfSurface surface = gltf_surface(body.mesh, body.crease);
    const auto triple = [](std::string& out, const std::array<float, 3>& x) {
        fmt::format_to(std::back_inserter(out), "({}, {}, {})", x[0], x[1], x[2]);
    };
    text.open(fmt::format("def Xform \"{}\"", name));
    text.line("custom string tidelock:name = " + quoted(body.name));
    write_track(text, body.track);
    text.open("def Mesh \"Mesh\"");
    text.line("uniform token subdivisionScheme = \"none\"");
    text.line("float3[] extent = " + extent_text(body.mesh.points));
    text.line("point3f[] points = " + listed(surface.positions, triple));
    text.open("normal3f[] normals = " + listed(surface.normals, triple), "(");
    text.line("interpolation = \"vertex\"");
    text.close(")");
    text.line("int[] faceVertexCounts = " + counts_text(surface.indices.size() / 3, 3));
    text.line("int[] faceVertexIndices = " +
              listed(surface.indices, [](std::string& out, std::uint32_t n) { out += std::to_string(n); }));
    const auto& c = body.colour;
    text.line(fmt::format("color3f[] primvars:displayColor = [({}, {}, {})]", c[0], c[1], c[2]));
    text.line(fmt::format("float[] primvars:displayOpacity = [{}]", c[3]));
    text.close();
    text.close();
}

/// One attribute at a time, as the format wants it: each pass reads the frames anew.
void write_liquid(Text& text, const ExportScene& scene) {
    using Words = std::function<std::string(const Shown&)>;
    const std::pair<const char*, Words> attributes[] = {
        {"float3[] extent", [](const Shown& s) { return extent_text(s.points); }},
        {"point3f[] points", [](const Shown& s) { return points_text(s.points); }},
        {"vector3f[] velocities", [](const Shown& s) { return points_text(s.velocity); }},
        {"int[] faceVertexCounts",
         [](const Shown& s) { return counts_text(s.indices.size() / static_cast<std::size_t>(s.corners), s.corners); }},
        {"int[] faceVertexIndices",
         [](const Shown& s) { return listed(s.indices, [](std::string& out, int n) { out += std::to_string(n); }); }}};
    text.open("def Mesh \"Liquid\"");
    text.line("uniform token subdivisionScheme = \"none\"");
    text.line("color3f[] primvars:displayColor = [(0.25, 0.5, 0.65)]");
    for (const auto& [name, words] : attributes) {
        text.open(fmt::format("{}.timeSamples =", name));
        for (const int frame : scene.surfaces)
            text.line(fmt::format("{}: {},", frame,
                                  words(shown_surface(scene.frames / frame_name(frame, "ply"), scene.cell))));
        text.close();
    }
    text.close();
}

void write_volume(Text& text, const ExportScene& scene, const fs::path& folder) {
    text.open("def Volume \"Fluid\"");
    for (const std::string& grid : scene.grids) text.line(fmt::format("rel field:{0} = </World/Fluid/{0}>", grid));
    if (scene.liquid) text.line("token visibility = \"invisible\"");
    for (const std::string& grid : scene.grids) {
        text.open(fmt::format("def OpenVDBAsset \"{}\"", grid));
        text.line(fmt::format("token fieldName = \"{}\"", grid));
        text.open("asset filePath.timeSamples =");
        for (const int frame : scene.volumes) {
            const fs::path file = (scene.frames / frame_name(frame, "vdb")).lexically_relative(folder);
            text.line(fmt::format("{}: @./{}@,", frame, file.generic_string()));
        }
        text.close();
        text.close();
    }
    text.close();
}

}  // namespace

void write_usda(const fs::path& file, const ExportScene& scene) {
    AtomicFile out(file);
    Text text(out);
    text.line("#usda 1.0");
    text.open("", "(");
    text.line("defaultPrim = \"World\"");
    text.line("doc = " + quoted("tidelock: " + scene.name));
    text.line("metersPerUnit = 1");
    text.line("upAxis = \"Y\"");
    text.line("startTimeCode = 0");
    text.line(fmt::format("endTimeCode = {}", scene.last_frame));
    text.line(fmt::format("timeCodesPerSecond = {}", scene.fps));
    text.line(fmt::format("framesPerSecond = {}", scene.fps));
    text.close(")");
    text.line("");
    text.open("def Xform \"World\"");
    write_camera(text, scene.camera);
    if (!scene.bodies.bodies.empty()) {
        text.open("def Xform \"Bodies\"");
        Names names;
        for (const GltfBody& body : scene.bodies.bodies) write_body(text, body, names.unique(body.name));
        text.close();
    }
    if (!scene.surfaces.empty()) write_liquid(text, scene);
    if (!scene.volumes.empty()) write_volume(text, scene, fs::absolute(file).parent_path().lexically_normal());
    text.close();
    text.flush();
    out.commit();
}

}  // namespace tidelock
