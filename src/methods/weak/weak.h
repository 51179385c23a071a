/// The common way to join a flow and rigid bodies: each is solved on its own, and told what the other did.
///
/// Step     The fluid is projected past bodies whose motion is given, its pressure is summed on their surfaces, and they
///          move with that. What they are taken to move with follows from the load of the round before; the first round
///          takes that of the last step.
///            v_k = v* + M^-1 I_k     L_N p_k = G_f^T u*_f + G_c^T (J v_k + k)     I_k+1 = I_k + omega (I(p_k) - I_k)
/// Source   numerics/partitioned; the pieces are those of numerics/coupling 3 with J v given, so that p is that of
///          walls which move. With many rounds the fixed point is [A18] eq. (15) to (17).
/// Symbols  I  impulse and moment of the fluid on each body [N s, N m s];  omega  coupling.relaxation;
///          k  coupling.rounds at most, so that with one round it is the explicit scheme
/// Limits   A round multiplies the error of I by 1 - omega (1 + r), r the added mass over the body's: without relaxation
///          it grows for bodies lighter than what they carry along, whatever the time step ([CGN05]). `check` warns.
/// Promise  The bodies get what the fluid lost only as far as the rounds have converged; the difference is reported as
///          the step's MomentumError.
#pragma once

#include "methods/method.h"

namespace tidelock {

struct WeakSettings {
    InterfaceScheme interface = InterfaceScheme::fractional;
    int rounds = 1;           ///< solves in a step, at most
    double relaxation = 1;    ///< omega, in (0, 1]
    double tolerance = 1e-3;  ///< rounds end when I changes by less [-]

    /// "interface", "rounds", "relaxation" and "round_tolerance".
    [[nodiscard]] static WeakSettings from(const Settings& settings);
};

template <int D>
class Weak final : public Method<D> {
  public:
    explicit Weak(MethodSetup<D> setup) : Weak(setup, WeakSettings::from(setup.settings)) {}
    Weak(MethodSetup<D> setup, const WeakSettings& settings);
    StepReport<D> advance(World<D>& world, double dt) override;
    [[nodiscard]] double largest_step(const World<D>& world) const override { return flow_->largest_step(world); }

  private:
    struct Exchange;
    void exchange(const FlowFaces<D>& faces, Step<D>& step) const;
    void project(Exchange& of, const Eigen::VectorXd& v, Step<D>& step) const;
    static void move_bodies(const Exchange& of, const Eigen::VectorXd& impulse, Step<D>& step);

    std::unique_ptr<Flow<D>> flow_;
    SolveOptions solver_;
    OnFailure on_failure_;
    WeakSettings settings_;
    bool measure_momentum_;
};

}  // namespace tidelock
