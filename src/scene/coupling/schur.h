/// The keys of the method `schur` (docs/methods/schur.md).
#pragma once

#include "scene/coupling/method_keys.h"

namespace tidelock::scene {

[[nodiscard]] MethodKeys schur_keys();

}  // namespace tidelock::scene
