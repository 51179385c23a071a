#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

/// Names and units of what drives a hinge or a slider.
struct Drive {
    std::string_view push, most, push_unit, speed_unit;
};

/// Drives the coordinate of a joint.
ObjectSpec motor_spec(const Drive& drive) {
    return {.name = "a motor",
            .doc = "Drives the joint: with a torque (slider: force), or to a speed with at most so much of it.",
            .keys = {{.name = drive.push,
                      .type = number,
                      .doc = "on the first body, against the second",
                      .unit = drive.push_unit,
                      .range = {-1e12, 1e12},
                      .derived = "none"},
                     {.name = "speed",
                      .type = number,
                      .doc = "of the first body relative to the second",
                      .unit = drive.speed_unit,
                      .range = {-1e5, 1e5},
                      .derived = "none"},
                     {.name = drive.most,
                      .type = number,
                      .doc = "with which the speed is held",
                      .unit = drive.push_unit,
                      .range = {0, 1e12},
                      .derived = "required with speed"}}};
}

Key limits_key(std::string_view unit, Range range) {
    return {.name = "limits",
            .type = pair,
            .doc = "lowest and highest, 0 where the joint starts",
            .unit = unit,
            .range = range,
            .derived = "none"};
}

Variant hinge_variant(const Key& anchor) {
    static const ObjectSpec motor = motor_spec({"torque", "max_torque", "N m", "degrees/s"});
    return {.word = word_of(JointKind::hinge),
            .doc = "turns about an axis through the anchor",
            .keys = {anchor, only_in(3, direction_key("axis", "any length but zero", "z")),
                     limits_key("degrees", {-179, 179}), object_key("motor", motor, "none")}};
}

Variant slider_variant() {
    static const ObjectSpec motor = motor_spec({"force", "max_force", "N", "m/s"});
    return {.word = word_of(JointKind::slider),
            .doc = "moves along an axis without turning",
            .keys = {direction_key("axis", "any length but zero"), limits_key("m", any_length),
                     object_key("motor", motor, "none")}};
}

}  // namespace

const ObjectSpec& joint_keys() {
    static const Key anchor = position_key("anchor", "where the bodies are joined");
    static const ObjectSpec spec{
        .name = "a joint",
        .doc = "Holds two solids together, or a solid and the world. Solids with a joint between them do not collide.",
        .keys = {{.name = "name", .type = text, .doc = "unique among joints", .derived = "joint-1, joint-2, ..."},
                 {.name = "bodies",
                  .type = names,
                  .doc = "names of two solids, at least one of them rigid; the second may be \"world\""}},
        .selector = "type",
        .variants = {hinge_variant(anchor),
                     {.word = word_of(JointKind::ball), .doc = "turns about the anchor", .keys = {anchor}},
                     slider_variant(),
                     {.word = word_of(JointKind::fixed), .doc = "makes one body of two", .keys = {}}}};
    return spec;
}

}  // namespace tidelock::scene
