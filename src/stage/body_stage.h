/// The bodies' own part in a step: they collide and move, get their forces, and rest on each other. What the fluid does
/// to them is the method's solve.
///
/// Source   [A18] eq. (14); the order of the stages is that of numerics/coupling 8.
#pragma once

#include "solid/contact_motion.h"
#include "stage/step.h"

namespace tidelock {

template <int D>
class BodyStage {
  public:
    BodyStage(const World<D>& world, double dt);

    /// x_t = v, q_t = 1/2 omega q of [A18] eq. (14), with the velocities of the last solve; collisions.
    void move(Step<D>& step) const;
    /// v_t = F / m, L_t = torque of [A18] eq. (14): their weight, and the torques of motors.
    void add_forces(Step<D>& step) const;
    /// What they rest on holds them, before the fluid does its part (numerics/coupling 8, stage 4), which is expected to
    /// be that of the step before (Solids::loads; in the first step stage/lift_at_rest.h). There is no second pass after
    /// the solve: what still approaches is stopped by the collisions that the next step begins with, before anything
    /// moves.
    void rest(Step<D>& step) const;

  private:
    WallBox<D> walls_;
    ContactOptions contact_;
    JointGroups<D> joints_;
    std::vector<Twist<D>> ahead_;  ///< of each body: what it gets of the step's forces before it moves [N s, N m s]
};

}  // namespace tidelock
