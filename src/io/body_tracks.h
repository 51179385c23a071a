/// Where the bodies were at each frame.
#pragma once

#include <cstdint>
#include <vector>

#include "io/step_log.h"
#include "solid/rigid_body.h"

namespace tidelock {

/// From frame 0 on.
template <int D>
struct BodyTracks {
    std::vector<double> times;                      ///< [s]
    std::vector<std::vector<Placement<D>>> places;  ///< per frame, per body

    void add(double time, const std::vector<RigidBody<D>>& bodies);
};

/// From the bodies at the start and the log: the last step of a frame holds their places at its end. `last` is the last
/// frame that is known to be finished. Throws InputError for a log of other bodies.
template <int D>
[[nodiscard]] BodyTracks<D> tracks_from_log(const std::vector<RigidBody<D>>& start, const std::vector<StepRecord>& log,
                                            std::int64_t last);

}  // namespace tidelock
