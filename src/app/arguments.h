/// Values of the command line that need more than a number, with messages that name what is allowed.
#pragma once

#include <string>

namespace tidelock::app {

/// "4GB", "1.5 GiB", "500MB" or bytes; units are powers of 1024. Throws InputError at `option`.
[[nodiscard]] double parse_memory(const std::string& text, const std::string& option);

/// What is wrong with the text as a whole number from 0 to `most`; empty if nothing.
[[nodiscard]] std::string fault_of_count(const std::string& text, long long most);

}  // namespace tidelock::app
