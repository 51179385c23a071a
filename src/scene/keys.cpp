#include "scene/keys.h"

#include "scene/words.h"

namespace tidelock::scene {

namespace {

using enum KeyType;

// Limits keep every product of a few values finite, and are far outside of what the methods can resolve.
constexpr Range any_length{-1e6, 1e6};
constexpr Range length_range{1e-6, 1e6};
constexpr Range speed_range{-1e5, 1e5};
constexpr Range rate_range{0, 1e6};
constexpr Range time_range{0, 1e6};
constexpr Range density_range{1e-6, 1e9};
constexpr Range smoke_range{0, 1e3};
constexpr Range kelvin_range{0, 1e5, true};

const ObjectSpec& wall_keys() {
    static const auto wall = [](std::string_view name, std::string_view doc, int dimension = 0) {
        return Key{.name = name,
                   .type = word,
                   .doc = doc,
                   .default_json = "\"closed\"",
                   .words = all_words<Wall>(),
                   .dimension = dimension};
    };
    static const ObjectSpec spec{
        .name = "the walls",
        .doc = "What happens at the six (2D: four) sides. closed: nothing flows through; open: fluid comes and goes.",
        .keys = {wall("x-", "left side, x = 0"), wall("x+", "right side"), wall("y-", "floor, y = 0"),
                 wall("y+", "ceiling"), wall("z-", "back, z = 0", 3), wall("z+", "front", 3)}};
    return spec;
}

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
                 {.name = "cell_size",
                  .type = number,
                  .doc = "edge of a cell, instead of cells",
                  .unit = "m",
                  .range = length_range,
                  .derived = "from cells"},
                 {.name = "walls",
                  .type = object,
                  .doc = wall_keys().doc,
                  .derived = "all closed",
                  .object = &wall_keys()}}};
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

const ObjectSpec& shape_keys() {
    static const Key radius{.name = "radius", .type = number, .doc = "radius", .unit = "m", .range = length_range};
    static const ObjectSpec spec{
        .name = "a shape",
        .doc = "A shape in its own frame: centred at the origin, cylinder and capsule along y, torus around y.",
        .keys = {},
        .selector = "type",
        .variants = {
            {.word = word_of(ShapeKind::sphere), .doc = "a ball; in 2D a disc", .keys = {radius}},
            {.word = word_of(ShapeKind::box),
             .doc = "a box; in 2D a rectangle",
             .keys = {{.name = "size", .type = vector, .doc = "full edges", .unit = "m", .range = length_range}}},
            {.word = word_of(ShapeKind::cylinder),
             .doc = "along y",
             .keys = {radius,
                      {.name = "height", .type = number, .doc = "full height", .unit = "m", .range = length_range}},
             .dimension = 3},
            {.word = word_of(ShapeKind::capsule),
             .doc = "all points within radius of a segment along y",
             .keys = {radius,
                      {.name = "height",
                       .type = number,
                       .doc = "of the segment: the whole is height + 2 radius long",
                       .unit = "m",
                       .range = length_range}}},
            {.word = word_of(ShapeKind::torus),
             .doc = "a ring around y",
             .keys = {{.name = "radius",
                       .type = number,
                       .doc = "of the ring, to the middle of the tube",
                       .unit = "m",
                       .range = length_range},
                      {.name = "tube",
                       .type = number,
                       .doc = "radius of the tube, smaller than radius",
                       .unit = "m",
                       .range = length_range}},
             .dimension = 3},
            {.word = word_of(ShapeKind::plane),
             .doc =
                 "everything below a plane; position is a point on it; static solids, regions of fluid and drains only",
             .keys = {{.name = "normal",
                       .type = vector,
                       .doc = "points out of the solid, any length but zero",
                       .range = {-1e6, 1e6},
                       .derived = "upwards, +y"}}},
            {.word = word_of(ShapeKind::mesh),
             .doc = "a closed triangle mesh, moved so that its centre of mass is at position",
             .keys = {{.name = "file",
                       .type = text,
                       .doc = "PLY, OBJ or STL, relative to the scene file; or the name of a mesh of the library: "
                              "bunny, dragon"},
                      {.name = "scale",
                       .type = number,
                       .doc = "factor on the coordinates",
                       .range = {1e-6, 1e6},
                       .default_json = "1"}},
             .dimension = 3}}};
    return spec;
}

