#include "scene/check_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidelock::scene {

namespace {

bool is_whole(const Json& v) { return v.kind == JsonKind::number && v.number == std::floor(v.number); }

class Checker {
  public:
    Checker(int dimension, Places& places, Problems& problems)
        : dimension_(dimension), places_(places), problems_(problems) {}

    void object(Json& value, const ObjectSpec& spec, const std::string& path) {
        places_.add(path, value.place);
        if (value.kind != JsonKind::object)
            return wrong(value, path, fmt::format("{} must be an object {{ ... }}", spec.name));
        const Variant* variant = nullptr;
        if (!spec.selector.empty() && !choose_variant(value, spec, path, variant)) return;
        std::vector<std::string_view> meant;  // known keys that were probably meant by unknown ones
        for (std::size_t i = 0; i < value.keys.size(); ++i) {
            const std::string& name = value.keys[i];
            if (!spec.selector.empty() && name == spec.selector) continue;
            const Key* key = spec.find(name, variant);
            const std::string at = path.empty() ? std::string(shorten(name)) : path + "." + shorten(name);
            if (!key)
                unknown(value, i, spec, variant, at, meant);
            else if (key->dimension != 0 && key->dimension != dimension_)
                fail(value.items[i], value.key_places[i], at,
                     fmt::format("exists only in {}D scenes; this one has dimension {}", key->dimension, dimension_));
            else
                this->value(value.items[i], *key, at);
        }
        for (const Key& key : spec.keys) missing(value, key, path, meant);
        if (variant)
            for (const Key& key : variant->keys) missing(value, key, path, meant);
    }

  private:
    void fail(Json& value, const Place& place, const std::string& path, std::string text) {
        value.valid = false;
        problems_.error(place, path, std::move(text));
    }
    void wrong(Json& value, const std::string& path, const std::string& what) {
        fail(value, value.place, path,
             fmt::format("{}, not {}", what, value.kind == JsonKind::object ? std::string("an object") : show(value)));
    }

    bool choose_variant(Json& value, const ObjectSpec& spec, const std::string& path, const Variant*& variant) {
        std::vector<std::string_view> words;
        for (const Variant& v : spec.variants)
            if (v.dimension == 0 || v.dimension == dimension_) words.push_back(v.word);
        const std::string at = path + "." + std::string(spec.selector);
        Json* selector = value.find(spec.selector);
        if (!selector) {
            variant = spec.variant(spec.default_variant);
            if (variant) return true;
            fail(value, value.place, at, fmt::format("is missing; allowed: {}", join_words(words)));
            return false;
        }
        places_.add(at, selector->place);
        if (selector->kind == JsonKind::string) variant = spec.variant(selector->text);
        if (variant && variant->dimension != 0 && variant->dimension != dimension_) {
            fail(value, selector->place, at,
                 fmt::format("\"{}\" exists only in {}D scenes; allowed here: {}", variant->word, variant->dimension,
                             join_words(words)));
            return false;
        }
        if (variant) return true;
        value.valid = false;
        word(*selector, words, {}, at);
        return false;
    }

    void unknown(Json& value, std::size_t i, const ObjectSpec& spec, const Variant* variant, const std::string& path,
                 std::vector<std::string_view>& meant) {
        value.items[i].valid = false;
        const std::string_view name = value.keys[i];
        if (std::find(spec.later.begin(), spec.later.end(), name) != spec.later.end())
            return problems_.error(value.key_places[i], path, "is not available yet; remove it");
        std::vector<std::string_view> names, candidates;
        const auto add = [&](const Key& key) {
            if (key.dimension != 0 && key.dimension != dimension_) return;
            if (key.name != "$schema") names.push_back(key.name);
            if (!value.find(key.name)) candidates.push_back(key.name);
        };
        if (!spec.selector.empty()) names.push_back(spec.selector);
        for (const Key& key : spec.keys) add(key);
        if (variant)
            for (const Key& key : variant->keys) add(key);
        const std::string near = nearest_word(name, candidates);
        if (!near.empty()) meant.push_back(*std::find(candidates.begin(), candidates.end(), near));
        problems_.error(value.key_places[i], path,
                        fmt::format("unknown key{}; {} has: {}", meant_text(near), spec.name, fmt::join(names, ", ")));
    }

    void missing(Json& value, const Key& key, const std::string& path, const std::vector<std::string_view>& meant) {
        if (!key.required() || value.find(key.name)) return;
        if (key.dimension != 0 && key.dimension != dimension_) return;
        value.valid = false;
        if (std::find(meant.begin(), meant.end(), key.name) != meant.end()) return;  // the misspelt one is reported
        std::string allowed = key.type == KeyType::number || key.type == KeyType::integer || key.type == KeyType::vector
                                  ? range_text(key)
                                  : std::string(key.doc);
        problems_.error(value.place, (path.empty() ? "" : path + ".") + std::string(key.name),
                        fmt::format("is missing, and only you can know it: {}{}", key.doc,
                                    allowed == key.doc || allowed.empty() ? "" : fmt::format(", {}", allowed)));
    }

