/// Keeps bodies apart until there is contact: a body that would touch a wall or another body is stopped.
///
/// Rule     Bodies move over the step with their velocities. Where two of them (or one and a wall) would come nearer
/// than
///          `gap`, a frictionless impulse without restitution at the deepest point takes away their approach, equal and
///          opposite, so that momentum is kept; they then move again from where they were. A body that would
///          still overlap another after some rounds of this stays where it was.
/// Not here stacking, friction and restitution: a body at rest on another is stopped anew in each step.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "solid/rigid_body.h"

namespace tidelock {

/// The closed sides of a box; bodies pass through the others.
template <int D>
struct WallBox {
    Bounds<D> box;                              ///< [m]
    std::array<std::array<bool, 2>, D> closed;  ///< [axis][0: lower, 1: upper]
};

struct StopReport {
    int contacts = 0;            ///< touching pairs that were stopped
    double max_penetration = 0;  ///< deepest overlap left at the end [m], 0 if none
    std::string first;           ///< "ball and wall y-", empty if none
};

/// How near bodies may come to each other and to walls [m], > 0.
struct StopGaps {
    double bodies, walls;
};

/// Moves all bodies over dt [s] from `time` [s] on. The ways of surface points are followed in the frame of the other
/// body, so that nothing passes a thin wall in a large step.
template <int D>
StopReport move_apart(std::vector<RigidBody<D>>& bodies, const WallBox<D>& walls, const StopGaps& gaps, double time,
                      double dt);

}  // namespace tidelock
