/// The JSON Schema of the scene format, for editors: docs/scene.schema.json.
#pragma once

#include <string>

namespace tidelock::scene {

/// Draft 2020-12, generated from keys.h. What depends on several values (cubic cells, order of keyframes) is not in it.
[[nodiscard]] std::string json_schema();

}  // namespace tidelock::scene
