#include "run/open_session.h"

#include "methods/registry.h"
#include "scene/build_world.h"

namespace tidelock {

template <int D>
MethodSetup<D> method_setup(const scene::Scene& scene, FlowParameters<D> fluid) {
    const scene::Solver& solver = scene.coupling.solver;
    MethodSetup<D> setup;
    setup.fluid = std::move(fluid);
    setup.cfl = scene.time.cfl;
    setup.solver.record_history = solver.history;
    setup.solver.tolerance = solver.tolerance;
    setup.solver.max_iterations = solver.max_iterations;
    setup.solver.time_limit = solver.time_budget;
    setup.on_failure = scene.coupling.on_failure;
    setup.settings = scene.coupling.settings;
    return setup;
}

template <int D>
Session<D> open_session(const scene::Scene& scene, scene::MeshStore& meshes, const Adjust<D>& adjust) {
    auto built = scene::build_world<D>(scene, meshes);
    auto setup = method_setup<D>(scene, std::move(built.fluid));
    if (adjust) adjust(setup);
    auto method = make_method<D>(scene.coupling.method, std::move(setup));
    Session<D> session(std::move(built.world), std::move(method), scene.time, scene.coupling.on_failure);
    for (const std::string& text : built.notes) session.note({text, text});
    return session;
}

#define TIDELOCK_INSTANTIATE(D)                                                   \
    template MethodSetup<D> method_setup(const scene::Scene&, FlowParameters<D>); \
    template Session<D> open_session(const scene::Scene&, scene::MeshStore&, const Adjust<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
