/// Evenly spaced streamlines of a plane flow.
/// Source   [JL97].
#pragma once

#include <functional>
#include <vector>

#include "grid/domain.h"

namespace tidelock {

struct StreamlineOptions {
    double separation = 0.05;   ///< wanted distance between lines [m], > 0
    double closest = 0.5;       ///< [-] a line ends where it comes nearer than this share of the separation
    double least_length = 2;    ///< [-] shorter lines are dropped, in separations
    double least_speed = 1e-3;  ///< [-] lines end where the flow is slower, in parts of the fastest
};

struct Streamline {
    std::vector<Vec2> points;     ///< along the flow [m], equally spaced
    std::vector<double> nearest;  ///< distance to the nearest other line, at most the separation [m]
};

/// `blocked` (may be empty): points where no line goes, such as inside bodies.
[[nodiscard]] std::vector<Streamline> streamlines(const FaceField<2, double>& velocity, const Grid<2>& grid,
                                                  const StreamlineOptions& options,
                                                  const std::function<bool(const Vec2&)>& blocked = {});

}  // namespace tidelock