/// What initial smoke and sources have in common.
std::vector<Key> region_keys() {
    return {{.name = "shape", .type = object, .doc = shape_keys().doc, .object = &shape_keys()},
            {.name = "position", .type = vector, .doc = "of the shape's centre", .unit = "m", .range = any_length},
            {.name = "rotation", .type = rotation, .doc = "of the shape", .derived = "none"}};
}

const ObjectSpec& initial_keys() {
    static const ObjectSpec spec = [] {
        ObjectSpec s{.name = "initial smoke",
                     .doc = "Fluid that is there at the start; later entries win.",
                     .keys = region_keys()};
        s.keys.push_back({.name = "velocity",
                          .type = vector,
                          .doc = "of the fluid",
                          .unit = "m/s",
                          .range = speed_range,
                          .derived = "zero"});
        s.keys.push_back({.name = "smoke",
                          .type = number,
                          .doc = "concentration; 1 is the full colour",
                          .range = smoke_range,
                          .default_json = "1"});
        s.keys.push_back({.name = "temperature",
                          .type = number,
                          .doc = "absolute",
                          .unit = "K",
                          .range = kelvin_range,
                          .derived = "fluid.ambient_temperature"});
        return s;
    }();
    return spec;
}

void add_times(ObjectSpec& s) {
    s.keys.push_back(
        {.name = "start", .type = number, .doc = "begins", .unit = "s", .range = time_range, .default_json = "0"});
    s.keys.push_back({.name = "end",
                      .type = number,
                      .doc = "stops",
                      .unit = "s",
                      .range = time_range,
                      .derived = "the end of the run"});
}

const ObjectSpec& source_keys() {
    static const ObjectSpec spec = [] {
        ObjectSpec s{.name = "a source",
                     .doc = "Holds smoke, temperature and velocity inside its shape at these values from start to end.",
                     .keys = region_keys()};
        s.keys.push_back({.name = "velocity",
                          .type = vector,
                          .doc = "of the fluid",
                          .unit = "m/s",
                          .range = speed_range,
                          .derived = "the source leaves the velocity alone"});
        s.keys.push_back({.name = "smoke",
                          .type = number,
                          .doc = "concentration; 1 is the full colour",
                          .range = smoke_range,
                          .default_json = "1"});
        s.keys.push_back({.name = "temperature",
                          .type = number,
                          .doc = "absolute",
                          .unit = "K",
                          .range = kelvin_range,
                          .derived = "fluid.ambient_temperature"});
        add_times(s);
        return s;
    }();
    return spec;
}

const ObjectSpec& buoyancy_keys() {
    static const ObjectSpec spec{.name = "buoyancy",
                                 .doc = "Upward acceleration over gravity: temperature (T - ambient) - smoke s.",
                                 .keys = {{.name = "temperature",
                                           .type = number,
                                           .doc = "per kelvin above ambient",
                                           .unit = "1/K",
                                           .range = {-1, 1},
                                           .derived = "1 / ambient_temperature, an ideal gas"},
                                          {.name = "smoke",
                                           .type = number,
                                           .doc = "weight of the smoke, per unit of concentration",
                                           .range = {-100, 100},
                                           .default_json = "0"}}};
    return spec;
}

/// Liquid that is there at the start.
const ObjectSpec& initial_liquid_keys() {
    static const ObjectSpec spec = [] {
        ObjectSpec s{.name = "initial liquid",
                     .doc = "Liquid that is there at the start; later entries win, and what solids fill is taken away.",
                     .keys = region_keys()};
        s.keys.push_back({.name = "velocity",
                          .type = vector,
                          .doc = "of the liquid",
                          .unit = "m/s",
                          .range = speed_range,
                          .derived = "zero"});
        s.keys.push_back({.name = "air",
                          .type = boolean,
                          .doc = "takes liquid away that entries before have put here: a bubble",
                          .default_json = "false"});
        return s;
    }();
    return spec;
}

const ObjectSpec& liquid_source_keys() {
    static const ObjectSpec spec = [] {
        ObjectSpec s{.name = "a source",
                     .doc = "Keeps its shape full of liquid that moves with this velocity, from start to end.",
                     .keys = region_keys()};
        s.keys.push_back({.name = "velocity",
                          .type = vector,
                          .doc = "of the liquid that pours out",
                          .unit = "m/s",
                          .range = speed_range,
                          .derived = "zero"});
        add_times(s);
        return s;
    }();
    return spec;
}

const ObjectSpec& drain_keys() {
    static const ObjectSpec spec = [] {
        ObjectSpec s{.name = "a drain",
                     .doc = "Takes away the liquid inside its shape, from start to end.",
                     .keys = region_keys()};
        add_times(s);
        return s;
    }();
    return spec;
}

