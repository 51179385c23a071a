#include "io/gltf.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "io/gltf_surface.h"

namespace tidelock {
namespace {

using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

// Constants of the glTF 2.0 specification, sections 3.6.2.2 (component types), 3.6.2.1 (targets), 4.4 (binary layout).
constexpr int float_type = 5126, uint_type = 5125;
constexpr int vertex_buffer = 34962, index_buffer = 34963;
constexpr std::uint32_t glb_magic = 0x46546c67, glb_version = 2, json_chunk = 0x4e4f534a, binary_chunk = 0x004e4942;

/// Grows the buffer and the JSON that describes it.
class Builder {
  public:
    /// Appends `count` elements of `width` numbers and returns the accessor's index. Only where `bounded`, min and max
    /// are written: the specification asks for them for positions and times.
    template <class T>
    int accessor(const T* data, std::size_t count, int width, int target, bool bounded) {
        const std::size_t bytes = count * static_cast<std::size_t>(width) * sizeof(T);
        Json view = {{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", bytes}};
        if (target != 0) view["target"] = target;
        views_.push_back(view);
        binary_.append(reinterpret_cast<const char*>(data), bytes);  // every element is 4 bytes: stays aligned
        static constexpr const char* types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
        Json entry = {{"bufferView", views_.size() - 1},
                      {"componentType", std::is_same_v<T, float> ? float_type : uint_type},
                      {"count", count},
                      {"type", types[width]}};
        if (bounded) {
            for (int k = 0; k < width; ++k) {
                T low = data[k], high = data[k];
                for (std::size_t i = 0; i < count; ++i) {
                    low = std::min(low, data[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)]);
                    high = std::max(high, data[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)]);
                }
                entry["min"].push_back(low);
                entry["max"].push_back(high);
            }
        }
        accessors_.push_back(entry);
        return static_cast<int>(accessors_.size()) - 1;
    }

    /// The file's bytes; `json` gets the buffer, its views and accessors.
    std::string glb(Json json) {
        if (!accessors_.empty()) {
            json["accessors"] = accessors_;
            json["bufferViews"] = views_;
            json["buffers"] = Json::array({{{"byteLength", binary_.size()}}});
        }
        std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        text.resize((text.size() + 3) / 4 * 4, ' ');
        const std::size_t total = 12 + 8 + text.size() + (binary_.empty() ? 0 : 8 + binary_.size());
        if (total > std::numeric_limits<std::uint32_t>::max()) {
            throw InputError("glTF", "would be {} bytes long, allowed: less than 4 GiB", total);
        }
        std::string out;
        const auto put = [&out](std::size_t value) {
            const auto word = static_cast<std::uint32_t>(value);
            out.append(reinterpret_cast<const char*>(&word), 4);
        };
        for (const std::size_t word : {std::size_t{glb_magic}, std::size_t{glb_version}, total}) put(word);
        put(text.size());
        put(json_chunk);
        out += text;
        if (!binary_.empty()) {
            put(binary_.size());
            put(binary_chunk);
            out += binary_;
        }
        return out;
    }

  private:
    Json accessors_ = Json::array(), views_ = Json::array();
    std::string binary_;
};

/// Quaternions as glTF orders them (x, y, z, w), unit in float, each on the side of its predecessor.
std::vector<std::array<float, 4>> rotations(const std::vector<GltfPose>& track) {
    std::vector<std::array<float, 4>> out;
    Eigen::Vector4d last(0, 0, 0, 1);
    for (const GltfPose& pose : track) {
        const auto& [w, x, y, z] = pose.rotation;
        Eigen::Vector4d q(x, y, z, w);
        q.normalize();
        if (!out.empty() && q.dot(last) < 0) q = -q;
        last = q;
        const Eigen::Vector4f f = q.cast<float>();
        out.push_back({f[0], f[1], f[2], f[3]});
    }
    return out;
}

std::vector<std::array<float, 3>> translations(const std::vector<GltfPose>& track) {
    std::vector<std::array<float, 3>> out;
    for (const GltfPose& pose : track) {
        const Eigen::Vector3f f = pose.position.cast<float>();
        out.push_back({f[0], f[1], f[2]});
    }
    return out;
}

/// Positions of the times that differ as floats: glTF has no other type for them, and they must rise.
std::vector<std::size_t> distinct_times(const std::vector<double>& times) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (kept.empty() || static_cast<float>(times[i]) > static_cast<float>(times[kept.back()])) kept.push_back(i);
    }
    return kept;
}

