/// Whether a scene makes sense: what a simulation could not do, or would do without anybody wanting it.
#pragma once

#include <vector>

#include "scene/problem.h"
#include "scene/reader.h"
#include "scene/scene.h"
#include "scene/shapes.h"

namespace tidelock::scene {

struct Limits {
    double memory_bytes = 0;       ///< what the run may take; 0: not examined
    bool memory_is_bound = false;  ///< a run that takes more stops and saves
};

/// Errors and warnings, sorted by place: sizes and densities that are not positive and finite, a run beyond the
/// memory (memory_estimate.h), times that contradict, solids outside or through a wall, in each other, or too thin for the cells, sources
/// outside, faults of meshes with their remedies. `known` are problems of the reading: what is at fault already is not
/// examined a second time. Mesh files are read into `meshes`.
[[nodiscard]] std::vector<Problem> examine(const Scene& scene, const Limits& limits, MeshStore& meshes,
                                           const Places& places = {}, const std::vector<Problem>& known = {});

/// The problems of the reading and of the examination together, sorted by place.
[[nodiscard]] std::vector<Problem> all_problems(const Reading& reading, const Limits& limits, MeshStore& meshes);

}  // namespace tidelock::scene