Variant smoke_variant() {
    return {.word = word_of(FluidKind::smoke),
            .doc = "gas that fills the domain and carries smoke and heat",
            .keys = {{.name = "density",
                      .type = number,
                      .doc = "density; 1.2 is air",
                      .unit = "kg/m^3",
                      .range = density_range,
                      .default_json = "1.2"},
                     {.name = "transport",
                      .type = word,
                      .doc = "how smoke and velocity are carried; maccormack is sharper",
                      .default_json = "\"maccormack\"",
                      .words = all_words<Transport>()},
                     {.name = "buoyancy",
                      .type = object,
                      .doc = buoyancy_keys().doc,
                      .derived = "an ideal gas, weightless smoke",
                      .object = &buoyancy_keys()},
                     {.name = "ambient_temperature",
                      .type = number,
                      .doc = "of the undisturbed gas",
                      .unit = "K",
                      .range = kelvin_range,
                      .default_json = "293.15"},
                     {.name = "vorticity_confinement",
                      .type = number,
                      .doc = "strength of the force that keeps small eddies turning; 0: off",
                      .range = {0, 100},
                      .default_json = "0"},
                     {.name = "cooling",
                      .type = number,
                      .doc = "rate at which the temperature approaches ambient",
                      .unit = "1/s",
                      .range = rate_range,
                      .default_json = "0"},
                     {.name = "dissipation",
                      .type = number,
                      .doc = "rate at which smoke fades",
                      .unit = "1/s",
                      .range = rate_range,
                      .default_json = "0"},
                     {.name = "initial",
                      .type = list,
                      .doc = initial_keys().doc,
                      .default_json = "[]",
                      .object = &initial_keys()},
                     {.name = "sources",
                      .type = list,
                      .doc = source_keys().doc,
                      .default_json = "[]",
                      .object = &source_keys()}}};
}

Variant liquid_variant() {
    return {
        .word = word_of(FluidKind::liquid),
        .doc = "water and its like, with a free surface",
        .keys = {
            {.name = "density",
             .type = number,
             .doc = "density; 1000 is water",
             .unit = "kg/m^3",
             .range = density_range,
             .default_json = "1000"},
            {.name = "transport",
             .type = word,
             .doc = "how velocity is carried: by particles (apic is calm, flip lively), or on the grid",
             .default_json = "\"apic\"",
             .words = all_words<LiquidTransport>()},
            {.name = "flip_share",
             .type = number,
             .doc = "flip: share of the velocity's change, not of its value, that particles take",
             .range = {0, 1},
             .default_json = "0.97"},
            {.name = "surface",
             .type = word,
             .doc = "what holds the liquid's level set: its particles, or markers on both sides of the surface",
             .derived = "particles; particle-level-set with semi-lagrangian",
             .words = all_words<LiquidSurface>()},
            {.name = "volume_correction",
             .type = word,
             .doc = "divergence: what was lost or gained is given back over the next steps",
             .default_json = "\"none\"",
             .words = all_words<DriftCorrection>()},
            {.name = "bubbles",
             .type = word,
             .doc = "constraint: air that the liquid encloses keeps its volume; none: it gives way to the liquid",
             .default_json = "\"none\"",
             .words = all_words<Bubbles>()},
            {.name = "initial",
             .type = list,
             .doc = initial_liquid_keys().doc,
             .default_json = "[]",
             .object = &initial_liquid_keys()},
            {.name = "sources",
             .type = list,
             .doc = liquid_source_keys().doc,
             .default_json = "[]",
             .object = &liquid_source_keys()},
            {.name = "drains", .type = list, .doc = drain_keys().doc, .default_json = "[]", .object = &drain_keys()}}};
}

const ObjectSpec& fluid_keys() {
    static const ObjectSpec spec{.name = "the fluid",
                                 .doc = "Gas that fills the domain, or a liquid with a free surface.",
                                 .keys = {{.name = "viscosity",
                                           .type = number,
                                           .doc = "dynamic viscosity; only 0 today",
                                           .unit = "Pa s",
                                           .range = {0, 0},
                                           .default_json = "0",
                                           .note = "viscosity is not available yet"}},
                                 .later = {"rheology"},
                                 .selector = "kind",
                                 .default_variant = word_of(FluidKind::smoke),
                                 .variants = {smoke_variant(), liquid_variant()}};
    return spec;
}

