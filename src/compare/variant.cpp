#include "compare/variant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "methods/registry.h"
#include "scene/problem.h"

namespace tidelock::compare {

namespace {

constexpr const char* place = "--methods";

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::vector<std::string_view> known_methods() {
    std::vector<std::string_view> names;
    for (const MethodInfo& method : methods()) names.push_back(method.name);
    return names;
}

void check_method(const std::string& name) {
    const auto known = known_methods();
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    const std::string near = scene::nearest_word(name, known);
    throw InputError(place, "there is no method \"{}\"; there are {}{}", name, fmt::join(known, ", "),
                     near.empty() ? "" : fmt::format(". Did you mean {}?", near));
}

/// What every file system takes.
std::string file_name(std::string_view label) {
    std::string out;
    for (const char c : label) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '=';
        out += plain ? c : '_';
    }
    return out;
}

Variant parse_variant(const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    check_method(parts.front());
    Variant out{text, file_name(text), {fmt::format("coupling.method=\"{}\"", parts.front())}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::size_t equals = parts[i].find('=');
        if (equals == 0 || equals == std::string::npos)
            throw InputError(place, R"("{}" in "{}" is no setting: write {}:KEY=VALUE, with a key of "coupling")",
                             parts[i], text, parts.front());
        out.sets.push_back("coupling." + parts[i]);
    }
    return out;
}

}  // namespace

std::vector<Variant> parse_variants(std::string_view text) {
    std::vector<Variant> out;
    for (const std::string& part : split(text.empty() ? fmt::format("{}", fmt::join(known_methods(), ",")) : text, ','))
        out.push_back(parse_variant(part));
    for (std::size_t i = 0; i < out.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (out[i].folder == out[j].folder) throw InputError(place, "\"{}\" is there twice", out[i].label);
    return out;
}

}  // namespace tidelock::compare