    void word(Json& v, const std::vector<std::string_view>& allowed, const std::vector<std::string_view>& later,
              const std::string& path) {
        if (v.kind != JsonKind::string) return wrong(v, path, fmt::format("must be {}", join_words(allowed)));
        if (std::find(allowed.begin(), allowed.end(), v.text) != allowed.end()) return;
        if (std::find(later.begin(), later.end(), v.text) != later.end())
            return fail(v, v.place, path,
                        fmt::format("\"{}\" is not available yet; allowed: {}", v.text, join_words(allowed)));
        const std::string near = nearest_word(v.text, allowed);
        fail(v, v.place, path,
             fmt::format("{} is unknown{}; allowed: {}", show(v), meant_text(near), join_words(allowed)));
    }

    bool number(Json& v, const Key& key, const std::string& path) {
        if (v.kind != JsonKind::number) {
            wrong(v, path, fmt::format("must be a number{}{}", range_text(key).empty() ? "" : " ", range_text(key)));
            return false;
        }
        const Range& r = key.range;
        if (v.number >= r.low && v.number <= r.high && !(r.open_low && v.number == r.low)) return true;
        fail(v, v.place, path,
             fmt::format("must be {}, not {}{}{}", range_text(key), shorten(v.text), key.note.empty() ? "" : "; ",
                         key.note));
        return false;
    }

    bool whole(Json& v, const Key& key, const std::string& path) {
        if (v.kind == JsonKind::number && !is_whole(v)) {
            wrong(v, path, "must be a whole number");
            return false;
        }
        return number(v, key, path);
    }

    /// `count` numbers.
    void numbers(Json& v, const Key& key, std::size_t count, bool integers, const std::string& path) {
        const std::string need = fmt::format("must be a list of {} {}", count, integers ? "whole numbers" : "numbers");
        if (v.kind != JsonKind::array) return wrong(v, path, need);
        if (v.items.size() != count)
            return wrong(
                v, path,
                need + (count == static_cast<std::size_t>(dimension_) ? fmt::format(" (the scene is {}D)", dimension_)
                                                                      : ""));
        for (std::size_t i = 0; i < count; ++i) {
            const std::string at = fmt::format("{}[{}]", path, i);
            places_.add(at, v.items[i].place);
            if (!(integers ? whole(v.items[i], key, at) : number(v.items[i], key, at))) v.valid = false;
        }
    }

    void colour(Json& v, const Key& key, const std::string& path) {
        if (v.kind == JsonKind::array) return numbers(v, key, 3, false, path);
        const bool hex = v.kind == JsonKind::string && v.text.size() == 7 && v.text[0] == '#' &&
                         v.text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
        if (!hex) wrong(v, path, "must be a colour, \"#rrggbb\" or [red, green, blue] from 0 to 1");
    }

    void rotation(Json& v, const std::string& path) {
        static const Key angle{.name = "degrees", .doc = "", .range = {-1e6, 1e6}};
        static const Key direction{.name = "axis", .doc = "", .range = {-1e6, 1e6}};
        static const Key unit{.name = "quaternion", .doc = "", .range = {-1, 1}};
        const std::string need =
            dimension_ == 2 ? R"(must be an angle in degrees, { "degrees": a } or { "radians": a })"
                            : R"(must be { "axis": [x, y, z], "degrees": a } or { "quaternion": [w, x, y, z] })";
        if (v.kind == JsonKind::number && dimension_ == 2) {
            number(v, angle, path);
            return;
        }
        if (v.kind != JsonKind::object) return wrong(v, path, need);
        std::vector<std::string_view> names = {"degrees", "radians"};
        if (dimension_ == 3) names = {"axis", "degrees", "radians", "quaternion"};
        for (std::size_t i = 0; i < v.keys.size(); ++i) {
            const std::string at = path + "." + shorten(v.keys[i]);
            if (std::find(names.begin(), names.end(), v.keys[i]) == names.end()) {
                const std::string near = nearest_word(v.keys[i], names);
                v.valid = false;
                problems_.error(
                    v.key_places[i], at,
                    fmt::format("unknown key{}; a rotation has: {}", meant_text(near), fmt::join(names, ", ")));
                continue;
            }
            places_.add(at, v.items[i].place);
            if (v.keys[i] == "axis")
                numbers(v.items[i], direction, 3, false, at);
            else if (v.keys[i] == "quaternion")
                numbers(v.items[i], unit, 4, false, at);
            else
                number(v.items[i], angle, at);
            if (!v.items[i].valid) v.valid = false;
        }
        if (!v.valid) return;
        const Json* axis = v.find("axis");
        const Json* quaternion = v.find("quaternion");
        const int angles = (v.find("degrees") != nullptr ? 1 : 0) + (v.find("radians") != nullptr ? 1 : 0);
        const bool complete = dimension_ == 2 ? angles == 1 : quaternion ? !axis && angles == 0 : axis && angles == 1;
        if (!complete) return wrong(v, path, need);
        for (const Json* direction_list : {axis, quaternion}) {
            if (!direction_list) continue;
            double sum = 0;
            for (const Json& item : direction_list->items) sum += item.number * item.number;
            if (!(sum > 1e-12))
                return fail(
                    v, direction_list->place, path,
                    fmt::format("{} has no direction; its length must be more than 1e-6", show(*direction_list)));
        }
    }

