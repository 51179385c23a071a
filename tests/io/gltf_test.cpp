#include "io/gltf.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/files_testing.h"
#include "geometry/shape.h"
#include "io/body_surface.h"
#include "io/gltf_surface.h"

namespace tidelock {
namespace {

using Json = nlohmann::json;

std::uint32_t word(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes.at(at + 3) - 3, 4);
    return value;
}

/// A .glb taken apart by the specification's section 4.4, independently of the writer.
struct Glb {
    Json json;
    std::string binary;

    explicit Glb(const std::string& bytes) {
        EXPECT_EQ(bytes.substr(0, 4), "glTF");
        EXPECT_EQ(word(bytes, 4), 2u);
        EXPECT_EQ(word(bytes, 8), bytes.size());
        const std::uint32_t text = word(bytes, 12);
        EXPECT_EQ(bytes.substr(16, 4), "JSON");
        EXPECT_EQ(text % 4, 0u);
        json = Json::parse(bytes.substr(20, text));
        if (20 + text == bytes.size()) return;
        EXPECT_EQ(bytes.substr(24 + text, 4), std::string("BIN\0", 4));
        binary = bytes.substr(28 + text);
        EXPECT_EQ(word(bytes, 20 + text), binary.size());
        EXPECT_EQ(json["buffers"][0]["byteLength"], binary.size());
    }

