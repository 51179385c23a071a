/// From a checked tree of JSON to a Scene: takes valid values, fills in defaults, and reports what contradicts.
#pragma once

#include "scene/json.h"
#include "scene/reader.h"

namespace tidelock::scene {

/// `root` has been through check_keys().
[[nodiscard]] Scene bind_scene(const Json& root, int dimension, const ReadOptions& options, const Places& places,
                               Problems& problems);

}  // namespace tidelock::scene
