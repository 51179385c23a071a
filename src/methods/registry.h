/// All methods by name: one line each in registry.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "methods/method.h"

namespace tidelock {

struct MethodInfo {
    std::string_view name;  ///< the word of coupling.method
    std::string_view what;  ///< one line for who chooses
    struct Supports {
        bool smoke = false;   ///< gas that fills the domain
        bool liquid = false;  ///< with a free surface
        bool rigid = false;   ///< bodies that the fluid moves
    } supports;
};

/// The default one first.
[[nodiscard]] std::vector<MethodInfo> methods();

/// Throws InputError if there is no method of that name.
template <int D>
[[nodiscard]] std::unique_ptr<Method<D>> make_method(std::string_view name, MethodSetup<D> setup);

}  // namespace tidelock
