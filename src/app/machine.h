/// What the program must know of the machine under it.
#pragma once

namespace tidelock::app {

/// Memory that this process may still take: what the machine has left, what its control groups allow, and what its
/// address space may still grow by [bytes].
[[nodiscard]] double available_memory();
/// Columns of the terminal behind a descriptor; 0 if it is none.
[[nodiscard]] int terminal_columns(int descriptor);

}  // namespace tidelock::app
