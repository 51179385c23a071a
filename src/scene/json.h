/// JSON text as a tree in which every value knows its line and column.
///
/// Why not nlohmann's parser: its events carry no positions, and it keeps the last of two equal keys. A scene's errors
/// must name the place, so the text is read here, with `//` and `/* */` comments, and nothing else beyond RFC 8259.
/// Reading needs no recursion; depth, size and number of values are limited, so a hostile file costs bounded memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/problem.h"

namespace tidelock::scene {

inline constexpr std::size_t json_max_bytes = 16u << 20;
inline constexpr int json_max_depth = 64;
inline constexpr std::size_t json_max_values = 300'000;

enum class JsonKind { null, boolean, number, string, array, object };

struct Json {
    JsonKind kind = JsonKind::null;
    bool boolean = false;
    double number = 0;        ///< finite
    std::string text;         ///< of a string; of a number, as it was written
    std::vector<Json> items;  ///< of an array or object
    std::vector<std::string> keys;
    std::vector<Place> key_places;
    Place place;
    bool valid = true;  ///< cleared by check_keys() for a value that was reported

    [[nodiscard]] const Json* find(std::string_view key) const;
    [[nodiscard]] Json* find(std::string_view key);
};

struct SyntaxError {
    Place place;
    std::string text;
};

/// Throws SyntaxError at the first character that makes it not JSON. Keys that come twice in an object are added to
/// `duplicates`; find() sees the first. `set` goes into every place: 0 for a file, else the number of the override.
[[nodiscard]] Json parse_json(std::string_view text, std::vector<SyntaxError>& duplicates, int set = 0);

/// The value as a user would recognise it, shortened: `"liquid"`, `-3`, `[1, 2, 3]`, `an object`.
[[nodiscard]] std::string show(const Json& value);
/// A JSON string literal.
[[nodiscard]] std::string quote(std::string_view text);
/// Text for a message: shortened at a whole character, control characters replaced.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t longest = 60);

}  // namespace tidelock::scene