const ObjectSpec& keyframe_keys() {
    static const ObjectSpec spec{
        .name = "a keyframe",
        .doc = "Where the solid is at one time.",
        .keys = {
            {.name = "time", .type = number, .doc = "later than the keyframe before", .unit = "s", .range = time_range},
            {.name = "position",
             .type = vector,
             .doc = "of the centre",
             .unit = "m",
             .range = any_length,
             .derived = "the solid's position"},
            {.name = "rotation", .type = rotation, .doc = "of the shape", .derived = "the solid's rotation"}}};
    return spec;
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
                      {.name = "interpolation",
                       .type = word,
                       .doc = "smooth comes to rest at every keyframe",
                       .default_json = "\"linear\"",
                       .words = all_words<Interpolation>()}}},
            {.word = word_of(MotionType::spin),
             .doc = "turns about an axis through its position",
             .keys = {{.name = "axis",
                       .type = vector,
                       .doc = "any length but zero",
                       .range = {-1e6, 1e6},
                       .derived = "z",
                       .dimension = 3},
                      {.name = "degrees_per_second",
                       .type = number,
                       .doc = "right-handed about the axis; in 2D counter-clockwise",
                       .unit = "degrees/s",
                       .range = {-1e6, 1e6}}}},
            {.word = word_of(MotionType::oscillate),
             .doc = "position + amplitude (sin(2 pi frequency t + phase) - sin(phase))",
             .keys = {{.name = "amplitude",
                       .type = vector,
                       .doc = "largest way from the position",
                       .unit = "m",
                       .range = any_length},
                      {.name = "frequency",
                       .type = number,
                       .doc = "full swings per second",
                       .unit = "Hz",
                       .range = {0, 1e4}},
                      {.name = "phase",
                       .type = number,
                       .doc = "where in the swing it starts",
                       .unit = "degrees",
                       .range = {-1e6, 1e6},
                       .default_json = "0"}}}}};
    return spec;
}

const ObjectSpec& solid_keys() {
    static const ObjectSpec spec{
        .name = "a solid",
        .doc = "A body in the fluid. rigid: moved by the fluid; static: never moves; kinematic: moves as told.",
        .keys = {{.name = "name", .type = text, .doc = "unique", .derived = "solid-1, solid-2, ..."},
                 {.name = "type",
                  .type = word,
                  .doc = "what moves it",
                  .default_json = "\"rigid\"",
                  .words = all_words<SolidType>(),
                  .later = {"deformable", "cloth"}},
                 {.name = "shape", .type = object, .doc = shape_keys().doc, .object = &shape_keys()},
                 {.name = "position",
                  .type = vector,
                  .doc = "of the centre of mass; of a plane, any point on it",
                  .unit = "m",
                  .range = any_length},
                 {.name = "rotation", .type = rotation, .doc = "of the shape", .derived = "none"},
                 {.name = "density",
                  .type = number,
                  .doc = "required for a rigid solid, without effect for others",
                  .unit = "kg/m^3",
                  .range = density_range,
                  .derived = "required for a rigid solid"},
                 {.name = "velocity",
                  .type = vector,
                  .doc = "at the start; a kinematic solid without motion keeps it",
                  .unit = "m/s",
                  .range = speed_range,
                  .derived = "zero"},
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
                 {.name = "shell",
                  .type = boolean,
                  .doc = "only the surface is solid: there is fluid inside too",
                  .default_json = "false"},
                 {.name = "colour",
                  .type = colour,
                  .doc = "in pictures",
                  .range = {0, 1},
                  .derived = "one of eight, in turn"},
                 {.name = "motion",
                  .type = object,
                  .doc = motion_keys().doc,
                  .derived = "constant velocity",
                  .object = &motion_keys()}}};
    return spec;
}

/// Drives the coordinate of a joint.
ObjectSpec motor_spec(std::string_view push, std::string_view most, std::string_view push_unit,
                      std::string_view speed_unit) {
    return {.name = "a motor",
            .doc = "Drives the joint: with a torque (slider: force), or to a speed with at most so much of it.",
            .keys = {{.name = push,
                      .type = number,
                      .doc = "on the first body, against the second",
                      .unit = push_unit,
                      .range = {-1e12, 1e12},
                      .derived = "none"},
                     {.name = "speed",
                      .type = number,
                      .doc = "of the first body relative to the second",
                      .unit = speed_unit,
                      .range = {-1e5, 1e5},
                      .derived = "none"},
                     {.name = most,
                      .type = number,
                      .doc = "with which the speed is held",
                      .unit = push_unit,
                      .range = {0, 1e12},
                      .derived = "required with speed"}}};
}

