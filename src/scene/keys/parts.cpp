#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

Key length_key(std::string_view name, std::string_view doc, std::string_view derived) {
    return {.name = name, .type = number, .doc = doc, .unit = "m", .range = length_range, .derived = derived};
}

Key position_key(std::string_view name, std::string_view doc, std::string_view derived) {
    return {.name = name, .type = vector, .doc = doc, .unit = "m", .range = any_length, .derived = derived};
}

Key direction_key(std::string_view name, std::string_view doc, std::string_view derived) {
    return {.name = name, .type = vector, .doc = doc, .range = {-1e6, 1e6}, .derived = derived};
}

Key rotation_key(std::string_view derived) {
    return {.name = "rotation", .type = rotation, .doc = "of the shape", .derived = derived};
}

Key velocity_key(std::string_view doc, std::string_view derived) {
    return {.name = "velocity", .type = vector, .doc = doc, .unit = "m/s", .range = speed_range, .derived = derived};
}

Key object_key(std::string_view name, const ObjectSpec& object, std::string_view derived) {
    return {.name = name, .type = KeyType::object, .doc = object.doc, .derived = derived, .object = &object};
}

Key list_key(std::string_view name, const ObjectSpec& object) {
    return {.name = name, .type = list, .doc = object.doc, .default_json = "[]", .object = &object};
}

Key flag_key(std::string_view name, std::string_view doc, bool by_default) {
    return {.name = name, .type = boolean, .doc = doc, .default_json = by_default ? "true" : "false"};
}

Key only_in(int dimension, Key key) {
    key.dimension = dimension;
    return key;
}

}  // namespace tidelock::scene
