#include "io/scene_identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/hash.h"

namespace tidelock {
namespace {

using SceneJson = nlohmann::json;  // sorted by key

SceneJson parse_lenient(const std::string& text) {
    return SceneJson::parse(text, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
}

/// The object inside, if both are objects.
SceneJson* object_in(SceneJson& json, const char* key) {
    const auto it = json.find(key);
    return it != json.end() && it->is_object() ? &*it : nullptr;
}

double number_in(const SceneJson& json, const char* key) {
    const auto it = json.find(key);
    return it != json.end() && it->is_number() ? it->get<double>() : 0;
}

void drop_what_is_only_shown(SceneJson& scene) {
    for (const char* key : {"name", "comment", "output", "render"}) scene.erase(key);
    if (const auto solids = scene.find("solids"); solids != scene.end() && solids->is_array())
        for (SceneJson& solid : *solids)
            if (solid.is_object()) solid.erase("colour"), solid.erase("opacity");
    if (SceneJson* coupling = object_in(scene, "coupling"))
        if (SceneJson* solver = object_in(*coupling, "solver")) solver->erase("history");
}

/// Removes the end of the time, and returns it [s].
double take_duration(SceneJson& scene) {
    SceneJson* time = object_in(scene, "time");
    if (time == nullptr) return 0;
    const double duration = number_in(*time, "duration");
    constexpr double rounding = 1e-9;  // as run/time_steps.h counts frames
    if (std::floor(duration * number_in(*time, "fps") + rounding) >= 1) time->erase("duration");
    return duration;
}

std::string value_text(const SceneJson* value) {
    if (value == nullptr) return "not set";
    constexpr std::size_t longest = 60;
    std::string text = value->dump(-1, ' ', false, SceneJson::error_handler_t::replace);
    if (text.size() > longest) text = text.substr(0, longest) + "...";
    return text;
}

bool holds_objects(const SceneJson& list) {
    return std::any_of(list.begin(), list.end(), [](const SceneJson& entry) { return entry.is_structured(); });
}

/// Adds the differences of two values at `path`; null: there is none.
void compare(const SceneJson* there, const SceneJson* here, const std::string& path, std::vector<std::string>& out) {
    if (there != nullptr && here != nullptr) {
        if (*there == *here) return;
        if (there->is_object() && here->is_object()) {
            SceneJson keys = *there;
            keys.update(*here);
            for (const auto& [key, ignored] : keys.items()) {
                const auto a = there->find(key), b = here->find(key);
                compare(a == there->end() ? nullptr : &*a, b == here->end() ? nullptr : &*b,
                        path.empty() ? key : fmt::format("{}.{}", path, key), out);
            }
            return;
        }
        if (there->is_array() && here->is_array() && (holds_objects(*there) || holds_objects(*here))) {
            if (there->size() != here->size())
                return out.push_back(
                    fmt::format("{} has {} entries there and {} here", path, there->size(), here->size()));
            for (std::size_t i = 0; i < here->size(); ++i)
                compare(&(*there)[i], &(*here)[i], fmt::format("{}[{}]", path, i), out);
            return;
        }
    }
    out.push_back(fmt::format("{} is {} there and {} here", path, value_text(there), value_text(here)));
}

}  // namespace

std::optional<SceneIdentity> identity_of_scene(const std::string& scene_text) {
    SceneJson scene = parse_lenient(scene_text);
    if (!scene.is_object() || !scene.contains("tidelock")) return std::nullopt;
    SceneIdentity identity;
    if (scene.contains("name") && scene["name"].is_string()) identity.name = scene["name"].get<std::string>();
    drop_what_is_only_shown(scene);
    identity.duration = take_duration(scene);
    identity.simulation = scene.dump(-1, ' ', false, SceneJson::error_handler_t::replace);
    identity.hash = hash_bytes(identity.simulation);
    return identity;
}

std::vector<std::string> scene_differences(const std::string& there, const std::string& here) {
    const SceneJson a = parse_lenient(there), b = parse_lenient(here);
    std::vector<std::string> out;
    compare(&a, &b, "", out);
    constexpr std::size_t most = 8;
    if (out.size() > most) {
        const std::size_t left_out = out.size() - most;
        out.resize(most);
        out.push_back(fmt::format("{} more", left_out));
    }
    return out;
}

std::string differences_text(const std::vector<std::string>& differences) {
    return fmt::format("{}", fmt::join(differences, "; "));
}

}  // namespace tidelock
