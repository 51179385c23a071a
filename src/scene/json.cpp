#include "scene/json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

namespace tidelock::scene {

namespace {

/// Length of the UTF-8 character at the start of `s`, 0 if it is none (RFC 3629: no overlong forms, no surrogates).
std::size_t utf8_length(std::string_view s) {
    const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned a = byte(0), b = byte(1);
    if (a < 0x80) return 1;
    if (a >= 0xC2 && a <= 0xDF) return tail(1) ? 2 : 0;
    if (a >= 0xE0 && a <= 0xEF) {
        const bool second = tail(1) && !(a == 0xE0 && b < 0xA0) && !(a == 0xED && b > 0x9F);
        return second && tail(2) ? 3 : 0;
    }
    if (a >= 0xF0 && a <= 0xF4) {
        const bool second = tail(1) && !(a == 0xF0 && b < 0x90) && !(a == 0xF4 && b > 0x8F);
        return second && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

void append_utf8(std::string& out, unsigned code) {
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)),
            put(0x80 | (code & 0x3F));
    }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

/// Walks over the characters and keeps line and column.
class Cursor {
  public:
    Cursor(std::string_view text, int set) : text_(text) { place_ = {set == 0 ? 1 : 0, set == 0 ? 1 : 0, set}; }

    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
    [[nodiscard]] const Place& place() const { return place_; }

    /// Passes one character and returns it.
    std::string_view next() {
        const std::size_t length = utf8_length(rest());
        if (length == 0)
            fail(fmt::format("not UTF-8 (byte 0x{:02x}); save the file as UTF-8", static_cast<unsigned char>(peek())));
        const std::string_view c = text_.substr(at_, length);
        at_ += length;
        if (place_.line > 0) {
            ++place_.column;
            if (c == "\n") ++place_.line, place_.column = 1;
        }
        return c;
    }
    void skip(std::size_t characters) {
        for (std::size_t i = 0; i < characters; ++i) next();
    }
    [[noreturn]] void fail(std::string text) const { throw SyntaxError{place_, std::move(text)}; }
    [[noreturn]] static void fail_at(const Place& place, std::string text) {
        throw SyntaxError{place, std::move(text)};
    }

    void skip_space() {
        while (!at_end()) {
            const char c = peek();
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                next();
            } else if (c == '/' && peek(1) == '/') {
                while (!at_end() && peek() != '\n') next();
            } else if (c == '/' && peek(1) == '*') {
                const Place start = place_;
                skip(2);
                while (!at_end() && !(peek() == '*' && peek(1) == '/')) next();
                if (at_end()) fail_at(start, "this comment is never closed; expected */");
                skip(2);
            } else {
                return;
            }
        }
    }

    /// What stands here, for a message.
    [[nodiscard]] std::string found() const {
        if (at_end()) return "the end of the text";
        std::size_t length = 0;
        while (length < 24 && length < rest().size() && is_word(rest()[length])) ++length;
        if (length == 0) length = std::max<std::size_t>(1, utf8_length(rest()));
        return fmt::format("'{}'", shorten(rest().substr(0, length)));
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    Place place_;
};

class Parser {
  public:
    Parser(std::string_view text, int set, std::vector<SyntaxError>& duplicates)
        : cursor_(text, set), duplicates_(duplicates) {
        if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3), cursor_ = Cursor(text, set);
    }

    Json parse() {
        Json root;
        cursor_.skip_space();
        if (cursor_.at_end()) cursor_.fail("the text is empty; a scene is a JSON object { ... }");
        start_value(root);
        while (!open_.empty()) step();
        cursor_.skip_space();
        if (!cursor_.at_end())
            cursor_.fail(fmt::format("expected nothing more after the end of the value, found {}", cursor_.found()));
        return root;
    }

  private:
    struct Level {
        Json* value;  ///< stays put: only the innermost open container grows
        std::unordered_set<std::string> keys;
    };

    /// The next item of the innermost open container, or its end.
    void step() {
        Json& container = *open_.back().value;
        const bool object = container.kind == JsonKind::object;
        const char close = object ? '}' : ']';
        cursor_.skip_space();
        if (!container.items.empty()) {
            if (cursor_.peek() == ',') {
                cursor_.next();
                cursor_.skip_space();
                if (cursor_.peek() == close) cursor_.fail(fmt::format("no comma may stand before '{}'", close));
            } else if (cursor_.peek() != close || cursor_.at_end()) {
                fail_in(container, fmt::format("expected ',' or '{}', found {}", close, cursor_.found()));
            }
        }
        if (cursor_.at_end()) fail_in(container, fmt::format("expected '{}', found the end of the text", close));
        if (cursor_.peek() == close) {
            cursor_.next();
            open_.pop_back();
            return;
        }
        if (object) read_key(container);
        container.items.emplace_back();
        start_value(container.items.back());
    }

