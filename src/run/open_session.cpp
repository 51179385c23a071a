#include "run/open_session.h"

#include "scene/build_world.h"

namespace tidelock {

template <int D>
Session<D> open_session(const scene::Scene& scene, scene::MeshStore& meshes, const Adjust<D>& adjust) {
    auto built = scene::build_world<D>(scene, meshes);
    if (adjust && built.liquid)
        adjust(*built.liquid);
    else if (adjust)
        adjust(built.parameters);
    auto method = scene::make_method<D>(built);
    Session<D> session(std::move(built.world), std::move(method), scene.time);
    for (const std::string& text : built.notes) session.note({text, text});
    return session;
}

template Session<2> open_session(const scene::Scene&, scene::MeshStore&, const Adjust<2>&);
template Session<3> open_session(const scene::Scene&, scene::MeshStore&, const Adjust<3>&);

}  // namespace tidelock
