#include "methods/registry.h"

#include "methods/schur/schur.h"
#include "methods/weak/weak.h"

namespace tidelock {

namespace {

template <int D>
using Maker = std::unique_ptr<Method<D>> (*)(MethodSetup<D>);

struct Entry {
    MethodInfo info;
    Maker<2> in_plane;
    Maker<3> in_space;
};

template <template <int> class M, int D>
std::unique_ptr<Method<D>> make(MethodSetup<D> setup) {
    return std::make_unique<M<D>>(std::move(setup));
}

template <template <int> class M>
constexpr Entry entry(MethodInfo info) {
    return {info, make<M, 2>, make<M, 3>};
}

/// The default one first.
constexpr Entry entries[] = {
    entry<Schur>({"schur",
                  "fluid and rigid bodies in one symmetric system, solved at once",
                  {.smoke = true, .liquid = true, .rigid = true}}),
    entry<Weak>({"weak",
                 "fluid and bodies in turns, each told what the other did: the common way, to compare with",
                 {.smoke = true, .liquid = true, .rigid = true}}),
};

}  // namespace

std::vector<MethodInfo> methods() {
    std::vector<MethodInfo> out;
    for (const Entry& entry : entries) out.push_back(entry.info);
    return out;
}

template <int D>
std::unique_ptr<Method<D>> make_method(std::string_view name, MethodSetup<D> setup) {
    for (const Entry& entry : entries) {
        if (entry.info.name != name) continue;
        if constexpr (D == 2)
            return entry.in_plane(std::move(setup));
        else
            return entry.in_space(std::move(setup));
    }
    throw InputError("coupling.method", "there is no method \"{}\"", name);
}

template std::unique_ptr<Method<2>> make_method(std::string_view, MethodSetup<2>);
template std::unique_ptr<Method<3>> make_method(std::string_view, MethodSetup<3>);

}  // namespace tidelock
