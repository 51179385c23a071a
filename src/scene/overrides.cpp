#include "scene/overrides.h"

#include <fmt/format.h>

#include <charconv>

namespace tidelock::scene {

namespace {

struct Step {
    std::string name;  ///< a key, or an entry's name; empty: by index
    std::size_t index = 0;
};

/// Splits `solids[0].shape.size[1]`; false if it is not a path.
bool split_path(std::string_view path, std::vector<Step>& steps) {
    bool expect_name = true;
    while (!path.empty()) {
        if (path[0] == '[') {
            const std::size_t close = path.find(']');
            if (expect_name || close == std::string_view::npos) return false;
            std::size_t index = 0;
            const auto [end, error] = std::from_chars(path.data() + 1, path.data() + close, index);
            if (error != std::errc() || end != path.data() + close) return false;
            steps.push_back({"", index});
            path.remove_prefix(close + 1);
        } else {
            if (!expect_name) {
                if (path[0] != '.') return false;
                path.remove_prefix(1);
            }
            const std::size_t length = std::min(path.find_first_of(".["), path.size());
            if (length == 0) return false;
            steps.push_back({std::string(path.substr(0, length)), 0});
            path.remove_prefix(length);
        }
        expect_name = false;
    }
    return !steps.empty() && steps.size() <= static_cast<std::size_t>(json_max_depth);
}

Json* entry_by_name(Json& list, const std::string& name) {
    for (Json& item : list.items) {
        const Json* own = item.kind == JsonKind::object ? item.find("name") : nullptr;
        if (own && own->kind == JsonKind::string && own->text == name) return &item;
    }
    return nullptr;
}

std::string names_in(const Json& list) {
    std::vector<std::string_view> names;
    for (const Json& item : list.items) {
        const Json* own = item.kind == JsonKind::object ? item.find("name") : nullptr;
        if (own && own->kind == JsonKind::string && names.size() < 20) names.push_back(own->text);
    }
    return names.empty() ? "none has a name" : "named are: " + join_words(names);
}

/// The value that a step leads to; makes keys that are not there. Null, with `why`, if the step leads nowhere.
Json* follow(Json& at, const Step& step, const Place& place, std::string& why) {
    if (at.kind == JsonKind::array) {
        if (!step.name.empty()) {
            Json* entry = entry_by_name(at, step.name);
            if (!entry)
                why = fmt::format("no entry is named \"{}\"; {}", shorten(step.name), shorten(names_in(at), 200));
            return entry;
        }
        if (step.index < at.items.size()) return &at.items[step.index];
        why = fmt::format("there is no entry [{}]; the list has {}", step.index, at.items.size());
        return nullptr;
    }
    if (step.name.empty() || at.kind != JsonKind::object) {
        why = step.name.empty() ? fmt::format("[{}] needs a list, but there is {}", step.index, show(at))
                                : fmt::format("\"{}\" needs an object, but there is {}", shorten(step.name), show(at));
        return nullptr;
    }
    if (Json* item = at.find(step.name)) return item;
    at.keys.push_back(step.name);
    at.key_places.push_back(place);
    at.items.emplace_back();
    at.items.back().kind = JsonKind::object;
    at.items.back().place = place;
    return &at.items.back();
}

Json parse_value(const std::string& text, int set, Problems& problems) {
    try {
        std::vector<SyntaxError> duplicates;
        Json value = parse_json(text, duplicates, set);
        for (const SyntaxError& d : duplicates) problems.error(d.place, "", d.text);
        return value;
    } catch (const SyntaxError& error) {
        // A bare word is a string; what looks like a list, an object or a number was meant as one.
        Json word;
        word.kind = JsonKind::string;
        word.text = text;
        word.place = {0, 0, set};
        if (!text.empty() && std::string_view("[{\"-0123456789").find(text[0]) != std::string_view::npos)
            problems.error(word.place, "", fmt::format("the value {} is not JSON: {}", shorten(text), error.text));
        return word;
    }
}

}  // namespace

void apply_overrides(Json& root, const std::vector<std::string>& sets, Problems& problems) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const int number = static_cast<int>(i) + 1;
        const Place place{0, 0, number};
        const std::size_t equals = sets[i].find('=');
        std::vector<Step> steps;
        if (equals == std::string::npos || !split_path(std::string_view(sets[i]).substr(0, equals), steps)) {
            problems.error(place, "", "must be PATH=VALUE, for example time.duration=2 or solids[0].density=5");
            continue;
        }
        Json value = parse_value(sets[i].substr(equals + 1), number, problems);
        Json* at = &root;
        std::string why;
        for (const Step& step : steps) {
            at = follow(*at, step, place, why);
            if (!at) break;
        }
        if (at)
            *at = std::move(value);
        else
            problems.error(place, "", why);
    }
}

}  // namespace tidelock::scene