const ObjectSpec& joint_keys() {
    static const ObjectSpec hinge_motor = motor_spec("torque", "max_torque", "N m", "degrees/s");
    static const ObjectSpec slider_motor = motor_spec("force", "max_force", "N", "m/s");
    static const Key anchor{
        .name = "anchor", .type = vector, .doc = "where the bodies are joined", .unit = "m", .range = any_length};
    static const auto limits = [](std::string_view unit, Range range) {
        return Key{.name = "limits",
                   .type = pair,
                   .doc = "lowest and highest, 0 where the joint starts",
                   .unit = unit,
                   .range = range,
                   .derived = "none"};
    };
    static const auto motor = [](const ObjectSpec& spec) {
        return Key{.name = "motor", .type = object, .doc = spec.doc, .derived = "none", .object = &spec};
    };
    static const ObjectSpec spec{
        .name = "a joint",
        .doc = "Holds two solids together, or a solid and the world. Solids with a joint between them do not collide.",
        .keys = {{.name = "name", .type = text, .doc = "unique among joints", .derived = "joint-1, joint-2, ..."},
                 {.name = "bodies",
                  .type = names,
                  .doc = "names of two solids, at least one of them rigid; the second may be \"world\""}},
        .selector = "type",
        .variants = {{.word = word_of(JointKind::hinge),
                      .doc = "turns about an axis through the anchor",
                      .keys = {anchor,
                               {.name = "axis",
                                .type = vector,
                                .doc = "any length but zero",
                                .range = {-1e6, 1e6},
                                .derived = "z",
                                .dimension = 3},
                               limits("degrees", {-179, 179}),
                               motor(hinge_motor)}},
                     {.word = word_of(JointKind::ball), .doc = "turns about the anchor", .keys = {anchor}},
                     {.word = word_of(JointKind::slider),
                      .doc = "moves along an axis without turning",
                      .keys = {{.name = "axis", .type = vector, .doc = "any length but zero", .range = {-1e6, 1e6}},
                               limits("m", any_length),
                               motor(slider_motor)}},
                     {.word = word_of(JointKind::fixed), .doc = "makes one body of two", .keys = {}}}};
    return spec;
}

const ObjectSpec& solver_keys() {
    static const ObjectSpec spec{
        .name = "the solver",
        .doc = "How the coupled system of a step is solved, and when the solve may stop.",
        .keys = {
            {.name = "name",
             .type = word,
             .doc =
                 "auto: ours. The others are those that Aanjaneya 2018 compares; all but cg-schur need \"interface\": "
                 "\"constraint\" if there are rigid bodies",
             .default_json = "\"auto\"",
             .words = all_words<SolverName>()},
            {.name = "tolerance",
             .type = number,
             .doc = "relative residual",
             .range = {1e-14, 0.5},
             .default_json = "1e-6"},
            {.name = "max_iterations", .type = integer, .doc = "at most", .range = {1, 1000000}, .default_json = "500"},
            {.name = "time_budget",
             .type = number,
             .doc = "longest time for a solve; 0: no limit",
             .unit = "s",
             .range = {0, 1e6},
             .default_json = "0"},
            {.name = "history",
             .type = boolean,
             .doc = "write the residual after each iteration, and when, into steps.jsonl",
             .default_json = "false"}}};
    return spec;
}

const ObjectSpec& coupling_keys() {
    static const ObjectSpec spec{.name = "the coupling",
                                 .doc = "How fluid and solids are joined.",
                                 .keys = {{.name = "method",
                                           .type = word,
                                           .doc = "the time step's method",
                                           .default_json = "\"schur\"",
                                           .words = all_words<CouplingMethod>(),
                                           .later = {"lumped", "monolith", "partitioned", "adaptive"}},
                                          {.name = "interface",
                                           .type = word,
                                           .doc = "how bodies meet the grid; constraint is the paper's, of first order",
                                           .default_json = "\"fractional\"",
                                           .words = all_words<BodyInterface>()},
                                          {.name = "solver",
                                           .type = object,
                                           .doc = solver_keys().doc,
                                           .derived = "the solver's defaults",
                                           .object = &solver_keys()}}};
    return spec;
}