    void read_key(Json& object) {
        const Place place = cursor_.place();
        if (cursor_.peek() != '"')
            cursor_.fail(fmt::format("expected a key in double quotes, found {}", cursor_.found()));
        std::string key = read_string();
        if (!open_.back().keys.insert(key).second)
            duplicates_.push_back({place, fmt::format("the key \"{}\" comes twice in this object", shorten(key))});
        object.keys.push_back(std::move(key));
        object.key_places.push_back(place);
        cursor_.skip_space();
        if (cursor_.peek() != ':') cursor_.fail(fmt::format("expected ':' after the key, found {}", cursor_.found()));
        cursor_.next();
        cursor_.skip_space();
    }

    /// Reads a plain value; opens a container.
    void start_value(Json& value) {
        if (++values_ > json_max_values)
            cursor_.fail(fmt::format("more than {} values; a scene may not hold more", json_max_values));
        value.place = cursor_.place();
        const char c = cursor_.peek();
        if (c == '{' || c == '[') {
            if (open_.size() >= static_cast<std::size_t>(json_max_depth))
                cursor_.fail(fmt::format("nested more than {} deep", json_max_depth));
            value.kind = c == '{' ? JsonKind::object : JsonKind::array;
            cursor_.next();
            open_.push_back({&value, {}});
        } else if (c == '"') {
            value.kind = JsonKind::string;
            value.text = read_string();
        } else if (c == '-' || is_digit(c)) {
            read_number(value);
        } else {
            read_word(value);
        }
    }

    void read_word(Json& value) {
        std::size_t length = 0;
        const std::string_view rest = cursor_.rest();
        while (length < rest.size() && length < 24 && is_word(rest[length])) ++length;
        const std::string_view word = rest.substr(0, length);
        if (word == "true" || word == "false") {
            value.kind = JsonKind::boolean;
            value.boolean = word == "true";
        } else if (word != "null") {
            cursor_.fail(
                fmt::format("expected a value (a number, a string in double quotes, true, false, [ or {{), found {}",
                            cursor_.found()));
        }
        cursor_.skip(length);
    }

    void read_number(Json& value) {
        const std::string_view rest = cursor_.rest();
        std::size_t n = 0;
        const auto at = [&](std::size_t i) { return i < rest.size() ? rest[i] : '\0'; };
        const auto digits = [&] {
            if (!is_digit(at(n))) {
                cursor_.skip(n);
                cursor_.fail(fmt::format("a digit is missing in this number, found {}", cursor_.found()));
            }
            while (is_digit(at(n))) ++n;
        };
        if (at(n) == '-') ++n;
        const std::size_t whole = n;
        digits();
        if (rest[whole] == '0' && n > whole + 1) cursor_.fail("a number may not start with a superfluous 0");
        if (at(n) == '.') ++n, digits();
        if (at(n) == 'e' || at(n) == 'E') {
            ++n;
            if (at(n) == '+' || at(n) == '-') ++n;
            digits();
        }
        if (is_word(at(n))) {
            cursor_.skip(n);
            cursor_.fail(fmt::format("expected the end of the number, found {}", cursor_.found()));
        }
        value.kind = JsonKind::number;
        value.text = std::string(rest.substr(0, n));
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + n, value.number);
        if (error == std::errc::result_out_of_range) {
            // Out of range either way: too small for a double is as good as zero, too large is a mistake.
            if (!vanishes(value.text))
                cursor_.fail(fmt::format("the number {} is too large for this program", shorten(value.text)));
            value.number = 0;
        }
        cursor_.skip(n);
    }

    /// Whether a number that does not fit a double is too small rather than too large, by its decimal exponent.
    static bool vanishes(std::string_view text) {
        long long exponent = 0;
        const std::size_t e = text.find_first_of("eE");
        const std::string_view mantissa = text.substr(0, e);
        if (e != std::string_view::npos) {
            const bool negative = text[e + 1] == '-';
            const std::string_view digits = text.substr(e + (text[e + 1] == '-' || text[e + 1] == '+' ? 2 : 1));
            for (const char c : digits.substr(0, 15)) exponent = exponent * 10 + (c - '0');
            if (negative) exponent = -exponent;
        }
        const std::size_t first = mantissa.find_first_of("123456789");
        const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
        if (first == std::string_view::npos) return true;
        exponent += static_cast<long long>(point) - static_cast<long long>(first);
        return exponent < 0;
    }