    void value(Json& v, const Key& key, const std::string& path) {
        places_.add(path, v.place);
        const auto dimensions = static_cast<std::size_t>(dimension_);
        switch (key.type) {
            case KeyType::number:
                number(v, key, path);
                break;
            case KeyType::integer:
                whole(v, key, path);
                break;
            case KeyType::boolean:
                if (v.kind != JsonKind::boolean) wrong(v, path, "must be true or false");
                break;
            case KeyType::text:
                if (v.kind != JsonKind::string) wrong(v, path, "must be a string in double quotes");
                break;
            case KeyType::word:
                word(v, key.words, key.later, path);
                break;
            case KeyType::vector:
                numbers(v, key, dimensions, false, path);
                break;
            case KeyType::turning:
                if (dimension_ == 2)
                    number(v, key, path);
                else
                    numbers(v, key, 3, false, path);
                break;
            case KeyType::rotation:
                rotation(v, path);
                break;
            case KeyType::colour:
                colour(v, key, path);
                break;
            case KeyType::cells:
                if (v.kind == JsonKind::array)
                    numbers(v, key, dimensions, true, path);
                else
                    whole(v, key, path);
                break;
            case KeyType::step:
                if (v.kind == JsonKind::string && v.text == "cfl") break;
                if (v.kind == JsonKind::number)
                    number(v, key, path);
                else
                    wrong(v, path, fmt::format("must be \"cfl\" or a time step {}", range_text(key)));
                break;
            case KeyType::names:
                if (v.kind != JsonKind::array || v.items.size() != 2 || v.items[0].kind != JsonKind::string ||
                    v.items[1].kind != JsonKind::string)
                    return wrong(v, path, "must be a list of 2 names in double quotes");
                for (std::size_t i = 0; i < 2; ++i) places_.add(fmt::format("{}[{}]", path, i), v.items[i].place);
                break;
            case KeyType::pair:
                if (v.kind != JsonKind::array || v.items.size() != 2)
                    return wrong(v, path, "must be a list of 2 numbers, [lowest, highest]");
                numbers(v, key, 2, false, path);
                if (v.valid && !(v.items[0].number < v.items[1].number))
                    wrong(v, path, "must be [lowest, highest], the lower one first");
                break;
            case KeyType::object:
                object(v, *key.object, path);
                break;
            case KeyType::list:
                if (v.kind != JsonKind::array) return wrong(v, path, "must be a list [ ... ]");
                for (std::size_t i = 0; i < v.items.size() && !problems_.full(); ++i)
                    object(v.items[i], *key.object, fmt::format("{}[{}]", path, i));
                break;
        }
    }

    int dimension_;
    Places& places_;
    Problems& problems_;
};

}  // namespace

std::string range_text(const Key& key) {
    const Range& r = key.range;
    const std::string unit = key.unit.empty() ? "" : fmt::format(" {}", key.unit);
    if (r.low == r.high) return fmt::format("{}{}", r.low, unit);
    const bool low = std::isfinite(r.low), high = std::isfinite(r.high);
    if (low && high && r.open_low) return fmt::format("greater than {} and at most {}{}", r.low, r.high, unit);
    if (low && high) return fmt::format("from {} to {}{}", r.low, r.high, unit);
    if (low) return fmt::format("{} {}{}", r.open_low ? "greater than" : "at least", r.low, unit);
    if (high) return fmt::format("at most {}{}", r.high, unit);
    return {};
}

void check_keys(Json& root, const ObjectSpec& spec, int dimension, Places& places, Problems& problems) {
    Checker(dimension, places, problems).object(root, spec, "");
}

}  // namespace tidelock::scene
