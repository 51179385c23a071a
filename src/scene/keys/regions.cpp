#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

/// Where a region is, then what else it has.
std::vector<Key> region_keys(const std::vector<Key>& more) {
    std::vector<Key> keys{object_key("shape", shape_keys()), position_key("position", "of the shape's centre"),
                          rotation_key("none")};
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

Key smoke_key() {
    return {.name = "smoke",
            .type = number,
            .doc = "concentration; 1 is the full colour",
            .range = smoke_range,
            .default_json = "1"};
}

Key temperature_key() {
    return {.name = "temperature",
            .type = number,
            .doc = "absolute",
            .unit = "K",
            .range = kelvin_range,
            .derived = "fluid.ambient_temperature"};
}

Key start_key() {
    return {.name = "start", .type = number, .doc = "begins", .unit = "s", .range = time_range, .default_json = "0"};
}

Key end_key() {
    return {.name = "end",
            .type = number,
            .doc = "stops",
            .unit = "s",
            .range = time_range,
            .derived = "the end of the run"};
}

}  // namespace

const ObjectSpec& initial_smoke_keys() {
    static const ObjectSpec spec{
        .name = "initial smoke",
        .doc = "Fluid that is there at the start; later entries win.",
        .keys = region_keys({velocity_key("of the fluid", "zero"), smoke_key(), temperature_key()})};
    return spec;
}

const ObjectSpec& smoke_source_keys() {
    static const ObjectSpec spec{
        .name = "a source",
        .doc = "Holds smoke, temperature and velocity inside its shape at these values from start to end.",
        .keys = region_keys(
            {velocity_key("of the fluid", "the source leaves the velocity alone"),
             flag_key("inflow", "brings its gas along, velocity times area; else it moves what is there", false),
             smoke_key(), temperature_key(), start_key(), end_key()})};
    return spec;
}

const ObjectSpec& initial_liquid_keys() {
    static const ObjectSpec spec{
        .name = "initial liquid",
        .doc = "Liquid that is there at the start; later entries win, and what solids fill is taken away.",
        .keys = region_keys({velocity_key("of the liquid", "zero"),
                             flag_key("air", "takes liquid away that entries before have put here: a bubble", false)})};
    return spec;
}

const ObjectSpec& liquid_source_keys() {
    static const ObjectSpec spec{
        .name = "a source",
        .doc = "Keeps its shape full of liquid that moves with this velocity, from start to end.",
        .keys = region_keys({velocity_key("of the liquid that pours out", "zero"), start_key(), end_key()})};
    return spec;
}

const ObjectSpec& drain_keys() {
    static const ObjectSpec spec{.name = "a drain",
                                 .doc = "Takes away the liquid inside its shape, from start to end.",
                                 .keys = region_keys({start_key(), end_key()})};
    return spec;
}

}  // namespace tidelock::scene
