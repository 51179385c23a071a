#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

const ObjectSpec& keyframe_keys() {
    static const ObjectSpec spec{
        .name = "a keyframe",
        .doc = "Where the solid is at one time.",
        .keys = {
            {.name = "time", .type = number, .doc = "later than the keyframe before", .unit = "s", .range = time_range},
            position_key("position", "of the centre", "the solid's position"),
            rotation_key("the solid's rotation")}};
    return spec;
}

Variant spin_variant() {
    return {.word = word_of(MotionType::spin),
            .doc = "turns about an axis through its position",
            .keys = {only_in(3, direction_key("axis", "any length but zero", "z")),
                     {.name = "degrees_per_second",
                      .type = number,
                      .doc = "right-handed about the axis; in 2D counter-clockwise",
                      .unit = "degrees/s",
                      .range = {-1e6, 1e6}}}};
}

Variant oscillate_variant() {
    return {.word = word_of(MotionType::oscillate),
            .doc = "position + amplitude (sin(2 pi frequency t + phase) - sin(phase))",
            .keys = {
                position_key("amplitude", "largest way from the position"),
                {.name = "frequency", .type = number, .doc = "full swings per second", .unit = "Hz", .range = {0, 1e4}},
                {.name = "phase",
                 .type = number,
                 .doc = "where in the swing it starts",
                 .unit = "degrees",
                 .range = {-1e6, 1e6},
                 .default_json = "0"}}};
}

const ObjectSpec& motion_keys() {
    static const ObjectSpec spec{
        .name = "a motion",
        .doc = "How a kinematic solid moves.",
        .keys = {},
        .selector = "type",
        .default_variant = word_of(MotionType::keyframes),
        .variants = {
            {.word = word_of(MotionType::keyframes),
             .doc = "from place to place; at rest before the first and after the last",
             .keys = {{.name = "keyframes", .type = list, .doc = keyframe_keys().doc, .object = &keyframe_keys()},
                      word_key("interpolation", "smooth comes to rest at every keyframe", Interpolation::linear)}},
            spin_variant(),
            oscillate_variant()}};
    return spec;
}

Key type_key() {
    Key key = word_key("type", "what moves it", SolidType::rigid);
    key.later = {"deformable", "cloth"};
    return key;
}

}  // namespace

const ObjectSpec& solid_keys() {
    static const ObjectSpec spec{
        .name = "a solid",
        .doc = "A body in the fluid. rigid: moved by the fluid; static: never moves; kinematic: moves as told.",
        .keys = {{.name = "name", .type = text, .doc = "unique", .derived = "solid-1, solid-2, ..."},
                 type_key(),
                 object_key("shape", shape_keys()),
                 position_key("position", "of the centre of mass; of a plane, any point on it"),
                 rotation_key("none"),
                 {.name = "density",
                  .type = number,
                  .doc = "required for a rigid solid, without effect for others",
                  .unit = "kg/m^3",
                  .range = density_range,
                  .derived = "required for a rigid solid"},
                 velocity_key("at the start; a kinematic solid without motion keeps it", "zero"),
                 {.name = "angular_velocity",
                  .type = turning,
                  .doc = "at the start, in the world's frame; a number in 2D",
                  .unit = "rad/s",
                  .range = speed_range,
                  .derived = "zero"},
                 {.name = "friction",
                  .type = number,
                  .doc = "Coulomb coefficient; of a pair the geometric mean counts, at a wall the solid's own",
                  .range = {0, 10},
                  .default_json = "0.1"},
                 {.name = "restitution",
                  .type = number,
                  .doc = "0: no bounce, 1: full bounce; of a pair the greater one counts",
                  .range = {0, 1},
                  .default_json = "0"},
                 flag_key("shell", "only the surface is solid: there is fluid inside too", false),
                 {.name = "colour",
                  .type = colour,
                  .doc = "in pictures",
                  .range = {0, 1},
                  .derived = "one of eight, in turn"},
                 {.name = "opacity",
                  .type = number,
                  .doc = "in pictures; below 1 what is behind shows through",
                  .range = {0, 1, true},
                  .derived = "1, of a shell 0.35"},
                 object_key("motion", motion_keys(), "constant velocity")}};
    return spec;
}

}  // namespace tidelock::scene
