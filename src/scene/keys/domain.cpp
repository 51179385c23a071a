#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

const ObjectSpec& wall_keys() {
    static const auto wall = [](std::size_t side, std::string_view doc) {
        return only_in(side < 4 ? 0 : 3, word_key(wall_names[side], doc, Wall::closed));
    };
    static const ObjectSpec spec{
        .name = "the walls",
        .doc = "What happens at the six (2D: four) sides. closed: nothing flows through; open: fluid comes and goes.",
        .keys = {wall(0, "left side, x = 0"), wall(1, "right side"), wall(2, "floor, y = 0"), wall(3, "ceiling"),
                 wall(4, "back, z = 0"), wall(5, "front")}};
    return spec;
}

}  // namespace

const ObjectSpec& domain_keys() {
    static const ObjectSpec spec{
        .name = "the domain",
        .doc = "The box that the fluid fills, with its lower corner at the origin. Cells are cubes.",
        .keys = {{.name = "size", .type = vector, .doc = "edges of the box", .unit = "m", .range = length_range},
                 {.name = "cells",
                  .type = cells,
                  .doc = "cells along each axis, or one number: along the longest axis",
                  .range = {1, 16384},
                  .derived = "from cell_size"},
                 length_key("cell_size", "edge of a cell, instead of cells", "from cells"),
                 object_key("walls", wall_keys(), "all closed")}};
    return spec;
}

const ObjectSpec& time_keys() {
    static const ObjectSpec spec{
        .name = "the time",
        .doc = "How long, and in which steps.",
        .keys = {{.name = "duration", .type = number, .doc = "simulated time", .unit = "s", .range = {0, 1e6, true}},
                 {.name = "fps",
                  .type = number,
                  .doc = "frames per simulated second",
                  .unit = "1/s",
                  .range = {0.001, 100000},
                  .default_json = "30"},
                 {.name = "step",
                  .type = step,
                  .doc = "\"cfl\": as long as cfl allows; or a fixed time step",
                  .unit = "s",
                  .range = {1e-9, 1e3},
                  .default_json = "\"cfl\""},
                 {.name = "cfl",
                  .type = number,
                  .doc = "cells that the fastest fluid may cross in one step",
                  .range = {0.01, 100},
                  .default_json = "3"}}};
    return spec;
}

}  // namespace tidelock::scene