void check(const GltfScene& scene) {
    for (std::size_t i = 0; i < scene.times.size(); ++i) {
        const bool rises = i == 0 ? scene.times[i] >= 0 : scene.times[i] > scene.times[i - 1];
        if (!std::isfinite(scene.times[i]) || !rises) {
            throw InputError(fmt::format("glTF times[{}]", i), "is {}, allowed: rising numbers from 0", scene.times[i]);
        }
    }
    for (const GltfBody& body : scene.bodies) {
        const std::string place = fmt::format("glTF body '{}'", body.name);
        if (body.track.size() != 1 && (body.track.empty() || body.track.size() != scene.times.size())) {
            throw InputError(place, "has {} poses, allowed: 1, or one for each of the {} times", body.track.size(),
                             scene.times.size());
        }
        for (const GltfPose& pose : body.track) {
            const Eigen::Map<const Eigen::Vector4d> q(pose.rotation.data());
            if (!pose.position.allFinite() || !(std::abs(q.norm() - 1) < 1e-3)) {
                throw InputError(place,
                                 "has a pose at ({}, {}, {}) with a rotation of length {}, allowed: finite, and 1",
                                 pose.position[0], pose.position[1], pose.position[2], q.norm());
            }
        }
        for (const Vec3& x : body.mesh.points) {
            if (!x.allFinite()) throw InputError(place, "has a point ({}, {}, {}), allowed: finite", x[0], x[1], x[2]);
        }
        for (const float share :
             {body.colour[0], body.colour[1], body.colour[2], body.colour[3], body.metallic, body.roughness}) {
            if (!(share >= 0 && share <= 1)) {
                throw InputError(place, "has a colour, metallic or roughness of {}, allowed: 0 to 1", share);
            }
        }
    }
}

Json material(const GltfBody& body) {
    Json out = {
        {"name", body.name},
        {"pbrMetallicRoughness",
         {{"baseColorFactor", body.colour}, {"metallicFactor", body.metallic}, {"roughnessFactor", body.roughness}}}};
    if (body.colour[3] < 1) out["alphaMode"] = "BLEND";
    return out;
}

Json mesh(const GltfBody& body, std::size_t index, Builder& builder) {
    const GltfSurface surface = gltf_surface(body.mesh, body.crease);
    if (surface.indices.empty()) {
        throw InputError(fmt::format("glTF body '{}'", body.name), "has no triangle of positive area");
    }
    const std::size_t points = surface.positions.size();
    Json primitive;
    primitive["attributes"] = {
        {"POSITION", builder.accessor(surface.positions[0].data(), points, 3, vertex_buffer, true)},
        {"NORMAL", builder.accessor(surface.normals[0].data(), points, 3, vertex_buffer, false)}};
    primitive["indices"] = builder.accessor(surface.indices.data(), surface.indices.size(), 1, index_buffer, false);
    primitive["material"] = index;
    return {{"name", body.name}, {"primitives", Json::array({primitive})}};
}

/// Adds a sampler and the channel that moves `path` of node `node`.
void animate(Json& animation, int times, int values, std::size_t node, const char* path) {
    animation["samplers"].push_back({{"input", times}, {"interpolation", "LINEAR"}, {"output", values}});
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
}

Json animation(const GltfScene& scene, Builder& builder) {
    const auto kept = distinct_times(scene.times);
    Json out = {{"name", "motion"}, {"channels", Json::array()}, {"samplers", Json::array()}};
    int times = -1;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const auto& track = scene.bodies[b].track;
        if (track.size() != scene.times.size()) continue;
        if (times < 0) {
            std::vector<float> keys;
            for (const std::size_t i : kept) keys.push_back(static_cast<float>(scene.times[i]));
            times = builder.accessor(keys.data(), keys.size(), 1, 0, true);
        }
        std::vector<GltfPose> poses;
        for (const std::size_t i : kept) poses.push_back(track[i]);
        animate(out, times, builder.accessor(translations(poses)[0].data(), poses.size(), 3, 0, false), b,
                "translation");
        animate(out, times, builder.accessor(rotations(poses)[0].data(), poses.size(), 4, 0, false), b, "rotation");
    }
    return out;
}

}  // namespace

void write_glb(const std::filesystem::path& file, const GltfScene& scene) {
    check(scene);
    Builder builder;
    Json nodes = Json::array(), meshes = Json::array(), materials = Json::array(), roots = Json::array();
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const GltfBody& body = scene.bodies[b];
        nodes.push_back({{"name", body.name},
                         {"mesh", b},
                         {"translation", translations({body.track[0]})[0]},
                         {"rotation", rotations({body.track[0]})[0]}});
        meshes.push_back(mesh(body, b, builder));
        materials.push_back(material(body));
        roots.push_back(b);
    }
    Json json = {{"asset", {{"version", "2.0"}, {"generator", "tidelock"}}}, {"scene", 0}};
    // The specification forbids empty lists.
    json["scenes"] =
        Json::array({roots.empty() ? Json{{"name", "solids"}} : Json{{"name", "solids"}, {"nodes", roots}}});
    if (!nodes.empty()) {
        json["nodes"] = nodes;
        json["meshes"] = meshes;
        json["materials"] = materials;
        const Json motion = animation(scene, builder);
        if (!motion["channels"].empty()) json["animations"] = Json::array({motion});
    }
    write_file_atomically(file, builder.glb(std::move(json)));
}

}  // namespace tidelock
