/// From what a method reports to what the log keeps.
#pragma once

#include "io/step_log.h"
#include "run/session.h"

namespace tidelock {

/// The line of the step that led to this world.
template <int D>
[[nodiscard]] StepRecord make_record(const World<D>& world, const StepDone<D>& done);

}  // namespace tidelock
