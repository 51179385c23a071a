/// Names the program: what computes the same bits has the same name.
#pragma once

#include <string>

namespace tidelock::app {

/// "0.1.0".
[[nodiscard]] const char* version();
/// Version, compiler, kind of build, and a hash of all sources, flags and vector instructions behind the numbers.
[[nodiscard]] std::string build_id();

}  // namespace tidelock::app
