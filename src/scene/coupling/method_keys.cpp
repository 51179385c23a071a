#include "scene/coupling/method_keys.h"

#include <algorithm>

#include "scene/coupling/schur.h"

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

}  // namespace

const std::vector<MethodKeys>& coupling_methods() {
    static const std::vector<MethodKeys> methods{
        schur_keys(),
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

}  // namespace tidelock::scene
