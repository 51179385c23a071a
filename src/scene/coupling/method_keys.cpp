#include "scene/coupling/method_keys.h"

#include <algorithm>

#include "scene/coupling/schur.h"
#include "scene/coupling/weak.h"

namespace tidelock::scene {

namespace {

Settings::Value value_of(const Key& key, const Json& value) {
    switch (key.type) {
        case KeyType::boolean:
            return value.boolean;
        case KeyType::integer:
            return static_cast<int>(value.number);
        case KeyType::number:
            return value.number;
        default:
            return value.text;
    }
}

void read(const std::vector<Key>& keys, const std::string& prefix, const Block& block, Settings& settings) {
    for (const Key& key : keys) {
        const Json* given = block.get(key.name);
        settings.set(prefix + std::string(key.name), value_of(key, given ? *given : default_value(key)));
    }
}

bool has(const std::vector<Key>& keys, std::string_view name) {
    return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
}

void drop(Json& object, const std::vector<Key>& keys, const std::vector<Key>& kept) {
    for (std::size_t i = object.keys.size(); i-- > 0;) {
        if (!has(keys, object.keys[i]) || has(kept, object.keys[i])) continue;
        const auto at = static_cast<std::ptrdiff_t>(i);
        object.keys.erase(object.keys.begin() + at);
        object.key_places.erase(object.key_places.begin() + at);
        object.items.erase(object.items.begin() + at);
    }
}

}  // namespace

const std::vector<MethodKeys>& coupling_methods() {
    static const std::vector<MethodKeys> methods{
        schur_keys(),
        weak_keys(),
    };
    return methods;
}

const MethodKeys* find_method(std::string_view name) {
    const auto& methods = coupling_methods();
    const auto found = std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == name; });
    return found != methods.end() ? &*found : nullptr;
}

Settings read_settings(const MethodKeys& method, const Block& coupling) {
    Settings settings;
    read(method.keys, "", coupling, settings);
    read(method.solver_keys, "solver.", coupling.object("solver"), settings);
    return settings;
}

void drop_keys_of_others(Json& coupling, const MethodKeys& chosen, const std::vector<MethodKeys>& all) {
    for (const MethodKeys& method : all) {
        drop(coupling, method.keys, chosen.keys);
        if (Json* solver = coupling.find("solver")) drop(*solver, method.solver_keys, chosen.solver_keys);
    }
}

}  // namespace tidelock::scene