    template <class T>
    [[nodiscard]] std::vector<T> values(int accessor) const {
        const Json& a = json["accessors"][static_cast<std::size_t>(accessor)];
        const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
        const auto offset = view["byteOffset"].get<std::size_t>(), bytes = view["byteLength"].get<std::size_t>();
        const std::size_t width = a["type"] == "SCALAR" ? 1 : a["type"] == "VEC3" ? 3 : 4;
        EXPECT_EQ(a["componentType"], (std::is_same_v<T, float> ? 5126 : 5125));
        EXPECT_EQ(bytes, a["count"].get<std::size_t>() * width * 4);
        EXPECT_EQ(offset % 4, 0u);
        EXPECT_LE(offset + bytes, binary.size());
        std::vector<T> out(bytes / 4);
        std::memcpy(out.data(), binary.data() + offset, bytes);
        if (a.contains("min")) {
            for (std::size_t k = 0; k < width; ++k) {
                T low = out[k], high = out[k];
                for (std::size_t i = k; i < out.size(); i += width)
                    low = std::min(low, out[i]), high = std::max(high, out[i]);
                EXPECT_EQ(a["min"][k].get<T>(), low);
                EXPECT_EQ(a["max"][k].get<T>(), high);
            }
        }
        return out;
    }
};

/// A box that turns around z by `turn` a key while it moves along x, and a ball that rests.
GltfScene sample(double turn = 0.5) {
    GltfScene scene;
    GltfBody box{"box \"1\"", Box<3>(Vec3(0.5, 1, 2)).surface_mesh(4), {1, 0.5f, 0, 1}, 0.1f, 0.4f, {}};
    for (int i = 0; i <= 20; ++i) {
        scene.times.push_back(i / 30.0);
        const double angle = turn * i;
        box.track.push_back({Vec3(0.1 * i, -1, 2), {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}});
    }
    GltfBody ball{"ball", Sphere<3>(0.5).surface_mesh(8), {0, 0, 1, 0.5f}, 0, 1, {{Vec3(1, 2, 3), {1, 0, 0, 0}}}};
    scene.bodies = {box, ball};
    return scene;
}

Glb written(const Folder& folder, const GltfScene& scene) {
    write_glb(folder / "solids.glb", scene);
    return Glb(read_file(folder / "solids.glb"));
}

TEST(Gltf, NodesMeshesAndMaterialsAreThere) {
    const Folder folder;
    const Glb glb = written(folder, sample());
    EXPECT_EQ(glb.json["asset"]["version"], "2.0");
    EXPECT_EQ(glb.json["asset"]["generator"], "tidelock");
    EXPECT_EQ(glb.json["scenes"][0]["nodes"], Json({0, 1}));
    EXPECT_EQ(glb.json["nodes"][0]["name"], "box \"1\"");
    EXPECT_EQ(glb.json["nodes"][1]["translation"], Json({1, 2, 3}));
    EXPECT_EQ(glb.json["nodes"][1]["rotation"], Json({0, 0, 0, 1}));  // x, y, z, w
    EXPECT_EQ(glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"], Json({1, 0.5, 0, 1}));
    EXPECT_FALSE(glb.json["materials"][0].contains("alphaMode"));
    EXPECT_EQ(glb.json["materials"][1]["alphaMode"], "BLEND");
}

TEST(Gltf, SurfacesHaveThePointsAndUnitNormalsOfTheMesh) {
    const Folder folder;
    const GltfScene scene = sample();
    const Glb glb = written(folder, scene);
    for (std::size_t b = 0; b < 2; ++b) {
        const Json& primitive = glb.json["meshes"][b]["primitives"][0];
        EXPECT_EQ(primitive["material"], b);
        const auto x = glb.values<float>(primitive["attributes"]["POSITION"]);
        const auto n = glb.values<float>(primitive["attributes"]["NORMAL"]);
        const auto index = glb.values<std::uint32_t>(primitive["indices"]);
        EXPECT_TRUE(glb.json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()].contains("min"));
        ASSERT_EQ(x.size(), n.size());
        ASSERT_EQ(index.size(), 3 * scene.bodies[b].mesh.triangles.size());
        for (std::size_t i = 0; i < index.size(); ++i) {
            ASSERT_LT(3 * index[i], x.size());
            const Vec3 normal(n[3 * index[i]], n[3 * index[i] + 1], n[3 * index[i] + 2]);
            const Vec3 point =
                scene.bodies[b].mesh.points[static_cast<std::size_t>(scene.bodies[b].mesh.triangles[i / 3][i % 3])];
            for (int a = 0; a < 3; ++a)
                EXPECT_EQ(x[3 * index[i] + static_cast<std::size_t>(a)], static_cast<float>(point[a]));
            EXPECT_NEAR(normal.norm(), 1, 3e-7);  // three roundings to float
            EXPECT_GT(normal.dot(area_normal(scene.bodies[b].mesh, static_cast<int>(i / 3))), 0);
        }
    }
}

TEST(Gltf, BoxesKeepTheirEdgesAndSpheresAreRound) {
    // Each corner of a box has three normals, each along an axis.
    const GltfSurface box = gltf_surface(Box<3>(Vec3(1, 1, 1)).surface_mesh(4), 0.6);
    for (const auto& n : box.normals) EXPECT_NEAR(std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]), 1, 1e-6);
    // On a sphere one normal a point, along the radius; the mean over triangles errs by less than their size.
    const TriangleMesh ball = Sphere<3>(1).surface_mesh(24);
    const GltfSurface round = gltf_surface(ball, 0.6);
    EXPECT_EQ(round.positions.size(), ball.points.size());
    for (std::size_t i = 0; i < round.normals.size(); ++i) {
        for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(round.normals[i][a], round.positions[i][a], 0.05);
    }
}

