/// What each method adds to "coupling" in the scene file. To give a method keys: a file here that describes them, and a
/// line in the table of method_keys.cpp. Reading, writing, messages and the schema follow from the description.
#pragma once

#include <functional>

#include "base/settings.h"
#include "scene/block.h"
#include "scene/keys.h"
#include "scene/problem.h"

namespace tidelock::scene {

class MeshStore;

/// Reports a problem at a path of the scene.
using Complain = std::function<void(Severity, const std::string& path, std::string text)>;

struct MethodKeys {
    std::string_view name;         ///< the word of coupling.method
    std::string_view doc;          ///< one line
    std::vector<Key> keys;         ///< of "coupling": boolean, integer, number or word, each with a default
    std::vector<Key> solver_keys;  ///< of "coupling.solver", beside those of all methods
    /// Judges a scene without faults in "coupling" that chose this method.
    void (*check)(const Scene& scene, MeshStore& meshes, const Complain& complain) = nullptr;
};

/// All methods, the default one first.
[[nodiscard]] const std::vector<MethodKeys>& coupling_methods();
/// Null if there is none of that name.
[[nodiscard]] const MethodKeys* find_method(std::string_view name);

/// The settings of a method by their paths below "coupling": "interface", "solver.name". What `coupling` does not give
/// has its default.
[[nodiscard]] Settings read_settings(const MethodKeys& method, const Block& coupling);

/// Takes out of the tree of "coupling" what none but other methods than the chosen one have.
void drop_keys_of_others(Json& coupling, const MethodKeys& chosen, const std::vector<MethodKeys>& all);

}  // namespace tidelock::scene
