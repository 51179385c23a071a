/// Compares a tree of JSON with the description of the keys and reports everything that does not fit.
#pragma once

#include "scene/json.h"
#include "scene/keys.h"
#include "scene/problem.h"

namespace tidelock::scene {

/// Reports unknown and missing keys, wrong types, ranges and words, and clears `valid` of the values concerned, so that
/// reading can go on with the rest. Notes the place of every known value. `dimension` is 2 or 3.
void check_keys(Json& root, const ObjectSpec& spec, int dimension, Places& places, Problems& problems);

}  // namespace tidelock::scene
