#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

Variant variant_of(ShapeKind kind, std::string_view doc, std::vector<Key> keys, int dimension = 0) {
    return {.word = word_of(kind), .doc = doc, .keys = std::move(keys), .dimension = dimension};
}

std::vector<Key> mesh_keys() {
    return {{.name = "file",
             .type = text,
             .doc = "PLY, OBJ or STL, relative to the scene file; or the name of a mesh of the library: bunny, dragon"},
            {.name = "scale",
             .type = number,
             .doc = "factor on the coordinates",
             .range = {1e-6, 1e6},
             .default_json = "1"},
            word_key("origin", "what lies at position: the mesh's centre of mass, or the origin of its coordinates",
                     MeshOrigin::centre),
            flag_key("repair", "fill holes and turn normals, so that the mesh encloses a volume", false)};
}

}  // namespace

const ObjectSpec& shape_keys() {
    static const Key radius = length_key("radius", "radius");
    static const Key size{.name = "size", .type = vector, .doc = "full edges", .unit = "m", .range = length_range};
    static const ObjectSpec spec{
        .name = "a shape",
        .doc = "A shape in its own frame: centred at the origin, cylinder and capsule along y, torus around y.",
        .keys = {},
        .selector = "type",
        .variants = {
            variant_of(ShapeKind::sphere, "a ball; in 2D a disc", {radius}),
            variant_of(ShapeKind::box, "a box; in 2D a rectangle", {size}),
            variant_of(ShapeKind::cylinder, "along y", {radius, length_key("height", "full height")}, 3),
            variant_of(ShapeKind::capsule, "all points within radius of a segment along y",
                       {radius, length_key("height", "of the segment: the whole is height + 2 radius long")}),
            variant_of(ShapeKind::torus, "a ring around y",
                       {length_key("radius", "of the ring, to the middle of the tube"),
                        length_key("tube", "radius of the tube, smaller than radius")},
                       3),
            variant_of(
                ShapeKind::plane,
                "everything below a plane; position is a point on it; static solids, regions of fluid and drains only",
                {direction_key("normal", "points out of the solid, any length but zero", "upwards, +y")}),
            variant_of(ShapeKind::mesh,
                       "a closed triangle mesh, moved so that its centre of mass, or its origin, is at position",
                       mesh_keys(), 3)}};
    return spec;
}

}  // namespace tidelock::scene
