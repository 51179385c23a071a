#include "scene/check_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidelock::scene {

namespace {

const Key& angle() {
    static const Key key{.name = "degrees", .doc = "", .range = {-1e6, 1e6}};
    return key;
}

}  // namespace

void ValueChecker::fail(Json& value, const Place& place, const std::string& path, std::string text) {
    value.valid = false;
    problems_.error(place, path, std::move(text));
}
void ValueChecker::wrong(Json& value, const std::string& path, const std::string& what) {
    fail(value, value.place, path,
         fmt::format("{}, not {}", what, value.kind == JsonKind::object ? std::string("an object") : show(value)));
}

void ValueChecker::word(Json& v, const std::vector<std::string_view>& allowed,
                        const std::vector<std::string_view>& later, const std::string& path) {
    if (v.kind != JsonKind::string) return wrong(v, path, fmt::format("must be {}", join_words(allowed)));
    if (std::find(allowed.begin(), allowed.end(), v.text) != allowed.end()) return;
    if (std::find(later.begin(), later.end(), v.text) != later.end())
        return fail(v, v.place, path,
                    fmt::format("\"{}\" is not available yet; allowed: {}", v.text, join_words(allowed)));
    const std::string near = nearest_word(v.text, allowed);
    fail(v, v.place, path, fmt::format("{} is unknown{}; allowed: {}", show(v), meant_text(near), join_words(allowed)));
}

bool ValueChecker::number(Json& v, const Key& key, const std::string& path) {
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

bool ValueChecker::whole(Json& v, const Key& key, const std::string& path) {
    if (v.kind == JsonKind::number && v.number != std::floor(v.number)) {
        wrong(v, path, "must be a whole number");
        return false;
    }
    return number(v, key, path);
}

/// `count` numbers.
void ValueChecker::numbers(Json& v, const Key& key, std::size_t count, bool integers, const std::string& path) {
    const std::string need = fmt::format("must be a list of {} {}", count, integers ? "whole numbers" : "numbers");
    if (v.kind != JsonKind::array) return wrong(v, path, need);
    if (v.items.size() != count)
        return wrong(
            v, path,
            need +
                (count == static_cast<std::size_t>(dimension_) ? fmt::format(" (the scene is {}D)", dimension_) : ""));
    for (std::size_t i = 0; i < count; ++i) {
        const std::string at = fmt::format("{}[{}]", path, i);
        places_.add(at, v.items[i].place);
        if (!(integers ? whole(v.items[i], key, at) : number(v.items[i], key, at))) v.valid = false;
    }
}

void ValueChecker::colour(Json& v, const Key& key, const std::string& path) {
    if (v.kind == JsonKind::array) return numbers(v, key, 3, false, path);
    const bool hex = v.kind == JsonKind::string && v.text.size() == 7 && v.text[0] == '#' &&
                     v.text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    if (!hex) wrong(v, path, "must be a colour, \"#rrggbb\" or [red, green, blue] from 0 to 1");
}

void ValueChecker::rotation_entries(Json& v, const std::string& path) {
    static const Key direction{.name = "axis", .doc = "", .range = {-1e6, 1e6}};
    static const Key unit{.name = "quaternion", .doc = "", .range = {-1, 1}};
    std::vector<std::string_view> names = {"degrees", "radians"};
    if (dimension_ == 3) names = {"axis", "degrees", "radians", "quaternion"};
    for (std::size_t i = 0; i < v.keys.size(); ++i) {
        const std::string at = path + "." + shorten(v.keys[i]);
        if (std::find(names.begin(), names.end(), v.keys[i]) == names.end()) {
            const std::string near = nearest_word(v.keys[i], names);
            fail(v, v.key_places[i], at,
                 fmt::format("unknown key{}; a rotation has: {}", meant_text(near), fmt::join(names, ", ")));
            continue;
        }
        places_.add(at, v.items[i].place);
        if (v.keys[i] == "axis")
            numbers(v.items[i], direction, 3, false, at);
        else if (v.keys[i] == "quaternion")
            numbers(v.items[i], unit, 4, false, at);
        else
            number(v.items[i], angle(), at);
        if (!v.items[i].valid) v.valid = false;
    }
}

void ValueChecker::rotation(Json& v, const std::string& path) {
    const std::string need = dimension_ == 2
                                 ? R"(must be an angle in degrees, { "degrees": a } or { "radians": a })"
                                 : R"(must be { "axis": [x, y, z], "degrees": a } or { "quaternion": [w, x, y, z] })";
    if (v.kind == JsonKind::number && dimension_ == 2) {
        number(v, angle(), path);
        return;
    }
    if (v.kind != JsonKind::object) return wrong(v, path, need);
    rotation_entries(v, path);
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
            return fail(v, direction_list->place, path,
                        fmt::format("{} has no direction; its length must be more than 1e-6", show(*direction_list)));
    }
}

void ValueChecker::step(Json& v, const Key& key, const std::string& path) {
    if (v.kind == JsonKind::string && v.text == "cfl") return;
    if (v.kind == JsonKind::number)
        number(v, key, path);
    else
        wrong(v, path, fmt::format("must be \"cfl\" or a time step {}", range_text(key)));
}

void ValueChecker::names(Json& v, const std::string& path) {
    if (v.kind != JsonKind::array || v.items.size() != 2 || v.items[0].kind != JsonKind::string ||
        v.items[1].kind != JsonKind::string)
        return wrong(v, path, "must be a list of 2 names in double quotes");
    for (std::size_t i = 0; i < 2; ++i) places_.add(fmt::format("{}[{}]", path, i), v.items[i].place);
}

void ValueChecker::pair(Json& v, const Key& key, const std::string& path) {
    if (v.kind != JsonKind::array || v.items.size() != 2)
        return wrong(v, path, "must be a list of 2 numbers, [lowest, highest]");
    numbers(v, key, 2, false, path);
    if (v.valid && !(v.items[0].number < v.items[1].number))
        wrong(v, path, "must be [lowest, highest], the lower one first");
}

void ValueChecker::check(Json& v, const Key& key, const std::string& path) {
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
            return word(v, key.words, key.later, path);
        case KeyType::vector:
            return numbers(v, key, dimensions, false, path);
        case KeyType::turning:
            if (dimension_ == 3) return numbers(v, key, 3, false, path);
            number(v, key, path);
            break;
        case KeyType::rotation:
            return rotation(v, path);
        case KeyType::colour:
            return colour(v, key, path);
        case KeyType::cells:
            if (v.kind == JsonKind::array) return numbers(v, key, dimensions, true, path);
            whole(v, key, path);
            break;
        case KeyType::step:
            return step(v, key, path);
        case KeyType::names:
            return names(v, path);
        case KeyType::pair:
            return pair(v, key, path);
        case KeyType::object:
        case KeyType::list:
            break;
    }
}

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

}  // namespace tidelock::scene
