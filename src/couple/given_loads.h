/// What the fluid does to solids whose motion is given: static and kinematic ones.
///
///   F = W_i^T J_i^T (beta (u* - u) / dt - G_c p)        [A18] eq. (16), over dt
///
/// with rows of J for them as a dynamic body would have, and the lift of what no face counts (numerics/interface 7).
/// Symbols   as in couple/rigid_coupling.h; u* before the solve, u after it.
/// Limits    What presses on them beyond an open side of the domain is left out.
#pragma once

#include <vector>

#include "couple/flow_faces.h"

namespace tidelock {

template <int D>
class GivenLoads {
  public:
    /// Before the solve; all but `velocity`, which is u*, are kept by reference.
    GivenLoads(const FlowFaces<D>& flow, const Interface<D>& interface, const std::vector<RigidBody<D>>& bodies,
               const FaceField<D, double>& velocity);
    /// Force and torque about the centre of mass, per body; of dynamic ones zero.
    [[nodiscard]] std::vector<Twist<D>> loads(double dt, const FaceField<D, double>& velocity,
                                              const Field<D, double>& pressure) const;

  private:
    void add_face(std::size_t n, double push, std::vector<Twist<D>>& loads) const;
    void add_uncounted(std::vector<Twist<D>>& loads) const;

    const FlowFaces<D>& flow_;
    const Interface<D>& interface_;
    const std::vector<RigidBody<D>>& bodies_;
    bool any_ = false;
    std::vector<double> before_;  ///< u* per face [m/s]
};

}  // namespace tidelock
