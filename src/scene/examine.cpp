#include "scene/examine.h"

#include <fmt/format.h>

#include "scene/coupling/method_keys.h"
#include "scene/examine/parts.h"
#include "scene/mesh_origin.h"

namespace tidelock::scene {

namespace {

/// What the method itself has to say.
void examine_coupling(Examination& e) {
    const MethodKeys* method = find_method(e.scene.coupling.method);
    if (!method) return e.error("coupling.method", fmt::format("there is no method \"{}\"", e.scene.coupling.method));
    if (!method->check) return;
    method->check(e.scene, e.meshes, [&](Severity severity, const std::string& path, std::string text) {
        e.problems.add({severity, e.places.find(path), path, std::move(text)});
    });
}

template <int D>
std::vector<Problem> run(Examination e) {
    e.domain_sound = !e.at_fault("domain.size") && !e.at_fault("domain.cells") && !e.at_fault("domain.cell_size") &&
                     examine_domain<D>(e);
    if (!e.at_fault("time")) examine_time(e);
    if (!e.at_fault("fluid.density") && !positive(e.scene.fluid.density))
        e.error("fluid.density", fmt::format("must be positive and finite, not {}", e.scene.fluid.density));
    examine_regions<D>(e);
    examine_solids<D>(e);
    if (!e.at_fault("coupling")) examine_coupling(e);
    if (!e.problems.has_errors() && !has_errors(e.known)) examine_memory<D>(e);
    return e.problems.take();
}

}  // namespace

std::vector<Problem> examine(const Scene& scene, const Limits& limits, MeshStore& meshes, const Places& places,
                             const std::vector<Problem>& known) {
    const Scene placed = placed_by_centre(scene, meshes);
    Examination e{placed, limits, meshes, places, known, {}};
    return scene.dimension == 2 ? run<2>(std::move(e)) : run<3>(std::move(e));
}

std::vector<Problem> all_problems(const Reading& reading, const Limits& limits, MeshStore& meshes) {
    std::vector<Problem> problems = reading.problems;
    if (!reading.parsed) return problems;
    for (Problem& p : examine(reading.scene, limits, meshes, reading.places, reading.problems))
        problems.push_back(std::move(p));
    sort_by_place(problems);
    return problems;
}

}  // namespace tidelock::scene
