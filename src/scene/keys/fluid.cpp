#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

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

Key density_key(std::string_view doc, std::string default_json) {
    return {.name = "density",
            .type = number,
            .doc = doc,
            .unit = "kg/m^3",
            .range = density_range,
            .default_json = std::move(default_json)};
}

Key rate_key(std::string_view name, std::string_view doc) {
    return {.name = name, .type = number, .doc = doc, .unit = "1/s", .range = rate_range, .default_json = "0"};
}

Variant smoke_variant() {
    return {.word = word_of(FluidKind::smoke),
            .doc = "gas that fills the domain and carries smoke and heat",
            .keys = {density_key("density; 1.2 is air", "1.2"),
                     word_key("transport", "how smoke and velocity are carried; maccormack is sharper",
                              Transport::maccormack),
                     object_key("buoyancy", buoyancy_keys(), "an ideal gas, weightless smoke"),
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
                     rate_key("cooling", "rate at which the temperature approaches ambient"),
                     rate_key("dissipation", "rate at which smoke fades"),
                     list_key("initial", initial_smoke_keys()),
                     list_key("sources", smoke_source_keys())}};
}

Variant liquid_variant() {
    return {
        .word = word_of(FluidKind::liquid),
        .doc = "water and its like, with a free surface",
        .keys = {
            density_key("density; 1000 is water", "1000"),
            word_key("transport", "how velocity is carried: by particles (apic is calm, flip lively), or on the grid",
                     LiquidTransport::apic),
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
            word_key("volume_correction",
                     "displacement: what a step lost or gained is given back at its end, as the liquid moves apart or "
                     "together; divergence: by its velocity, over the next steps",
                     DriftCorrection::displacement),
            word_key("bubbles",
                     "constraint: air that the liquid encloses keeps its volume; none: it gives way to the liquid",
                     Bubbles::none),
            list_key("initial", initial_liquid_keys()),
            list_key("sources", liquid_source_keys()),
            list_key("drains", drain_keys())}};
}

}  // namespace

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

}  // namespace tidelock::scene