const ObjectSpec& output_keys() {
    static const ObjectSpec spec{
        .name = "the output",
        .doc = "What a run writes besides its step log.",
        .keys = {{.name = "vdb", .type = boolean, .doc = "volumes, frames/NNNNNN.vdb", .default_json = "true"},
                 {.name = "particles",
                  .type = boolean,
                  .doc = "particles of a liquid, as points in frames/NNNNNN.vdb",
                  .default_json = "true"},
                 {.name = "meshes",
                  .type = boolean,
                  .doc = "the surface of a liquid, frames/NNNNNN.ply",
                  .default_json = "true"},
                 {.name = "preview", .type = boolean, .doc = "pictures, preview/NNNNNN.png", .default_json = "true"},
                 {.name = "checkpoint_every",
                  .type = integer,
                  .doc = "frames between checkpoints; 0: none but the last",
                  .range = {0, 1000000},
                  .default_json = "10"}}};
    return spec;
}

const ObjectSpec& camera_keys() {
    static const ObjectSpec spec{
        .name = "the camera",
        .doc = "Where the picture is taken from (3D).",
        .keys = {
            {.name = "position", .type = vector, .doc = "of the eye", .unit = "m", .range = any_length, .dimension = 3},
            {.name = "target",
             .type = vector,
             .doc = "the middle of the picture",
             .unit = "m",
             .range = any_length,
             .derived = "the middle of the domain",
             .dimension = 3},
            {.name = "fov",
             .type = number,
             .doc = "vertical angle of view",
             .unit = "degrees",
             .range = {1, 150},
             .default_json = "35",
             .dimension = 3}}};
    return spec;
}

const ObjectSpec& render_keys() {
    static const ObjectSpec spec{.name = "the picture",
                                 .doc = "How previews look.",
                                 .keys = {{.name = "camera",
                                           .type = object,
                                           .doc = camera_keys().doc,
                                           .derived = "one that shows the whole domain",
                                           .object = &camera_keys(),
                                           .dimension = 3},
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
                                          {.name = "width",
                                           .type = integer,
                                           .doc = "of the picture, even",
                                           .unit = "pixels",
                                           .range = {16, 8192},
                                           .derived = "by the domain's shape"},
                                          {.name = "height",
                                           .type = integer,
                                           .doc = "of the picture, even",
                                           .unit = "pixels",
                                           .range = {16, 8192},
                                           .derived = "by the domain's shape"},
                                          {.name = "field",
                                           .type = word,
                                           .doc = "what a 2D picture shows",
                                           .default_json = "\"density\"",
                                           .words = all_words<RenderField>(),
                                           .dimension = 2},
                                          {.name = "streamlines",
                                           .type = boolean,
                                           .doc = "draw the flow's lines (2D)",
                                           .default_json = "false",
                                           .dimension = 2}}};
    return spec;
}

}  // namespace

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
        .keys =
            {{.name = "$schema",
              .type = text,
              .doc = "where editors find this schema; otherwise ignored",
              .derived = "none"},
             {.name = "tidelock", .type = integer, .doc = "version of the format", .range = {1, 1}},
             {.name = "name", .type = text, .doc = "what the scene is called", .derived = "the file's name"},
             {.name = "comment", .type = text, .doc = "what to watch for", .default_json = "\"\""},
             {.name = "dimension",
              .type = integer,
              .doc = "3, or 2: vectors have two entries, rotations are an angle",
              .range = {2, 3},
              .default_json = "3"},
             {.name = "domain", .type = object, .doc = domain_keys().doc, .object = &domain_keys()},
             {.name = "gravity",
              .type = vector,
              .doc = "acceleration",
              .unit = "m/s^2",
              .range = {-1e4, 1e4},
              .derived = "9.81 along -y"},
             {.name = "time", .type = object, .doc = time_keys().doc, .object = &time_keys()},
             {.name = "fluid",
              .type = object,
              .doc = fluid_keys().doc,
              .derived = "air at rest",
              .object = &fluid_keys()},
             {.name = "solids", .type = list, .doc = solid_keys().doc, .default_json = "[]", .object = &solid_keys()},
             {.name = "joints", .type = list, .doc = joint_keys().doc, .default_json = "[]", .object = &joint_keys()},
             {.name = "coupling",
              .type = object,
              .doc = coupling_keys().doc,
              .derived = "schur",
              .object = &coupling_keys()},
             {.name = "output",
              .type = object,
              .doc = output_keys().doc,
              .derived = "everything",
              .object = &output_keys()},
             {.name = "render",
              .type = object,
              .doc = render_keys().doc,
              .derived = "automatic",
              .object = &render_keys()}},
    };
    return spec;
}

}  // namespace tidelock::scene
