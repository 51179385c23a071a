#include "reproduce/study_run.h"

#include "base/error.h"
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
void run_study(const scene::Scene& scene, const Adjust<D>& adjust, const StepWatcher<D>& watch) {
    scene::MeshStore meshes;
    auto session = open_session<D>(scene, meshes, adjust);
    play<D>(session, scene.time.duration, watch);
}

template void run_study<2>(const scene::Scene&, const Adjust<2>&, const StepWatcher<2>&);
template void run_study<3>(const scene::Scene&, const Adjust<3>&, const StepWatcher<3>&);

}  // namespace tidelock::reproduce
