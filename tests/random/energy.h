/// The energy of liquid or gas and bodies, and a bound of what a step can have added to it.
///
/// Bound    E(t) <= E(0) + what was given + slack. Heights are over the lowest corner of the domain along gravity, so that
///          no potential energy is negative and nothing that leaves through a drain or a side brings any. Given, each step:
///            sources     rho dV (g H + v^2 / 2) of what they pour, H the domain's height (it is lifted to there at most, or
///                        pressed in against rho g H at most), and rho |v|^3 A dt of a jet within liquid, A its section
///            movers      2 p A |v| dt, p the largest pressure, A the section of the ball around the solid; and what bodies
///                        gain while something touches them
///            motors      torque |w| dt, force |v| dt
///            sides       of gas: rho u^3 dt / 2 of each face of an open side through which it comes in
///            heat        of gas: rho |b| |u| dV dt, b the buoyancy; and rho v^2 / 2 of a source's volume for each step in
///                        which it sets the velocity there
///          Slack: the surface is known to half a cell: the weight of all times h / 2, and 2 % of the kinetic energy.
/// Limits   Vorticity confinement gives energy without bound: not judged; nor gas that is blown in.
#pragma once

#include "run/session.h"
#include "scene/scene.h"

namespace tidelock {

template <int D>
class EnergyAccount {
  public:
    EnergyAccount(const scene::Scene& scene, const Session<D>& session);
    void step(const Session<D>& session, const StepReport<D>& report);

    [[nodiscard]] bool judged() const { return judged_; }
    /// What is there beyond the bound, over the scale of what could move [-]; <= 0: nothing.
    [[nodiscard]] double excess() const { return scale_ > 0 ? (now_ - start_ - given_ - slack_) / scale_ : 0; }
    [[nodiscard]] double height() const { return height_; }  ///< of the domain along gravity [m]

  private:
    [[nodiscard]] double height_of(const Vec<D>& x) const;
    [[nodiscard]] double liquid_lift(const World<D>& world) const;
    [[nodiscard]] double motion(const World<D>& world, const FlowMeasures<D>& flow) const;
    [[nodiscard]] double bodies(const World<D>& world, bool kinetic_only) const;
    [[nodiscard]] double by_sources(const World<D>& world, double dt);
    [[nodiscard]] double by_movers(const World<D>& world, double dt) const;
    [[nodiscard]] double by_motors(const World<D>& world, double dt) const;
    [[nodiscard]] double by_gas(const World<D>& world, double dt) const;

    const scene::Scene& scene_;
    Vec<D> down_ = Vec<D>::Zero();  ///< unit, or zero
    double g_ = 0, lowest_ = 0, height_ = 0;
    double start_ = 0, now_ = 0, given_ = 0, slack_ = 0, scale_ = 0, poured_ = 0, body_motion_ = 0;
    bool judged_ = true, moved_ = false, counted_ = false;  ///< counted: by particles
};

}  // namespace tidelock
