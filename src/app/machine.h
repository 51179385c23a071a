/// What the program must know of the machine under it.
#pragma once

#include <filesystem>

namespace tidelock::app {

/// Memory that this process may still take: what the machine has left and what its control groups allow [bytes].
[[nodiscard]] double available_memory();
/// Memory that this process holds now [bytes].
[[nodiscard]] double resident_memory();
/// The file of this program; empty if it cannot be known.
[[nodiscard]] std::filesystem::path program_file();
/// Columns of the terminal behind a descriptor; 0 if it is none.
[[nodiscard]] int terminal_columns(int descriptor);

}  // namespace tidelock::app