TEST(Gltf, AnimationHoldsTheTrack) {
    const Folder folder;
    const GltfScene scene = sample();
    const Glb glb = written(folder, scene);
    ASSERT_EQ(glb.json["animations"].size(), 1u);
    const Json& animation = glb.json["animations"][0];
    ASSERT_EQ(animation["channels"].size(), 2u);  // the ball rests
    for (const Json& channel : animation["channels"]) {
        EXPECT_EQ(channel["target"]["node"], 0);
        const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
        EXPECT_EQ(sampler["interpolation"], "LINEAR");
        const auto times = glb.values<float>(sampler["input"]);
        const auto out = glb.values<float>(sampler["output"]);
        EXPECT_TRUE(glb.json["accessors"][sampler["input"].get<std::size_t>()].contains("max"));
        const bool turns = channel["target"]["path"] == "rotation";
        ASSERT_EQ(out.size(), 21u * (turns ? 4 : 3));
        for (std::size_t i = 0; i < 21; ++i) {
            EXPECT_EQ(times[i], static_cast<float>(scene.times[i]));
            if (turns) {
                const double angle = 0.25 * static_cast<double>(i);
                EXPECT_NEAR(out[4 * i + 2], std::sin(angle), 1e-7);
                EXPECT_NEAR(out[4 * i + 3], std::cos(angle), 1e-7);
            } else {
                EXPECT_EQ(out[3 * i], static_cast<float>(0.1 * static_cast<double>(i)));
            }
        }
    }
}

TEST(Gltf, RotationsTakeTheShortWay) {
    const Folder folder;
    GltfScene scene = sample();
    for (std::size_t i = 0; i < 21; i += 3) {
        for (double& q : scene.bodies[0].track[i].rotation) q = -q;  // the same rotation
    }
    const Glb glb = written(folder, scene);
    const auto out = glb.values<float>(glb.json["animations"][0]["samplers"][1]["output"]);
    for (std::size_t i = 1; i < 21; ++i) {
        double dot = 0;
        for (std::size_t k = 0; k < 4; ++k) dot += out[4 * i + k] * out[4 * i + k - 4];
        EXPECT_NEAR(dot, std::cos(0.25), 1e-6);
    }
}

/// What write_solids puts into a file for a body of that shape.
GltfSurface surface_of(std::shared_ptr<const Shape<3>> shape) {
    RigidBody<3> body;
    set_shape<3>(body, std::move(shape), 1000, 0, {}, "body");
    return gltf_surface(body_surface<3>(body, Grid<3>{}, file_turn), GltfBody{}.crease);
}

// Six sides of four corners, each with the side's own normal: that is what a box takes.
TEST(Gltf, BoxesHaveTwentyFourVertices) {
    const GltfSurface box = surface_of(std::make_shared<Box<3>>(Vec3(0.3, 2, 0.7)));
    EXPECT_EQ(box.positions.size(), 24u);
    EXPECT_EQ(box.indices.size(), 36u);
    for (const auto& n : box.normals) EXPECT_EQ(std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]), 1);
    RigidBody<2> plate;
    set_shape<2>(plate, std::make_shared<Box<2>>(Vec2(0.3, 2)), 1000, 0, {}, "plate");
    const TriangleMesh flat = slab(body_surface<2>(plate, Grid<2>{}, file_turn), 0.1);
    EXPECT_EQ(gltf_surface(flat, GltfBody{}.crease).positions.size(), 24u);
}

// Round shapes: normals within 3 degrees of the shape's own (half of a segment of 7.5 degrees where triangles around a
// point are not alike, less elsewhere), and points on the shape. 48 segments around make 1200 points of a ball and 2300
// of a ring; straight parts have none between their ends.
TEST(Gltf, RoundShapesAreSmoothWithFewVertices) {
    const std::pair<std::shared_ptr<const Shape<3>>, std::size_t> shapes[] = {
        {std::make_shared<Sphere<3>>(0.3), 1200},
        {std::make_shared<Capsule<3>>(0.2, 3.0), 1300},
        {std::make_shared<Cylinder>(0.3, 4.0), 200},
        {std::make_shared<Torus>(0.5, 0.1), 2400}};
    for (const auto& [shape, most] : shapes) {
        const GltfSurface surface = surface_of(shape);
        EXPECT_LT(surface.positions.size(), most);
        for (std::size_t i = 0; i < surface.positions.size(); ++i) {
            const auto &p = surface.positions[i], &n = surface.normals[i];
            const Vec3 x(p[0], p[1], p[2]), normal(n[0], n[1], n[2]);
            EXPECT_NEAR(shape->distance(x), 0, 1e-6);
            // At a cylinder's edge two sides meet: just within the side that the normal is of.
            const Vec3 inner = x - 1e-3 * Vec3(x[0], 0, x[2]).normalized() - 1e-3 * Vec3(0, x[1] > 0 ? 1 : -1, 0);
            const bool edge = dynamic_cast<const Cylinder*>(shape.get()) != nullptr;
            const Vec3 own =
                edge ? (std::abs(n[1]) > 0.5 ? Vec3(0, x[1] > 0 ? 1 : -1, 0) : Vec3(inner[0], 0, inner[2]).normalized())
                     : shape->gradient(1.001 * x);
            EXPECT_GT(own.dot(normal), std::cos(3 * std::numbers::pi / 180)) << x.transpose();
        }
    }
}

