/// The one description of the scene format: every key with its type, range, unit, default and meaning.
///
/// The reader checks a file against it (check_keys.h), takes defaults from it (bind.h), and docs/scene.schema.json is
/// generated from it (schema.h). To add a key, add it to its subject in scene/keys/ and in scene/bind/, and write the
/// schema anew.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tidelock::scene {

enum class KeyType {
    number,
    integer,
    boolean,
    text,
    word,     ///< one of `words`
    vector,   ///< as many numbers as the scene has dimensions
    turning,  ///< an angular velocity: a number in 2D, a vector in 3D
    rotation,
    colour,
    cells,  ///< a whole number, or one per axis
    step,   ///< "cfl" or a number
    names,  ///< two strings
    pair,   ///< two numbers, the lower one first
    object,
    list,  ///< of objects
};

struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool open_low = false;  ///< low itself is not allowed
};

struct ObjectSpec;

struct Key {
    std::string_view name;
    KeyType type = KeyType::number;
    std::string_view doc = {};      ///< one line
    std::string_view unit = {};     ///< "m/s"
    Range range = {};               ///< of a number, or of each entry
    std::string default_json = {};  ///< JSON text; empty: required, or see `derived`
    std::string_view derived = {};  ///< what is taken when the key is absent, in words
    std::vector<std::string_view> words = {};
    std::vector<std::string_view> later = {};  ///< words of the format that do nothing yet
    const ObjectSpec* object = nullptr;
    std::string_view note = {};  ///< added to a message about a wrong value
    int dimension = 0;           ///< 2 or 3: only there

    [[nodiscard]] bool required() const { return default_json.empty() && derived.empty(); }
};

/// Keys that an object has when its selector says `word`.
struct Variant {
    std::string_view word;
    std::string_view doc;
    std::vector<Key> keys;
    int dimension = 0;  ///< 2 or 3: only there
};

struct ObjectSpec {
    std::string_view name;  ///< "a solid"
    std::string_view doc;
    std::vector<Key> keys;
    std::vector<std::string_view> later = {};  ///< keys of the format that do nothing yet
    std::string_view selector = {};            ///< key that chooses the variant
    std::string_view default_variant = {};     ///< without the selector; empty: it is required
    std::vector<Variant> variants = {};
    std::vector<std::string_view> later_variants = {};
    std::string_view follows = {};  ///< the variant is that of the object around it, which this selector of it chose

    /// What chooses between variants, here or around.
    [[nodiscard]] std::string_view chooser() const { return selector.empty() ? follows : selector; }
    /// In `keys`, or in the variant.
    [[nodiscard]] const Key* find(std::string_view key, const Variant* variant = nullptr) const;
    [[nodiscard]] const Variant* variant(std::string_view word) const;
};

/// The whole file.
[[nodiscard]] const ObjectSpec& scene_keys();

}  // namespace tidelock::scene
