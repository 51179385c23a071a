#include "reproduce/study_run.h"

#include <algorithm>

#include "base/error.h"
#include "scene/build_world.h"
#include "scene/library.h"
#include "scene/mesh_folders.h"
#include "scene/reader.h"

namespace tidelock::reproduce {

scene::Scene library_scene(std::string_view name, const std::vector<std::string>& sets) {
    const scene::LibraryScene* found = scene::find_scene(name);
    if (found == nullptr) throw InputError("reproduce", "the library has no scene '{}'", name);
    scene::ReadOptions options;
    options.name = found->name;
    options.sets = sets;
    options.mesh_folders = scene::mesh_folders();
    scene::Reading reading = scene::read_scene(found->text, options);
    if (!reading.ok())
        throw InputError("reproduce", "{}", scene::format(reading.problems.front(), std::string(name), sets));
    return std::move(reading.scene);
}

template <int D>
void run_study(const scene::Scene& scene, const std::function<void(CouplingParameters<D>&)>& adjust,
               const StepWatcher<D>& watch) {
    scene::MeshStore meshes;
    auto built = scene::build_world<D>(scene, meshes);
    if (built.liquid)
        adjust(*built.liquid);
    else
        adjust(built.parameters);
    const auto method = scene::make_method<D>(built);
    World<D>& world = built.world;
    while (world.clock.time < scene.time.duration * (1 - 1e-12)) {
        const double left = scene.time.duration - world.clock.time;
        const double dt = std::min(method->largest_step(world), left);
        const StepReport<D> report = method->advance(world, dt);
        if (!watch(world, report)) return;
    }
}

template void run_study<2>(const scene::Scene&, const std::function<void(CouplingParameters<2>&)>&,
                           const StepWatcher<2>&);
template void run_study<3>(const scene::Scene&, const std::function<void(CouplingParameters<3>&)>&,
                           const StepWatcher<3>&);

}  // namespace tidelock::reproduce