    std::string read_string() {
        const Place start = cursor_.place();
        cursor_.next();
        std::string result;
        while (true) {
            if (cursor_.at_end() || cursor_.peek() == '\n')
                Cursor::fail_at(start, "this string is never closed; expected '\"'");
            const char c = cursor_.peek();
            if (c == '"') break;
            if (static_cast<unsigned char>(c) < 0x20)
                cursor_.fail(
                    fmt::format("a control character (0x{:02x}) in a string; write it as \\u{:04x}", int{c}, int{c}));
            if (c == '\\')
                read_escape(result);
            else
                result += cursor_.next();
        }
        cursor_.next();
        return result;
    }

    unsigned read_hex() {
        unsigned code = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = cursor_.peek();
            const bool lower = c >= 'a' && c <= 'f', upper = c >= 'A' && c <= 'F';
            if (!is_digit(c) && !lower && !upper) cursor_.fail("expected four hexadecimal digits after \\u");
            code = code * 16 + static_cast<unsigned>(is_digit(c) ? c - '0' : lower ? c - 'a' + 10 : c - 'A' + 10);
            cursor_.next();
        }
        return code;
    }

    void read_escape(std::string& out) {
        const Place start = cursor_.place();
        cursor_.next();
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        const char c = cursor_.peek();
        if (const std::size_t i = letters.find(c); i != std::string_view::npos && !cursor_.at_end()) {
            cursor_.next();
            out += meanings[i];
            return;
        }
        if (c != 'u') Cursor::fail_at(start, R"(unknown escape; allowed: \" \\ \/ \b \f \n \r \t \uXXXX)");
        cursor_.next();
        unsigned code = read_hex();
        if (code >= 0xD800 && code <= 0xDBFF && cursor_.peek() == '\\' && cursor_.peek(1) == 'u') {
            cursor_.skip(2);
            const unsigned low = read_hex();
            if (low < 0xDC00 || low > 0xDFFF) Cursor::fail_at(start, "half of a surrogate pair");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        if (code >= 0xD800 && code <= 0xDFFF) Cursor::fail_at(start, "half of a surrogate pair");
        append_utf8(out, code);
    }

    [[noreturn]] void fail_in(const Json& container, const std::string& text) const {
        const Place& p = container.place;
        cursor_.fail(p.line > 0 ? fmt::format("{} (in the {} that starts at {}:{})", text,
                                              container.kind == JsonKind::object ? "object" : "list", p.line, p.column)
                                : text);
    }

    Cursor cursor_;
    std::vector<SyntaxError>& duplicates_;
    std::vector<Level> open_;
    std::size_t values_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key) return &items[i];
    return nullptr;
}

Json* Json::find(std::string_view key) { return const_cast<Json*>(std::as_const(*this).find(key)); }

Json parse_json(std::string_view text, std::vector<SyntaxError>& duplicates, int set) {
    if (text.size() > json_max_bytes)
        throw SyntaxError{{0, 0, set},
                          fmt::format("{} bytes of text; at most {} are read", text.size(), json_max_bytes)};
    return Parser(text, set, duplicates).parse();
}

std::string shorten(std::string_view text, std::size_t longest) {
    std::string result;
    while (!text.empty() && result.size() < longest) {
        const std::size_t length = utf8_length(text);
        const bool printable = length > 0 && static_cast<unsigned char>(text[0]) >= 0x20 && text[0] != 0x7F;
        result += printable ? text.substr(0, length) : std::string_view("?");
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return text.empty() ? result : result + "...";
}

std::string quote(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\', result += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            result += c;
    }
    return result + '"';
}

std::string show(const Json& value) {
    switch (value.kind) {
        case JsonKind::null:
            return "null";
        case JsonKind::boolean:
            return value.boolean ? "true" : "false";
        case JsonKind::number:
            return shorten(value.text);
        case JsonKind::string:
            return fmt::format("\"{}\"", shorten(value.text));
        case JsonKind::object:
            return "an object";
        case JsonKind::array:
            break;
    }
    std::string list = "[";
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 3) return list + ", ...]";
        const Json& item = value.items[i];
        list += (i > 0 ? ", " : "") + (item.kind == JsonKind::array ? std::string("[...]") : show(item));
    }
    return list + "]";
}

}  // namespace tidelock::scene
