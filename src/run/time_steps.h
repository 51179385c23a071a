/// When frames are, and how the time between two of them is cut into steps.
///
/// Everything follows from the scene and the present state alone, so that a run that was stopped anywhere goes on with
/// the same steps. Frame k is at k / fps. A duration that is no whole number of frames is cut to one; a duration of
/// less than a frame is one frame of that length. Otherwise the duration does not say where a frame is, so that a run
/// may go on for longer than it was to.
#pragma once

#include <cstdint>

#include "scene/scene.h"

namespace tidelock {

[[nodiscard]] std::int64_t frame_count(const scene::Time& time);
[[nodiscard]] double frame_time(const scene::Time& time, std::int64_t frame);  ///< [s]

/// Pictures a second of the film: as fast as the simulated time, within what players show.
[[nodiscard]] double film_rate(const scene::Time& time);

struct NextStep {
    double dt = 0;      ///< [s]
    bool last = false;  ///< it ends at the frame
};

/// The step from `now` towards the frame at `frame_end` [s]. By CFL: the remaining time is cut into the fewest equal
/// steps that are no longer than `largest` [s], and this is the first of them. Fixed: as the scene says; the last step
/// of a frame takes what remains, which is less if the step does not divide the frame (and up to 1e-6 more, instead of
/// a step made of rounding). Throws SimulationError if more than 100,000 steps would be needed: the flow has blown up.
[[nodiscard]] NextStep next_step(const scene::Time& time, double now, double frame_end, double largest);

}  // namespace tidelock
