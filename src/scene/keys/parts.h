/// What the files of this folder, one a subject, describe; scene_keys() puts it together.
#pragma once

#include "scene/keys.h"
#include "scene/words.h"

namespace tidelock::scene {

[[nodiscard]] const ObjectSpec& domain_keys();
[[nodiscard]] const ObjectSpec& time_keys();
[[nodiscard]] const ObjectSpec& shape_keys();
[[nodiscard]] const ObjectSpec& fluid_keys();
[[nodiscard]] const ObjectSpec& solid_keys();
[[nodiscard]] const ObjectSpec& joint_keys();
[[nodiscard]] const ObjectSpec& coupling_keys();
[[nodiscard]] const ObjectSpec& output_keys();
[[nodiscard]] const ObjectSpec& render_keys();

/// Regions of fluid (keys/regions.cpp).
[[nodiscard]] const ObjectSpec& initial_smoke_keys();
[[nodiscard]] const ObjectSpec& smoke_source_keys();
[[nodiscard]] const ObjectSpec& initial_liquid_keys();
[[nodiscard]] const ObjectSpec& liquid_source_keys();
[[nodiscard]] const ObjectSpec& drain_keys();

// Limits keep every product of a few values finite, and are far outside of what the methods can resolve.
inline constexpr Range any_length{-1e6, 1e6};
inline constexpr Range length_range{1e-6, 1e6};
inline constexpr Range speed_range{-1e5, 1e5};
inline constexpr Range rate_range{0, 1e6};
inline constexpr Range time_range{0, 1e6};
inline constexpr Range density_range{1e-9, 1e9};
inline constexpr Range smoke_range{0, 1e3};
/// Below one kelvin 1 / T, the default of fluid.buoyancy.temperature, would leave that key's range.
inline constexpr Range kelvin_range{1, 1e5};

// Without `derived` a key is required.
[[nodiscard]] Key length_key(std::string_view name, std::string_view doc, std::string_view derived = {});
[[nodiscard]] Key position_key(std::string_view name, std::string_view doc, std::string_view derived = {});
[[nodiscard]] Key direction_key(std::string_view name, std::string_view doc, std::string_view derived = {});
[[nodiscard]] Key rotation_key(std::string_view derived);
[[nodiscard]] Key velocity_key(std::string_view doc, std::string_view derived);
[[nodiscard]] Key object_key(std::string_view name, const ObjectSpec& object, std::string_view derived = {});
/// Empty by default.
[[nodiscard]] Key list_key(std::string_view name, const ObjectSpec& object);
[[nodiscard]] Key flag_key(std::string_view name, std::string_view doc, bool by_default);
/// One of the words of E.
template <class E>
[[nodiscard]] Key word_key(std::string_view name, std::string_view doc, E by_default) {
    return {.name = name,
            .type = KeyType::word,
            .doc = doc,
            .default_json = "\"" + std::string(word_of(by_default)) + "\"",
            .words = all_words<E>()};
}

/// The same key for scenes of that dimension only.
[[nodiscard]] Key only_in(int dimension, Key key);

}  // namespace tidelock::scene