TEST(Gltf, TimesThatAFloatCannotTellApartAreLeftOut) {
    const Folder folder;
    GltfScene scene = sample();
    for (std::size_t i = 0; i < 21; ++i)
        scene.times[i] = 1000 + 1e-5 * static_cast<double>(i);  // float: steps of 6.1e-5
    const Glb glb = written(folder, scene);
    const Json& sampler = glb.json["animations"][0]["samplers"][0];
    const auto times = glb.values<float>(sampler["input"]);
    EXPECT_EQ(times.size(), 4u);
    for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i], times[i - 1]);
    EXPECT_EQ(glb.values<float>(sampler["output"]).size(), 3 * times.size());
}

TEST(Gltf, ASceneWithoutBodiesIsValid) {
    const Folder folder;
    const Glb glb = written(folder, {});
    EXPECT_TRUE(glb.binary.empty());
    for (const char* key : {"nodes", "meshes", "animations", "buffers", "accessors"})
        EXPECT_FALSE(glb.json.contains(key));
}

TEST(Gltf, KhronosValidatorFindsNothing) {
    const std::filesystem::path root = TIDELOCK_SOURCE_DIR;
    if (!std::filesystem::exists(root / "build/gltf-validator/node_modules")) {
        GTEST_SKIP() << "the validator is not installed: run script/check_gltf once";
    }
    const Folder folder;
    for (const GltfScene& scene : {sample(), GltfScene{}}) {
        write_glb(folder / "solids.glb", scene);
        const std::string command = fmt::format("'{}' '{}' > '{}' 2>&1", (root / "script/check_gltf").string(),
                                                (folder / "solids.glb").string(), (folder / "report").string());
        EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder / "report");
    }
}

TEST(Gltf, WrongInputIsNamedAndNothingIsWritten) {
    const Folder folder;
    const auto refusal = [&](auto&& change) {
        GltfScene scene = sample();
        change(scene);
        return error_of([&] { write_glb(folder / "a.glb", scene); });
    };
    expect_contains(refusal([](GltfScene& s) { s.bodies[0].track.pop_back(); }),
                    "has 20 poses, allowed: 1, or one for");
    expect_contains(refusal([](GltfScene& s) { s.bodies[1].track.clear(); }), "'ball'");
    expect_contains(refusal([](GltfScene& s) { s.times[3] = s.times[2]; }), "times[3]");
    expect_contains(refusal([](GltfScene& s) { s.bodies[0].track[5].rotation[0] = std::nan(""); }), "rotation");
    expect_contains(refusal([](GltfScene& s) { s.bodies[1].mesh.points[0][1] = HUGE_VAL; }), "has a point");
    expect_contains(refusal([](GltfScene& s) { s.bodies[1].mesh.triangles.clear(); }), "no triangle");
    expect_contains(refusal([](GltfScene& s) { s.bodies[0].colour[2] = 2; }), "allowed: 0 to 1");
    EXPECT_EQ(folder.entries(), 0);
    EXPECT_THROW(write_glb(folder / "no/a.glb", sample()), FileError);
}

}  // namespace
}  // namespace tidelock
