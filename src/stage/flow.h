/// A fluid as a method sees it: what happens to it in a step, whatever kind of fluid it is.
#pragma once

#include <memory>
#include <variant>

#include "couple/flow_faces.h"
#include "stage/step.h"

namespace tidelock {

/// What a method calls, in this order, with one pressure solve between faces() and finish(). Between calls a Flow holds
/// scratch of the step.
template <int D>
class Flow {
  public:
    virtual ~Flow() = default;

    /// The longest step in which nothing crosses more cells than time.cfl says, with what gravity can add within it
    /// [s]; may be infinite.
    [[nodiscard]] virtual double largest_step(const World<D>& world) const = 0;
    [[nodiscard]] virtual double density() const = 0;  ///< [kg/m^3]
    /// Whether there is fluid, or would be without solids, while the world is that of the start.
    [[nodiscard]] virtual bool wet(const World<D>& world, const Vec<D>& x) const = 0;

    /// u* without forces: all that flows goes with the velocity of the last solve, past the moving solids, and sources
    /// and drains do their part. Before it, Step::interface is known.
    virtual void carry(Step<D>& step) = 0;
    /// u*: Step::velocity on every face of the domain that the solve reads.
    virtual void add_forces(Step<D>& step) = 0;
    /// The fluid's side of the solve.
    [[nodiscard]] virtual FlowFaces<D> faces(Step<D>& step) = 0;
    /// After the solve, which has set Step::velocity and the world's pressure: the world gets the velocity, and all
    /// that follows from it.
    virtual void finish(const FlowFaces<D>& faces, Step<D>& step) = 0;
};

/// What a user set: of a gas or of a liquid.
template <int D>
using FlowParameters = std::variant<SmokeParameters<D>, LiquidParameters<D>>;

/// `cfl`: cells that anything may cross in a step [-].
template <int D>
[[nodiscard]] std::unique_ptr<Flow<D>> make_flow(const FlowParameters<D>& parameters, double cfl);

}  // namespace tidelock
