#include "scene/coupling/schur.h"

#include <algorithm>

#include "couple/interface.h"
#include "scene/keys/parts.h"

namespace tidelock::scene {

namespace {

/// Cut faces carry no impulse of their own, which the reference solvers work with.
void check(const Scene& scene, MeshStore&, const Complain& complain) {
    const Settings& settings = scene.coupling.settings;
    const std::string& solver = settings.word("solver.name");
    if (solver == "auto") return;
    const std::string path = "coupling.solver.name";
    if (scene.fluid.kind == FluidKind::liquid && scene.fluid.liquid.bubbles == Bubbles::constraint)
        complain(Severity::error, path, "bubbles need the solver \"auto\": the others do not know of them");
    const bool bodies = std::any_of(scene.solids.begin(), scene.solids.end(),
                                    [](const Solid& s) { return s.type == SolidType::rigid; });
    if (bodies && settings.choice<InterfaceScheme>("interface") != InterfaceScheme::constraint && solver != "cg-schur")
        complain(
            Severity::error, path,
            "with rigid bodies this solver needs \"coupling.interface\": \"constraint\"; with \"fractional\" there "
            "are auto and cg-schur");
}

}  // namespace

MethodKeys schur_keys() {
    return {.name = "schur",
            .doc = "fluid and rigid bodies in one symmetric system, solved at once",
            .keys = {word_key("interface", "how bodies meet the grid; constraint is the paper's, of first order",
                              InterfaceScheme::fractional)},
            .solver_keys = {{.name = "name",
                             .type = KeyType::word,
                             .doc = "auto: ours. The others are those that Aanjaneya 2018 compares; all but cg-schur "
                                    "need \"interface\": \"constraint\" if there are rigid bodies",
                             .default_json = "\"auto\"",
                             // All but the first are those of solve/reference_solver.h, which scene/ knows nothing of.
                             .words = {"auto", "cg-full", "cg-schur", "icpcg", "p0", "p1", "p2", "p3"}}},
            .check = check};
}

}  // namespace tidelock::scene
