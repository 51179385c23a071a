/// Between what a method reports, what the log keeps, and where the bodies were.
#pragma once

#include <cstdint>

#include "io/step_log.h"
#include "methods/method.h"

namespace tidelock::app {

/// The line of the step that led to this world. `frame` is the one that the step leads to, `seconds` its wall-clock
/// time.
template <int D>
[[nodiscard]] StepRecord make_record(const World<D>& world, const StepReport<D>& report, std::int64_t frame,
                                     double seconds);

/// Where the bodies were at each frame, from frame 0 on.
template <int D>
struct Tracks {
    std::vector<double> times;                      ///< [s]
    std::vector<std::vector<Placement<D>>> places;  ///< per frame, per body

    void add(double time, const std::vector<RigidBody<D>>& bodies);
};

/// From the bodies at the start and the log: the last step of a frame holds their places at its end. `last` is the last
/// frame that is known to be finished. Throws InputError for a log of other bodies.
template <int D>
[[nodiscard]] Tracks<D> tracks_from_log(const std::vector<RigidBody<D>>& start, const std::vector<StepRecord>& log,
                                        std::int64_t last);

}  // namespace tidelock::app
