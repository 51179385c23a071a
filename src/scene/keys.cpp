#include "scene/keys.h"

#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

const Key* ObjectSpec::find(std::string_view key, const Variant* variant) const {
    for (const Key& k : keys)
        if (k.name == key) return &k;
    if (variant)
        for (const Key& k : variant->keys)
            if (k.name == key) return &k;
    return nullptr;
}

const Variant* ObjectSpec::variant(std::string_view word) const {
    for (const Variant& v : variants)
        if (v.word == word) return &v;
    return nullptr;
}

const ObjectSpec& scene_keys() {
    static const ObjectSpec spec{
        .name = "a scene",
        .doc = "A tidelock scene: SI units, comments allowed.",
        .keys = {{.name = "$schema",
                  .type = text,
                  .doc = "where editors find this schema; otherwise ignored",
                  .derived = "none"},
                 {.name = "tidelock", .type = integer, .doc = "version of the format", .range = {1, 1}},
                 {.name = "name",
                  .type = text,
                  .doc = "what the scene and the folder of its run are called",
                  .derived = "the file's name"},
                 {.name = "comment", .type = text, .doc = "what to watch for", .default_json = "\"\""},
                 {.name = "dimension",
                  .type = integer,
                  .doc = "3, or 2: vectors have two entries, rotations are an angle",
                  .range = {2, 3},
                  .default_json = "3"},
                 object_key("domain", domain_keys()),
                 {.name = "gravity",
                  .type = vector,
                  .doc = "acceleration",
                  .unit = "m/s^2",
                  .range = {-1e4, 1e4},
                  .derived = "9.81 along -y"},
                 object_key("time", time_keys()),
                 object_key("fluid", fluid_keys(), "air at rest"),
                 list_key("solids", solid_keys()),
                 list_key("joints", joint_keys()),
                 object_key("coupling", coupling_keys(), coupling_keys().default_variant),
                 object_key("output", output_keys(), "everything"),
                 object_key("render", render_keys(), "automatic")},
    };
    return spec;
}

}  // namespace tidelock::scene
