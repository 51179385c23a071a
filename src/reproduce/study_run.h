/// A run of a library scene inside a study: no files, only the steps.
#pragma once

#include <string>
#include <vector>

#include "run/open_session.h"

namespace tidelock::reproduce {

/// A scene of the library with values changed (PATH=VALUE). Throws InputError if that is no sound scene.
[[nodiscard]] scene::Scene library_scene(std::string_view name, const std::vector<std::string>& sets);

/// Advances the scene with steps by CFL until its duration is over or `watch`, called after each step, returns false.
template <int D>
void run_study(const scene::Scene& scene, const Adjust<D>& adjust, const StepWatcher<D>& watch);

}  // namespace tidelock::reproduce
