#include "scene/schema.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "scene/keys.h"

namespace tidelock::scene {

namespace {

using Schema = nlohmann::ordered_json;

Schema object_schema(const ObjectSpec& spec, const Variant* around = nullptr);

void add_range(Schema& s, const Range& r) {
    if (std::isfinite(r.low)) s[r.open_low ? "exclusiveMinimum" : "minimum"] = r.low;
    if (std::isfinite(r.high)) s["maximum"] = r.high;
}

Schema number_schema(const Range& range, const char* type = "number") {
    Schema s{{"type", type}};
    add_range(s, range);
    return s;
}

Schema list_schema(Schema items, int fewest, int most) {
    return {{"type", "array"}, {"items", std::move(items)}, {"minItems", fewest}, {"maxItems", most}};
}

Schema rotation_schema() {
    const Schema angle = number_schema({-1e6, 1e6});
    const Schema axis = list_schema(number_schema({-1e6, 1e6}), 3, 3);
    Schema properties{{"axis", axis},
                      {"degrees", angle},
                      {"radians", angle},
                      {"quaternion", list_schema(number_schema({-1, 1}), 4, 4)}};
    Schema object{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    object["oneOf"] =
        Schema::array({{{"required", {"degrees"}}}, {{"required", {"radians"}}}, {{"required", {"quaternion"}}}});
    return {{"description",
             "2D: an angle in degrees, counter-clockwise, or an object with degrees or radians. 3D: an axis with "
             "degrees or radians, or a quaternion (w, x, y, z)."},
            {"oneOf", Schema::array({angle, object})}};
}

Schema colour_schema() {
    return {{"description", "\"#rrggbb\", or red, green and blue from 0 to 1, as displayed (sRGB)."},
            {"oneOf", Schema::array({{{"type", "string"}, {"pattern", "^#[0-9a-fA-F]{6}$"}},
                                     list_schema(number_schema({0, 1}), 3, 3)})}};
}

Schema value_schema(const Key& key, const Variant* around) {
    switch (key.type) {
        case KeyType::number:
            return number_schema(key.range);
        case KeyType::integer:
            return number_schema(key.range, "integer");
        case KeyType::boolean:
            return {{"type", "boolean"}};
        case KeyType::text:
            return {{"type", "string"}};
        case KeyType::word:
            return {{"enum", key.words}};
        case KeyType::vector:
            return list_schema(number_schema(key.range), key.dimension == 3 ? 3 : 2, 3);
        case KeyType::turning:
            return {{"oneOf", Schema::array({number_schema(key.range), list_schema(number_schema(key.range), 3, 3)})}};
        case KeyType::rotation:
            return {{"$ref", "#/$defs/rotation"}};
        case KeyType::colour:
            return {{"$ref", "#/$defs/colour"}};
        case KeyType::cells:
            return {{"oneOf", Schema::array({number_schema(key.range, "integer"),
                                             list_schema(number_schema(key.range, "integer"), 2, 3)})}};
        case KeyType::step:
            return {{"oneOf", Schema::array({Schema{{"const", "cfl"}}, number_schema(key.range)})}};
        case KeyType::names:
            return list_schema({{"type", "string"}}, 2, 2);
        case KeyType::pair:
            return list_schema(number_schema(key.range), 2, 2);
        case KeyType::object:
            return key.name == "shape" ? Schema{{"$ref", "#/$defs/shape"}} : object_schema(*key.object, around);
        case KeyType::list:
            return {{"type", "array"}, {"items", object_schema(*key.object)}};
    }
    return {};
}

Schema key_schema(const Key& key, const Variant* around) {
    std::string text(key.doc);
    if (!key.unit.empty()) text += fmt::format(" [{}]", key.unit);
    if (key.dimension != 0) text += fmt::format(" ({}D only)", key.dimension);
    if (!key.derived.empty()) text += fmt::format("; default: {}", key.derived);
    Schema s{{"description", text}};
    s.update(value_schema(key, around));
    s["description"] = text;
    if (!key.default_json.empty()) s["default"] = Schema::parse(key.default_json);
    return s;
}

/// An object with these keys and no others; `selector` is fixed to `word` if given.
Schema keys_schema(const ObjectSpec& spec, const Variant* variant) {
    Schema properties = Schema::object();
    Schema required = Schema::array();
    if (variant && !spec.selector.empty()) {
        properties[std::string(spec.selector)] = Schema{{"const", variant->word}};
        if (variant->word != spec.default_variant) required.push_back(spec.selector);
    }
    const auto add = [&](const Key& key) {
        properties[std::string(key.name)] = key_schema(key, variant);
        if (key.required()) required.push_back(key.name);
    };
    for (const Key& key : spec.keys) add(key);
    if (variant)
        for (const Key& key : variant->keys) add(key);
    Schema s{{"type", "object"},
             {"description", variant && !spec.selector.empty() ? variant->doc : spec.doc},
             {"properties", properties}};
    if (variant && variant->dimension != 0)
        s["description"] = fmt::format("{} ({}D only)", variant->doc, variant->dimension);
    if (!required.empty()) s["required"] = required;
    s["additionalProperties"] = false;
    return s;
}

Schema object_schema(const ObjectSpec& spec, const Variant* around) {
    if (spec.selector.empty()) return keys_schema(spec, around ? spec.variant(around->word) : nullptr);
    Schema variants = Schema::array();
    for (const Variant& v : spec.variants) variants.push_back(keys_schema(spec, &v));
    return {{"description", spec.doc}, {"oneOf", variants}};
}

/// The description of shapes, wherever the keys mention it first.
const ObjectSpec& shape_spec() {
    const Key* solids = scene_keys().find("solids");
    return *solids->object->find("shape")->object;
}

}  // namespace

std::string json_schema() {
    Schema s{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "tidelock scene, version 1"}};
    s.update(keys_schema(scene_keys(), nullptr));
    s["$defs"] = {{"shape", object_schema(shape_spec())}, {"rotation", rotation_schema()}, {"colour", colour_schema()}};
    return s.dump(2) + "\n";
}

}  // namespace tidelock::scene
