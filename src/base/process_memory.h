/// Memory that this process holds.
#pragma once

namespace tidelock {

/// Now [bytes].
[[nodiscard]] double resident_memory();

/// At most since the process began or since reset_peak_memory() [bytes].
[[nodiscard]] double peak_memory();
/// Lets the peak begin anew from what is held now. False where the system does not let a process do that.
bool reset_peak_memory();

}  // namespace tidelock
