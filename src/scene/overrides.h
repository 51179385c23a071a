/// Values given on the command line in place of those in the file.
#pragma once

#include <string>
#include <vector>

#include "scene/json.h"
#include "scene/problem.h"

namespace tidelock::scene {

/// Applies PATH=VALUE to the tree, in order: `domain.cells=[64,128,64]`, `solids[0].density=5`, `solids.ball.density=5`
/// (an entry by its name). VALUE is JSON; what is not JSON is taken as a string, so `fluid.transport=maccormack` works.
/// Objects on the way are made if they are not there; entries of a list are not. Problems carry the number of the
/// override.
void apply_overrides(Json& root, const std::vector<std::string>& sets, Problems& problems);

}  // namespace tidelock::scene
