#include "scene/scene_name.h"

#include <fmt/format.h>

#include "scene/json.h"

namespace tidelock::scene {

namespace {

constexpr std::size_t longest = 100;  // bytes: file systems allow 255, and what is made of it gets longer

/// Control characters, and what some system takes for the end of a folder's name.
bool is_unsafe(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f || c == '/' || c == '\\';
}

}  // namespace

std::string fault_of_name(std::string_view name) {
    const char* allowed =
        "the run's folder is called so: 1 to 100 characters, no / \\ or control characters, no dot "
        "or blank at its start or end";
    const auto at_end = [&](char c) { return name.front() == c || name.back() == c; };
    if (name.empty()) return fmt::format("is empty; {}", allowed);
    if (name.size() > longest) return fmt::format("has {} bytes; {}", name.size(), allowed);
    for (const char c : name)
        if (is_unsafe(c)) return fmt::format("\"{}\" cannot be a folder's name; {}", shorten(name), allowed);
    if (at_end('.') || at_end(' ')) return fmt::format("\"{}\" cannot be a folder's name; {}", shorten(name), allowed);
    return {};
}

std::string safe_name(std::string_view name) {
    if (fault_of_name(name).empty() && shorten(name, longest) == name) return std::string(name);  // UTF-8, too
    std::string safe = shorten(name, longest - 10);
    if (safe.empty()) return "scene";
    for (char& c : safe)
        if (is_unsafe(c) || c == '?') c = '_';  // shorten() puts it for what cannot be printed
    for (char* end : {&safe.front(), &safe.back()})
        if (*end == '.' || *end == ' ') *end = '_';
    return safe;
}

}  // namespace tidelock::scene
