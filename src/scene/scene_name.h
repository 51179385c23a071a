/// The name of a scene is that of a folder (out/NAME), so it must be one.
#pragma once

#include <string>
#include <string_view>

namespace tidelock::scene {

/// What is wrong with it as the name of one folder, and what is allowed; empty if nothing.
[[nodiscard]] std::string fault_of_name(std::string_view name);

/// A name without faults that is as near to this one as can be: for names that nobody typed, such as a file's.
[[nodiscard]] std::string safe_name(std::string_view name);

}  // namespace tidelock::scene
