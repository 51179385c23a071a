/// From a scene to a session.
#pragma once

#include "methods/method.h"
#include "run/session.h"
#include "scene/scene.h"
#include "scene/shapes.h"

namespace tidelock {

/// What the scene's method is made of. `scene` has no errors.
template <int D>
[[nodiscard]] MethodSetup<D> method_setup(const scene::Scene& scene, FlowParameters<D> fluid);

/// What a study wants otherwise than the scene says, before the method is made of it; may be empty.
template <int D>
using Adjust = std::function<void(MethodSetup<D>&)>;

/// `scene` has no errors and the dimension D. Throws InputError for shapes that cannot be built. What was found while
/// building is among the session's notes.
template <int D>
[[nodiscard]] Session<D> open_session(const scene::Scene& scene, scene::MeshStore& meshes,
                                      const Adjust<D>& adjust = {});

}  // namespace tidelock
