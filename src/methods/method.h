/// A method is one paper's time step: a list of named stages that take a World from one instant to the next.
#pragma once

#include "base/settings.h"
#include "couple/coupled_solve.h"
#include "stage/flow.h"

namespace tidelock {

template <int D>
class Method {
  public:
    virtual ~Method() = default;
    /// Moves the world on by dt [s]. Throws StepFailed, naming step and stage, when a number stops being finite or a
    /// solve has no answer (stage/step_failure.h); the world is then not to be used.
    virtual StepReport<D> advance(World<D>& world, double dt) = 0;
    /// The longest step that the method wants to take from here [s]; may be infinite.
    [[nodiscard]] virtual double largest_step(const World<D>& world) const = 0;
};

/// What any method is made of. Whatever else one has to know it finds in its own settings.
template <int D>
struct MethodSetup {
    FlowParameters<D> fluid;
    double cfl = 3;                          ///< cells that anything may cross in a step [-]
    SolveOptions solver;                     ///< when the solve of the coupled system may stop
    OnFailure on_failure = OnFailure::stop;  ///< of a step; who has copies of the world may try shorter ones
    Settings settings;                       ///< by paths below "coupling" of the scene (base/settings.h)
    SystemObserver<D> observer;              ///< may be empty
};

}  // namespace tidelock
