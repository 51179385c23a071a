#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

const ObjectSpec& camera_keys() {
    static const ObjectSpec spec = [] {
        ObjectSpec s{.name = "the camera",
                     .doc = "Where the picture is taken from (3D).",
                     .keys = {position_key("position", "of the eye"),
                              position_key("target", "the middle of the picture", "the middle of the domain"),
                              {.name = "fov",
                               .type = number,
                               .doc = "vertical angle of view",
                               .unit = "degrees",
                               .range = {1, 150},
                               .default_json = "35"}}};
        for (Key& key : s.keys) key.dimension = 3;
        return s;
    }();
    return spec;
}

Key pixels_key(std::string_view name) {
    return {.name = name,
            .type = integer,
            .doc = "of the picture, even",
            .unit = "pixels",
            .range = {16, 8192},
            .derived = "by the domain's shape"};
}

}  // namespace

const ObjectSpec& output_keys() {
    static const ObjectSpec spec{
        .name = "the output",
        .doc = "What a run writes besides its step log.",
        .keys = {flag_key("vdb", "volumes, frames/NNNNNN.vdb", true),
                 flag_key("particles", "particles of a liquid, as points in frames/NNNNNN.vdb", true),
                 flag_key("meshes", "the surface of a liquid, frames/NNNNNN.ply", true),
                 {.name = "overlap",
                  .type = number,
                  .doc = "how far that surface goes into solids, as glass may want it; less than half of thin walls",
                  .unit = "cells",
                  .range = {0, 2},
                  .default_json = "0"},
                 flag_key("preview", "pictures, preview/NNNNNN.png", true),
                 {.name = "preview_share",
                  .type = number,
                  .doc = "of the run's time that pictures may take: fewer frames have one; 1: every frame has",
                  .range = {0, 1, true},
                  .default_json = "0.25"},
                 {.name = "checkpoint_every",
                  .type = integer,
                  .doc = "frames between checkpoints; 0: none but the last",
                  .range = {0, 1000000},
                  .default_json = "10"}}};
    return spec;
}

const ObjectSpec& render_keys() {
    static const ObjectSpec spec{
        .name = "the picture",
        .doc = "How previews look.",
        .keys = {only_in(3, object_key("camera", camera_keys(), "one that shows the whole domain")),
                 {.name = "background",
                  .type = colour,
                  .doc = "behind everything",
                  .range = {0, 1},
                  .derived = "[0.18, 0.22, 0.26] with smoke, [0.5, 0.55, 0.6] with liquid"},
                 {.name = "smoke_colour",
                  .type = colour,
                  .doc = "of dense smoke",
                  .range = {0, 1},
                  .default_json = "[0.98, 0.98, 0.99]"},
                 pixels_key("width"),
                 pixels_key("height"),
                 only_in(2, word_key("field", "what a 2D picture shows", RenderField::density)),
                 only_in(2, flag_key("streamlines", "draw the flow's lines (2D)", false))}};
    return spec;
}

}  // namespace tidelock::scene
