/// The bodies' part in a step of schur, the same in smoke and in liquids: they collide and move, rest on each other,
/// and get their velocities from the coupled solve.
///
/// Source   [A18] eq. (14) to (17); the order of the stages is that of numerics/coupling 8.
#pragma once

#include "base/timer.h"
#include "couple/coupled_solve.h"
#include "grid/activation.h"
#include "methods/method.h"
#include "solid/contact_motion.h"
#include "solid/joint_groups.h"

namespace tidelock {

/// Runs a stage under its name and notes the seconds that it took.
template <int D, class F>
void stage(StepReport<D>& report, const char* name, F&& f) {
    const ScopedTimer timer(name);
    const double start = wall_seconds();
    f();
    report.seconds.emplace_back(name, wall_seconds() - start);
}

/// Largest speed on the faces, per component, and of the bodies' surfaces [m/s].
template <int D>
double largest_speed(const FaceField<D, double>& velocity, const std::vector<RigidBody<D>>& bodies);

template <int D>
class BodyStep {
  public:
    /// Throws SimulationError unless dt [s] is positive.
    BodyStep(World<D>& world, double dt);

    /// Bodies collide and move with the velocities of the last solve, [A18] eq. (14).
    void move(StepReport<D>& report);
    /// Constraint faces and dual masses ([A18] section 4.3), on the bricks of the fluid.
    [[nodiscard]] Interface<D> interface(const BrickSetPtr<D>& set, InterfaceScheme scheme,
                                         StepReport<D>& report) const;
    /// Their weight and the torques of motors, v_t = F / m and L_t = torque of [A18] eq. (14); then what they rest on
    /// holds them, before the fluid does its part (numerics/coupling 8, stage 4), which is expected to be that of the
    /// step before. There is no second pass after the solve: what still approaches is stopped by the collisions that
    /// the next step begins with, before anything moves.
    void weigh();
    /// The first step has no step before it: then the part of a fluid at rest is expected, of this density [kg/m^3]
    /// where `wet` says. Without it what lies under water would be held as in air, and the lift throw it up.
    void expect_rest(double density, const PointTest<D>& wet);
    void resist(StepReport<D>& report);
    /// [A18] eq. (17): `velocity` is u* on entry. Throws SimulationError when numbers stop being finite.
    void solve(const CoupledSystem<D>& system, const SolveOptions& options, const SystemObserver<D>& observe,
               FaceField<D, double>& velocity, Field<D, double>& pressure, StepReport<D>& report);

    /// The velocities that joints forbid, for the coupled solve.
    [[nodiscard]] std::vector<JointRow<D>> joint_rows() const {
        return rows_of<D>(world_.solids.joints, world_.solids.bodies);
    }

    /// The bodies on their way from the beginning of the step to its end.
    [[nodiscard]] std::shared_ptr<const SolidSurfaces<D>> surfaces() const {
        return std::make_shared<const RigidSurfaces<D>>(world_.solids.bodies, before_, twists_);
    }

  private:
    void note_loads(const std::vector<Twist<D>>& unforced, const std::vector<Twist<D>>& from_joints,
                    StepReport<D>& report);

    World<D>& world_;
    double dt_;
    WallBox<D> walls_;
    ContactOptions contact_;
    JointGroups<D> joints_;
    std::vector<Pose<D>> before_;
    std::vector<Twist<D>> twists_;
};

}  // namespace tidelock
